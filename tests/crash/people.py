"""The people of a crash run: agents that open cases, supervisors that decide, all of them patient."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Literal

from deploy.local.backoffice.seed import seed_orders
from deploy.local.workspace import ActionRefused, Message, View
from graph.store.connect import end
from tests.crash.scene import PATIENCE, Scene

AGENTS: Final = ("U0LI", "U0CHEN")
SUPERVISORS: Final = ("U0WANG", "U0KIM")
DESK: Final = "C0DESK"
REJECT: Final = "驳回…"
Kind = Literal["t1", "t2", "t4", "t5", "t6"]
End = Literal["done", "stopped", "answered"]
KINDS: Final[tuple[Kind, ...]] = ("t1", "t1", "t4", "t4", "t6", "t6", "t2", "t5")
ENDS: Final[dict[Kind, End]] = {"t2": "stopped", "t5": "answered"}
_AGAIN: Final = 0.2
_FORM: Final = 3.5


@dataclass
class Story:
    """One case. Its amount is like no other's, so that its payout is known by it."""

    kind: Kind
    agent: str
    order: str
    amount: Decimal
    thread: str = ""
    case: str = ""
    pressed: set[str] = field(default_factory=set)
    """Those whose click on Approve was acknowledged."""

    @property
    def ends(self) -> End:
        """How it must end. Only what is done is paid."""
        return ENDS.get(self.kind, "done")

    async def play(self, scene: Scene) -> None:
        """From the first word to the result; whenever the case waits for the back office, its agent tries again."""
        retrying = asyncio.create_task(self._retry(scene), name="retry")
        try:
            await self._act(scene)
        finally:
            await end(retrying)

    async def _retry(self, scene: Scene) -> None:
        while True:
            await asyncio.sleep(1.0)
            held = [each for name, each in scene.board.posts.items() if self.case and name.startswith(f"{self.case}/")]
            for card in [each for messages in held for each in messages]:
                for button in scene.workspace.buttons(card):
                    if button.action_id.startswith("sop.retry"):
                        with contextlib.suppress(ActionRefused):
                            await scene.workspace.click(self.agent, card.channel, card.ts, action_id=button.action_id)

    async def _act(self, scene: Scene) -> None:
        match self.kind:
            case "t1":
                await self._say(scene, f"给 {self.order} 补 {self.amount} 美元现金，商户漏发接送")
                await self._posted(scene, "bank_info/1")
                await self._say(scene, "6222000012345678")
                await self._approve(scene, "approval/1")
            case "t2":
                await self._say(scene, f"{self.order} 客人投诉，补 {self.amount} 积分")
            case "t4":
                await self._say(scene, f"给 {self.order} 补偿一下，客人包车迟到两小时")
                await self._posted(scene, "collect/1")
                await self._say(scene, f"{self.amount + 100} 美元，积分")
                await self._reject(scene, "approval/1")
                await self._posted(scene, "collect/2")
                await self._say(scene, f"那就 {self.amount}")
                await self._approve(scene, "approval/2")
            case "t5":
                self.thread = await scene.workspace.say(self.agent, DESK, "@sopdesk 先补偿了还能退款吗")
                await scene.board.posted(f"msg:{scene.workspace.world.seed.team_id}:{DESK}:{self.thread}/0")
                return
            case "t6":
                await self._say(scene, f"{self.order} 补 {self.amount} 积分，导游迟到")
        await self._posted(scene, "result")

    async def _say(self, scene: Scene, words: str) -> None:
        if self.thread:
            await scene.workspace.say(self.agent, DESK, words, self.thread)
        else:
            self.thread = await scene.workspace.say(self.agent, DESK, f"@sopdesk {words}")
            self.case = await scene.board.case_of(self.thread)

    async def _posted(self, scene: Scene, notice: str) -> Message:
        return await scene.board.posted(f"{self.case}/{notice}")

    async def _approve(self, scene: Scene, request: str) -> None:
        """Both supervisors press Approve, one of them twice."""
        card = await self._posted(scene, request)
        first, second = SUPERVISORS
        await asyncio.gather(*(self._press(scene, card, each) for each in (first, second, first)))

    async def _press(self, scene: Scene, card: Message, who: str) -> None:
        """Press until it is taken, or until somebody else's decision has removed the button."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    label = next(each.label for each in scene.workspace.buttons(card) if each.label.startswith("批准"))
                    receipt = await scene.workspace.click(who, card.channel, card.ts, label=label)
                except (StopIteration, ActionRefused):
                    return
                if receipt.acked:
                    self.pressed.add(who)
                    return
                await asyncio.sleep(_AGAIN)

    async def _reject(self, scene: Scene, request: str) -> None:
        """Reject by the form, again and again until it is taken, or until the card says that it was."""
        card = await self._posted(scene, request)
        async with asyncio.timeout(PATIENCE):
            while any(each.label == REJECT for each in scene.workspace.buttons(card)):
                form = await self._form(scene, card)
                if form is not None and await self._sent(scene, form):
                    return
                await asyncio.sleep(_AGAIN)

    async def _form(self, scene: Scene, card: Message) -> View | None:
        """Press Reject; its form, unless the trigger ran out before the bot could open it."""
        who, ws = SUPERVISORS[0], scene.workspace
        before = {each.id for each in ws.views(who)}

        def opened() -> View | None:
            fresh = [each for each in ws.views(who) if each.id not in before]
            return next((each for each in fresh if self.case in str(each.body)), None)

        with contextlib.suppress(ActionRefused, TimeoutError):
            await ws.click(who, card.channel, card.ts, label=REJECT)
            return await ws.until(opened, _FORM)
        return None

    async def _sent(self, scene: Scene, form: View) -> bool:
        """Whether the bot took the form. It may be gone: when one form is taken, all forms of a person are closed."""
        try:
            return await scene.workspace.submit(SUPERVISORS[0], form, {"reason": "太多了"}) is None
        except ActionRefused:
            return False


def stories(dice: random.Random, number: int) -> Iterator[Story]:
    """So many different cases, each on an order that fits it and, as far as there are enough, on one of its own: amounts
    of one order add up, and so would come to another level."""
    taken: set[str] = set()
    paid = [each for each in seed_orders() if each.payment_status == "paid" and each.fraud_status == "pass"]
    paid = [each for each in paid if each.order_id != "KL-315"]
    unpaid = [each.order_id for each in seed_orders() if each.payment_status == "unpaid"]
    short = [each.order_id for each in paid if each.gateway_minor == 0]
    for index in range(number):
        kind = dice.choice(KINDS)
        fitting = {"t1": short, "t2": unpaid}.get(kind, [each.order_id for each in paid])
        order = dice.choice([each for each in fitting if each not in taken] or fitting)
        taken.add(order)
        whole = dice.randrange(10, 40) if kind == "t6" else dice.randrange(60, 300)
        yield Story(kind, dice.choice(AGENTS), order, Decimal(whole) + Decimal(index + 1) / 100)


def story(kind: Kind, seed: int = 0) -> Story:
    """One case of a kind."""
    return next(each for each in stories(random.Random(seed), 50) if each.kind == kind)

"""One case in one thread, as its people act on it and see it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from deploy.local.workspace import Message, Receipt, View, Workspace
from graph.model import RequestView, RunView
from tests.parts.desk import PATIENCE, LiveDesk
from tests.parts.http import asking

LI, CHEN, EMMA, WANG, KIM, ZHAO, SUN, LEAD = "U0LI", "U0CHEN", "U0EMMA", "U0WANG", "U0KIM", "U0ZHAO", "U0SUN", "U0ZHOU"
DESK, SUPERVISORS = "C0DESK", "C0SUP"


@dataclass
class Story:
    """A case by its thread. `case` is its id once the card is there."""

    desk: LiveDesk
    thread: str
    case: str = ""
    owner: str = LI
    channel: str = DESK

    @classmethod
    async def open(cls, desk: LiveDesk, words: str, *, by: str = LI, channel: str = DESK) -> Story:
        """Mention the bot with these words and wait for the case card."""
        mention = "" if channel == "U0BOT" else "@sopdesk "
        ts = await desk.workspace.say(by, channel, f"{mention}{words}")
        place = desk.workspace.dm(by).id if channel == "U0BOT" else channel
        story = cls(desk, ts, owner=by, channel=place)
        await story.opened()
        return story

    @property
    def ws(self) -> Workspace:
        """The workspace."""
        return self.desk.workspace

    async def opened(self) -> None:
        """Wait for the card of the thread's newest case."""
        found = await self.ws.until(self.newest, PATIENCE)
        assert found is not None
        self.case = found[0]

    def newest(self) -> tuple[str, Message] | None:
        """The last case card of the thread, with its case."""
        for message in reversed(self.replies()):
            name = notice_of(message)
            if re.fullmatch(r"C-\w+/card", name):
                return name.partition("/")[0], message
        return None

    def replies(self) -> list[Message]:
        """The bot's messages in the thread."""
        return [each for each in self.ws.messages(self.channel, self.thread) if each.bot]

    def notices(self, pattern: str) -> list[tuple[str, Message]]:
        """This case's notices whose id, without the case, matches; oldest first."""
        wanted = re.compile(rf"{re.escape(self.case)}/(?:{pattern})")
        return [(name, each) for name, each in self.desk.notices().items() if wanted.fullmatch(name)]

    async def shown(self, pattern: str, words: str = "") -> Message:
        """Wait for a notice of this case that says these words."""

        def found() -> Message | None:
            hits = [each for _, each in self.notices(pattern) if words in self.ws.text(each)]
            return hits[-1] if hits else None

        hit = await self.ws.until(found, PATIENCE)
        assert hit is not None
        return hit

    async def card(self, words: str) -> str:
        """Wait until the case card says this; all that it says."""
        return self.ws.text(await self.desk.card_says(words, self.case))

    async def asked(self, step: str, visit: int = 1) -> Message:
        """Wait for the request of this step to be shown."""
        return await self.shown(rf"{step}/{visit}")

    async def answered(self, words: str, after: int = 0) -> Message:
        """Wait for a reply in the thread, beyond the first `after`, that says this."""

        def found() -> Message | None:
            return next((each for each in self.replies()[after:] if words in self.ws.text(each)), None)

        hit = await self.ws.until(found, PATIENCE)
        assert hit is not None
        return hit

    async def reply_to(self, ts: str, words: str = "") -> Message:
        """Wait for what the bot says to this message, and says these words."""

        def found() -> Message | None:
            reply = self.desk.notices().get(f"msg:T0LOCAL:{self.channel}:{ts}/0")
            return reply if reply is not None and words in self.ws.text(reply) else None

        hit = await self.ws.until(found, PATIENCE)
        assert hit is not None
        return hit

    async def told(self, user: str, words: str, channel: str | None = None) -> Message:
        """Wait until this person alone is told this; what they were told before this case does not count."""

        def found() -> Message | None:
            since = [each for each in self.ws.ephemerals(user, channel) if each.ts > self.thread]
            return next((each for each in since if words in self.ws.text(each, user)), None)

        hit = await self.ws.until(found, PATIENCE)
        assert hit is not None
        return hit

    async def say(self, words: str, *, by: str | None = None, broadcast: bool = False, files: bool = False) -> str:
        """Reply in the thread."""
        attached: list[dict[str, object]] | None = [{"name": "screenshot.png"}] if files else None
        return await self.ws.say(
            by or self.owner, self.channel, words, self.thread, broadcast=broadcast, files=attached
        )

    async def press(self, message: Message, label: str, *, by: str | None = None) -> Receipt:
        """Press a button."""
        return await self.ws.click(by or self.owner, message.channel, message.ts, label=label)

    async def form(self, message: Message, label: str, *, by: str | None = None) -> View:
        """Press a button that opens a form, and give the form."""
        who = by or self.owner
        before = self.ws.views(who)
        await self.press(message, label, by=who)
        return await self._opened(who, before)

    async def menu_form(self, message: Message, option: str, *, by: str | None = None) -> View:
        """Pick from the card's overflow menu what opens a form, and give the form."""
        who = by or self.owner
        before = self.ws.views(who)
        await self.ws.choose(who, message.channel, message.ts, option)
        return await self._opened(who, before)

    async def _opened(self, who: str, before: list[View]) -> View:
        forms = await self.ws.until(lambda: [each for each in self.ws.views(who) if each not in before], PATIENCE)
        return forms[-1]

    async def submit(self, form: View, values: Mapping[str, object], *, by: str | None = None) -> dict[str, str] | None:
        """Fill a form in and send it; the errors under its fields."""
        return await self.ws.submit(by or self.owner, form, values)

    async def case_card(self) -> Message:
        """The case card."""
        return await self.shown("card")

    async def approve(self, amount: str, *, by: str = WANG, step: str = "approval", visit: int = 1) -> Receipt:
        """Press Approve on the card of this visit."""
        return await self.press(await self.asked(step, visit), f"批准 {amount}", by=by)

    async def done(self) -> Message:
        """Wait for the result."""
        return await self.shown("result")

    async def view(self) -> RunView:
        """The case as it stands."""
        view = await self.desk.view(self.thread, self.channel)
        assert view is not None
        return view

    async def open_request(self) -> RequestView:
        """What the case waits for."""
        request = (await self.view()).open_request()
        assert request is not None
        return request

    async def payouts(self, order: str) -> list[dict[str, str]]:
        """What the back office has paid on this order."""
        return await payouts(self.desk, order)


async def payouts(desk: LiveDesk, order: str) -> list[dict[str, str]]:
    """What the back office has paid on this order: for each compensation, the amount of every kind."""
    async with asking(desk.backoffice.url) as client:
        answer = await client.get("/compensations", params={"status": "paid", "order_id": order})
    return [{part["kind"]: part["amount"] for part in each["resources"]} for each in answer.json()["compensations"]]


def notice_of(message: Message) -> str:
    """The id of the notice that a message of the bot is."""
    payload = (message.metadata or {}).get("event_payload")
    name = payload.get("id") if isinstance(payload, dict) else None
    return name if isinstance(name, str) else ""

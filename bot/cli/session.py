"""One command against the engine: an event in, and what a person would see of it."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.cli.words import Words
from bot.notices import notices
from bot.wiring.engine import DeskParts
from graph.errors import SopdeskError
from graph.model import Actor, Event, EventKind, JsonValue, Outcome, Reply, RunView, Verdict

_LEASE_WAIT = 20.0
_MENTION = re.compile(r"@([^\s@,，。]+)")


class Refused(SopdeskError):
    """The command was understood and refused."""


class Waiting(BaseModel):
    """What a case waits for."""

    kind: str
    step: str
    missing: list[str]
    level: str | None
    request: str


class Report(BaseModel):
    """What `--json` prints. Amounts are strings; `facts` are whole, sensitive ones too, for this is local."""

    model_config = ConfigDict(extra="forbid")

    thread: str
    case: str | None
    status: str
    waiting: Waiting | None
    facts: dict[str, JsonValue]
    trail: list[dict[str, JsonValue]]
    said: list[str]
    stopped_by: dict[str, JsonValue] | None
    model_calls: dict[str, int]
    tokens: dict[str, int]


class Session:
    """Says and decides in one thread at a time, under its lease like any worker."""

    def __init__(self, parts: DeskParts) -> None:
        self._parts = parts
        self._words = Words(parts.library.words.authority)

    async def say(self, thread: str, text: str, user: str) -> Report:
        """Words said in the thread by `user`."""
        if not thread.strip():
            raise Refused("a thread has a name; give it as the first argument")
        if not text.strip():
            raise Refused("there is nothing to say; give the text as the second argument")
        return await self._do(thread, "message", user, text=text)

    async def decide(self, thread: str, verdict: Verdict, user: str | None, reason: str) -> Report:
        """A decision on the approval that waits. Without `user`, the first person who may decide it."""
        view = await self._view(thread)
        request = view.open_request()
        if request is None or request.kind != "approve":
            waits = f"waits for {request.kind}" if request else f"is {view.status}"
            raise Refused(f"no approval waits in thread {thread!r}: case {view.case} {waits}")
        if verdict == "reject" and not reason.strip():
            raise Refused("a rejection needs a reason: --reason TEXT")
        authority = self._parts.library.words.authority
        out = {*request.barred, *(vote.by for vote in request.counted if vote.verdict == verdict)}
        listed = [person for person in authority.listed(request.level or "") if person not in out]
        if user is None and not listed:
            raise Refused(f"nobody in approvals.yaml may decide this at level {request.level!r}; name one with --as")
        who = user or listed[0]
        return await self._do(thread, "decision", who, request=request.id, verdict=verdict, reason=reason)

    async def look(self, thread: str, shown: Literal["facts", "trail"]) -> Report:
        """The thread's latest case as it stands, with its facts or its trail in words."""
        view = await self._view(thread)
        outcome = Outcome(thread=thread, event="", view=view, replies=[Reply(kind=shown, to="")])
        words = [await self._words.of(notice) for notice in notices(outcome) if notice.kind == "reply"]
        return await self._report(outcome, words)

    async def _view(self, thread: str) -> RunView:
        view = await self._parts.runner.find(thread)
        if view is None:
            raise Refused(f"there is no case in thread {thread!r}; begin one with: sopdesk say {thread} TEXT")
        return view

    async def _do(
        self,
        thread: str,
        kind: EventKind,
        user: str,
        *,
        text: str = "",
        request: str | None = None,
        verdict: Verdict | None = None,
        reason: str = "",
    ) -> Report:
        runner = self._parts.runner
        now = datetime.now(UTC)
        event = Event(
            id=f"cli:{uuid.uuid4().hex}",
            thread=thread,
            kind=kind,
            actor=Actor(id=user, name=user),
            mentioned=tuple(Actor(id=name, name=name) for name in dict.fromkeys(_MENTION.findall(text))),
            at=now,
            said_at=now,
            text=text,
            request=request,
            verdict=verdict,
            reason=reason,
        )
        async with self._parts.leases.hold(thread, wait=_LEASE_WAIT) as lease:
            before = await runner.find(thread)
            outcome = await runner.advance(event, lease.fence)
            after = await self._followed(outcome, lease.fence)
        old = notices(Outcome(thread=thread, event="", view=before)) if before is not None else []
        known = {notice.id for notice in old}
        put_off = {f"{each.case}/card" for each in outcome.queued if each.opened_at == now.isoformat()}
        shown = [notice for each in (outcome, *after) for notice in notices(each) if notice.id not in known]
        fresh = {notice.id: notice for notice in shown if notice.kind != "case" or notice.id in put_off}
        said = [await self._words.of(notice) for notice in fresh.values()]
        if any(reply.kind == "refused" for reply in outcome.replies):
            raise Refused(" ".join(said[-1].split()))
        return await self._report(outcome, said)

    async def _followed(self, outcome: Outcome, fence: int) -> list[Outcome]:
        """What follows in the thread; the bot's mailbox would bring it."""
        found: list[Outcome] = []
        waiting = list(outcome.follow)
        while waiting:
            found.append(await self._parts.runner.advance(waiting.pop(0), fence))
            waiting += found[-1].follow
        return found

    async def _report(self, outcome: Outcome, said: list[str]) -> Report:
        view = outcome.view
        if view is None:
            calls = {"turn": outcome.turn_model_calls, "total": outcome.turn_model_calls}
            return Report(
                thread=outcome.thread,
                case=None,
                status="answered",
                waiting=None,
                facts={},
                trail=[],
                said=said,
                stopped_by=None,
                model_calls=calls,
                tokens={"read": 0, "written": 0},
            )
        waits, stopped = view.open_request(), view.stopped
        return Report(
            thread=outcome.thread,
            case=view.case,
            status=view.status,
            waiting=waits
            and Waiting(
                kind=waits.kind,
                step=waits.step.id,
                missing=[field.name for field in waits.fields] if waits.kind == "ask" else [],
                level=waits.level,
                request=waits.id,
            ),
            facts=await self._parts.runner.facts(view.case),
            trail=[_entry(entry.model_dump(mode="json", exclude_defaults=True)) for entry in view.trail],
            said=said,
            stopped_by=stopped and {"step": stopped.step, "rule": stopped.rule or None, "why": stopped.why.in_(view.lang)},
            model_calls={"turn": outcome.turn_model_calls, "total": view.model_calls},
            tokens={"read": view.tokens_read, "written": view.tokens_written},
        )


def _entry(entry: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"step": entry.pop("step"), "what": entry.pop("what"), **entry}

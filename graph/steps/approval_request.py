"""The request that an approval waits with: bound to its facts, with its level's quorum and clocks; and who is barred."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from graph.authority import due_after
from graph.context import Context
from graph.model import Beside, Fact, Request, Timer
from graph.steps.approve_spec import ApproveSpec, Tier
from graph.steps.asking import known
from graph.steps.options import offers

REMIND, ESCALATE, EXPIRE = "remind", "escalate", "expire"
"""What the id of a clock ends with."""


def approval_request(
    spec: ApproveSpec,
    level: str,
    amount: Fact | None,
    facts: Mapping[str, Fact],
    ctx: Context,
    clocks: Tier | None,
    expires: str | None = None,
    beside: Beside | None = None,
) -> Request:
    """A request to `level`, made now (law 3). `expires` is when it ends whatever `clocks` say (ISO 8601). `beside` is what
    else is at stake."""
    ahead = [name for name in ctx.services.ahead(spec.id) if name in facts]
    reads = list(dict.fromkeys((*spec.own_reads(), *ahead)))
    id_ = ctx.services.next_request(spec.id)
    left_out = barred(reads, facts, ctx.opener.id, ctx.owners, separate=spec.separate)
    return Request(
        id=id_,
        kind="approve",
        step=spec.id,
        made_at=ctx.now,
        level=level,
        amount=amount,
        reads=reads,
        digest=ctx.services.digest(reads, facts),
        routes=ctx.services.routes(spec.id, facts),
        facts=known(facts),
        error=None if ctx.authority.has_anyone(level, left_out) else "nobody",
        timers=_timers(id_, level, clocks, expires, ctx),
        quorum=ctx.authority.quorum(level),
        options=offers(spec.options, facts),
        beside=beside,
        policy=ctx.services.policy(_told(facts, ctx)),
        reasons=list(spec.reasons),
    )


def _told(facts: Mapping[str, Fact], ctx: Context) -> str:
    """What people said of the matter, for the handbook: the free texts."""
    texts = [name for name, fact in facts.items() if name in ctx.fields and ctx.fields[name].type == "text" and fact.value]
    return "。".join(str(facts[name].value) for name in texts)


def _timers(id_: str, level: str, clocks: Tier | None, expires: str | None, ctx: Context) -> list[Timer]:
    now, hours = datetime.fromisoformat(ctx.now), ctx.authority.hours(level)
    spans = {REMIND: clocks.remind_after, ESCALATE: clocks.escalate_after, EXPIRE: clocks.expire_after} if clocks else {}
    due = {name: due_after(now, span, hours).isoformat() for name, span in spans.items() if span is not None}
    if expires is not None:
        due[EXPIRE] = expires
    return [Timer(id=f"{id_}/{name}", due=at) for name, at in due.items()]


def due(request: Request, name: str) -> str | None:
    """When the clock `name` of a request goes off (ISO 8601); None where it has none, or had it already."""
    return next((timer.due for timer in request.timers if timer.id == f"{request.id}/{name}"), None)


def setters(reads: Iterable[str], facts: Mapping[str, Fact]) -> set[str]:
    """The people who supplied any of these facts."""
    found = {facts[name].by or "" for name in reads if name in facts}
    return {person for person in found if person and not person.startswith("tool:") and person != "System"}


def barred(
    reads: Iterable[str], facts: Mapping[str, Fact], opener: str, owners: Collection[str], *, separate: bool
) -> set[str]:
    """Who may not decide, though listed (law 8): whoever supplied a fact, opened the case, or had it at any time, for a
    hand-over frees nobody. Not `separate`: whoever opened it."""
    return setters(reads, facts) | {opener, *owners} if separate else {opener}


def kept_out(
    request: Request, facts: Mapping[str, Fact], opener: str, owners: Collection[str], *, separate: bool
) -> set[str]:
    """Who may not decide on this very request: who is barred, and whoever answered what an approver asked, for the answer
    is what it is decided on."""
    answered = {each.answered_id for each in request.inquiries if each.answered_id} if separate else set()
    return barred(request.reads, facts, opener, owners, separate=separate) | answered

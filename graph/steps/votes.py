"""Approvals counted: several different persons where the level asks for them. One rejection ends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.authority import Judgement
from graph.context import Context
from graph.model import Decision, Event, JsonValue, Reply, ReplyCode, Request, Stay, Text, TrailEntry
from graph.phrases import both, text


def vote(request: Request, event: Event, ctx: Context, judged: Judgement, option: str = "") -> Request:
    """The request with this decision, made by the right that it was judged to have. What the person decided before stays
    beside it, but counts no more."""
    of = judged.by_right_of
    decision = Decision(
        verdict=event.verdict or "reject",
        by=ctx.actor.id,
        name=ctx.actor.name,
        at=ctx.now,
        event=event.id,
        reason=event.reason,
        of=of.id if of else ctx.actor.id,
        of_name=of.name if of and of.id != ctx.actor.id else "",
        could=[each for each in judged.could if each != ctx.actor.id],
        option=option,
    )
    return request.model_copy(update={"votes": [*request.votes, decision]})


def not_yet(request: Request, count: int, ctx: Context) -> Stay:
    """One more approval came, or somebody has changed theirs, and it takes more: the request stays open and says so."""
    *before, last = request.votes
    so_far = {"count": str(count), "quorum": str(request.quorum)}
    changed = any(each.by == last.by and each.option != last.option for each in before)
    words = text("replies.vote_changed", option=_label(request, last.option), **so_far) if changed else None
    told: dict[str, JsonValue] = {"option": last.option, "remark": last.reason} if last.option else {}
    entry = TrailEntry(
        step=request.step,
        what="vote",
        at=ctx.now,
        by=ctx.actor.id,
        level=request.level,
        reason=f"{count}/{request.quorum}",
        values=told,
        acting_for=acting_for(request),
    )
    reply = Reply(kind="note", code="counted", to=ctx.actor.id, private=True, text=words, values=so_far)
    return Stay(request=request, trail=[entry], replies=[reply])


def voted(
    code: ReplyCode, request: Request, counted: Sequence[Decision], option: str, to: str, values: Mapping[str, str]
) -> Reply:
    """Why an approval counts no second time, and how many there are. Of an option: that another may be chosen."""
    count = sum(each.option == option for each in counted)
    so_far = {"count": str(count), "quorum": str(request.quorum)}
    same = code == "voted" and option
    words = text("replies.voted_option", option=_label(request, option), **so_far) if same else None
    return Reply(kind="refused", code=code, to=to, private=True, text=words, values={**values, **so_far})


def _label(request: Request, option: str) -> Text:
    return next((each.label for each in request.options if each.id == option), both(option))


def acting_for(request: Request) -> str:
    """The name of the person in whose place the last vote came; empty where it was their own."""
    last = request.votes[-1] if request.votes else None
    return last.of_name if last else ""

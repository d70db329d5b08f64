"""One visit to a `choose` step: what is offered, what was picked, and where its result leads."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from graph.context import Context
from graph.errors import ApprovalBroken, IncomparableFacts, MissingFact, ToolRefused, ToolUnavailable
from graph.masking import masked_fact
from graph.model import Fact, Goto, JsonValue, Move, Request, Stay, Text, Timer, TrailEntry
from graph.phrases import both, catalogue, text
from graph.steps.actions import Action, counted_as
from graph.steps.alarms import PROGRESS, progress, rung
from graph.steps.base import Target, Transition
from graph.steps.book import Book
from graph.steps.choose_spec import ChooseSpec
from graph.steps.commit import unapproved
from graph.steps.holding import hold, park, pause_of
from graph.steps.snapshot import snapshot


@dataclass(frozen=True)
class Visit:
    """What is known, what was noted, and what this visit has said and counted so far. `own` are the actions that apply,
    each with the arguments that are the case's own, `ready` the names of those that are open now, `seen` what was known
    when one of them was taken."""

    spec: ChooseSpec
    facts: Mapping[str, Fact]
    ctx: Context
    book: Book
    own: Mapping[str, Mapping[str, Fact]] = field(default_factory=dict)
    ready: tuple[str, ...] = ()
    seen: Mapping[str, JsonValue] = field(default_factory=dict)
    trail: tuple[TrailEntry, ...] = ()
    calls: int = 0

    def leave(
        self, target: Target | Transition, code: str, why: Text, action: str = "", given: Mapping[str, Fact] | None = None
    ) -> Goto:
        """On to another step, with the reason noted."""
        entry = TrailEntry(step=self.spec.id, what="choose", at=self.ctx.now, reason=code, goto=target.goto)
        told = bool(self.trail) and self.trail[-1].goto == target.goto
        return Goto(
            to=target.goto,
            set={**(given or {}), PROGRESS: progress(self.spec.id, action, code, why, self.ctx.now, "".join(given or ()))},
            drop=list(target.reset),
            trail=[*self.trail, *([] if told else [entry])],
            notes=self.book.kept(),
            model_calls=self.calls,
        )

    def give_up(self, code: str, action: str = "", given: Mapping[str, Fact] | None = None, **values: str) -> Goto:
        """Nothing that is listed fits: a person looks."""
        target = self.spec.on_exhausted.of(code) or next(iter(self.spec.on_exhausted.targets.values()))
        known = f"choose.{code}"
        why = text(known, **values) if known in catalogue() else both(code)
        return self.leave(target, code, why, action, given)

    def stay(self, move: Stay) -> Stay:
        """Wait, keeping what this visit has said and counted."""
        kept = {"trail": [*self.trail, *move.trail], "notes": self.book.kept(), "model_calls": self.calls}
        return move.model_copy(update=kept)

    def says(self, entry: TrailEntry) -> Visit:
        """One more line of the record."""
        return replace(self, trail=(*self.trail, entry))

    def snapshot(self) -> dict[str, JsonValue]:
        """What is known now."""
        return snapshot(self.spec.id, self.facts, self.own, self.ctx.fields, self.book)

    def key(self, action: Action) -> str:
        """Under which the action is counted."""
        return counted_as(self.spec.id, action, self.own.get(action.called, {}))

    def left(self, action: Action) -> bool:
        """Whether its limit allows one more."""
        return action.limit is None or self.book.counts.get(self.key(action), 0) < action.limit

    def free_at(self, action: Action) -> str:
        """When it may be taken again; empty: now."""
        free = self.book.free_at(self.key(action), action.cooldown) if action.cooldown else None
        return free if free and free > self.ctx.now else ""

    def stands(self, action: Action) -> bool:
        """Whether it need not be taken again after a correction: what it gave before is its result."""
        looks = action.tool is not None and not self.ctx.tools[action.tool].write
        over_and_over = action.limit is not None or action.cooldown is not None
        if not looks or (over_and_over and self.left(action) and not self.free_at(action)):
            return False
        return self.ctx.services.stands(self.spec.id, action.tool or "", self.own[action.called])


def alarm(visit: Visit) -> Goto | None:
    """What calls for another step before anything is picked."""
    found = rung(visit.spec.watch, visit.facts, visit.ctx, visit.book)
    return replace(visit, book=found.book).leave(found.way, "watch", found.why) if found else None


def rest(visit: Visit, resting: list[Action]) -> Stay:
    """Wait for the first action that may be taken again."""
    spec, ctx = visit.spec, visit.ctx
    due = min(visit.free_at(each) for each in resting)
    request = ctx.services.next_request(spec.id)
    return visit.stay(
        Stay(
            request=Request(
                id=request, kind="wait", step=spec.id, made_at=ctx.now, timers=[Timer(id=f"{request}/due", due=due)]
            ),
            trail=[TrailEntry(step=spec.id, what="wait", at=ctx.now, values={"until": due})],
        )
    )


async def take(visit: Visit, action: Action) -> Move:
    """Carry an action out; its result decides where it leads, never whoever picked it."""
    visit = replace(visit, seen=visit.snapshot())
    spec, ctx, started = visit.spec, visit.ctx, time.monotonic()
    if action.tool is None or action.save_as is None:
        way = action.on[0]
        visit = visit.says(_entry(visit, action, started, goto=way.goto))
        return visit.leave(way, "requested", way.why or text("choose.requested"), action.called)
    writes, own = ctx.tools[action.tool].write, visit.own[action.called]
    try:
        known = ctx.services.recall(spec.id, action.tool, own) if visit.stands(action) else None
        result = known or await ctx.services.call(write_of(visit, action), action.tool, own)
    except ApprovalBroken as broken:
        return unapproved(spec.id, action.tool, broken, ctx)
    except ToolRefused as error:
        return _failed(visit, action, error.code, started)
    except ToolUnavailable as error:
        if error.code == "in_doubt":
            return visit.stay(park(spec.id, action.tool, ctx))
        pause = pause_of(error)
        if writes or pause is not None:
            return visit.stay(hold(spec.id, action.tool, error.code, ctx, pause=pause))
        return _failed(visit, action, error.code, started)
    book, given = visit.book if known else visit.book.done(visit.key(action), ctx.now), {action.save_as: result}
    visit = replace(visit, book=book.wrote(action.called) if writes else book)
    visit, found = _way(visit, action, {**visit.facts, **given})
    shown = masked_fact(result).plain()
    if found is None:
        visit = visit.says(_entry(visit, action, started, result=shown))
        return visit.give_up("unexpected", action.called, given)
    visit = visit.says(_entry(visit, action, started, result=shown, goto=found.goto))
    return visit.leave(found, "result", found.why or text("choose.went_on"), action.called, given)


def _way(visit: Visit, action: Action, facts: Mapping[str, Fact]) -> tuple[Visit, Transition | None]:
    """Where a result leads. What calls a person `once` is noted, and passed over where a review has answered it."""
    for each in action.on:
        try:
            if each.when is not None and not each.when.holds(facts):
                continue
        except (MissingFact, IncomparableFacts):
            return visit, None
        if not each.once:
            return visit, each
        name = f"{action.called}: {each.when.source if each.when else ''}"
        digest = visit.ctx.services.digest(each.names(), facts)
        if visit.book.answered.get(name) != digest:
            return replace(visit, book=visit.book.alarm(name, digest)), each
    return visit, None


def write_of(visit: Visit, action: Action) -> str:
    """Under which step an action's write is journaled: the same on every retry, another for the next one."""
    return f"{visit.spec.id}.{action.called}.{visit.book.sent.get(action.called, 0)}"


def _failed(visit: Visit, action: Action, code: str, started: float) -> Goto:
    """The tool said no, or nothing usable: where the action says, else to a person."""
    target = action.on_error.of(code) if action.on_error else None
    visit = visit.says(_entry(visit, action, started, reason=code))
    known = f"choose.{code}"
    why = text(known) if known in catalogue() else both(code)
    return visit.give_up(code, action.called) if target is None else visit.leave(target, code, why, action.called)


def _entry(
    visit: Visit,
    action: Action,
    started: float,
    *,
    result: JsonValue = None,
    goto: str | None = None,
    reason: str = "",
) -> TrailEntry:
    values: dict[str, JsonValue] = {
        "offered": list(visit.ready or visit.own),
        "chosen": action.called,
        "arguments": {name: masked_fact(fact).plain() for name, fact in visit.own.get(action.called, {}).items()},
        "seconds": f"{time.monotonic() - started:.2f}",
    }
    if result is not None:
        values["result"] = result
    return TrailEntry(
        step=visit.spec.id,
        what="choose",
        at=visit.ctx.now,
        tool=action.tool,
        reason=reason,
        goto=goto,
        values=values,
        context=dict(visit.seen),
    )

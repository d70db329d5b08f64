"""`choose`: one of the listed actions is picked, by a model where there is one; the engine decides where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from graph.context import Context
from graph.model import Event, Fact, Goto, Move, Reply, Request, Stay, TrailEntry
from graph.phrases import text
from graph.steps.actions import offered
from graph.steps.asking import answer_entry, answer_shown, closed, hear
from graph.steps.base import StepKind
from graph.steps.book import Book
from graph.steps.choose_spec import ChooseSpec
from graph.steps.choosing import Visit, alarm, rest, take, write_of
from graph.steps.holding import still_held
from graph.steps.picking import pick
from graph.steps.waiting import kept_on, still_waiting, way_of

__all__ = ["Choose", "ChooseSpec"]


class Choose(StepKind[ChooseSpec]):
    """The kind `choose`."""

    name = "choose"
    spec = ChooseSpec
    pauses = True

    async def run(self, spec: ChooseSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Pick an action and take it; wait where all that is left was taken a moment ago."""
        return await self._visit(spec, facts, ctx, rested=False)

    async def _visit(self, spec: ChooseSpec, facts: Mapping[str, Fact], ctx: Context, *, rested: bool) -> Move:
        own = offered(spec.actions, facts, ctx.tools)
        visit = Visit(spec, facts, ctx, Book.open(ctx), own)
        called = alarm(visit)
        if called is not None:
            return called
        if visit.book.actions >= spec.bound:
            return visit.give_up("bound", count=str(spec.bound))
        left = [each for each in spec.actions if each.called in own and (visit.left(each) or visit.stands(each))]
        resting = [] if rested else [each for each in left if visit.free_at(each) and not visit.stands(each)]
        ready = [each for each in left if each not in resting]
        if not any(each.tool for each in ready):
            if resting:
                return rest(visit, resting)
            spent = next((each for each in spec.actions if each.called in own and each.tool), None)
            if spent is None:
                return visit.give_up("missing")
            return visit.give_up("exhausted", spent.called, count=str(spent.limit))
        picked = await pick(replace(visit, ready=tuple(each.called for each in ready)), ready)
        return picked if isinstance(picked, Goto) else await take(*picked)

    async def answered(
        self, spec: ChooseSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """A rest is over, or the back office is tried again: with the same action, for its write may have begun. Words
        are listened to meanwhile."""
        if event.kind == "message":
            return await self._heard(spec, facts, request, event, ctx)
        if request.kind == "wait":
            move = await self._visit(spec, facts, ctx, rested=True)
            return move.model_copy(update={"closed": closed(request, event, ctx, "resumed")})
        action = next(each for each in spec.actions if each.tool == request.tool)
        own = offered((action.model_copy(update={"when": None}),), facts, ctx.tools)
        visit = Visit(spec, facts, ctx, Book.open(ctx), own)
        if request.kind == "park":
            done = event.values.get("outcome") == "paid"
            await ctx.services.settle(write_of(visit, action), done=done)
            entry = TrailEntry(
                step=spec.id, what="settle", at=ctx.now, by=ctx.actor.id, tool=action.tool, reason=event.reason
            )
            book = visit.book.wrote(action.called) if done else visit.book
            settled = replace(visit, book=book, trail=(entry,)).give_up("settled", action.called)
            return settled.model_copy(update={"closed": closed(request, event, ctx, "resumed", reason=event.reason)})
        move = await take(visit, action)
        if isinstance(move, Stay) and move.request.kind == "hold" and event.kind == "timer":
            return still_held(request, move.request, ctx)
        entry = TrailEntry(step=spec.id, what="retry", at=ctx.now, by=ctx.actor.id)
        ending = closed(request, event, ctx, "resumed")
        return move.model_copy(update={"trail": [entry, *move.trail], "closed": ending})

    async def _heard(
        self, spec: ChooseSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """What was said is kept, and may ring an alarm; else the same request goes on, with the clock that it had."""
        taken = await hear(request, event, ctx, spec.on_message.fields if spec.on_message else (), spec.listen)
        if not taken.facts:
            return kept_on(request, event, ctx, taken)
        told, said = {**facts, **taken.facts}, (answer_entry(spec.id, taken, ctx),)
        visit = Visit(spec, told, ctx, Book.open(ctx), trail=said, calls=taken.model_calls)
        way = way_of(spec.on_message, told)
        called = alarm(visit) or (visit.leave(way, "told", way.why or text("choose.went_on")) if way else None)
        if called is None:
            return kept_on(request, event, ctx, taken)
        ending = closed(request, event, ctx, "answered", answer=answer_shown(taken.facts, ctx.fields, ctx))
        return called.model_copy(update={"set": {**taken.facts, **called.set}, "closed": ending})

    def listens(self, spec: ChooseSpec, request: Request, ctx: Context) -> bool:
        """While it rests, and while a read is held; a write that has begun is finished first (law 4)."""
        tool = ctx.tools.get(request.tool or "")
        reads = request.kind == "hold" and tool is not None and not tool.write
        return bool(spec.listen or spec.on_message) and (request.kind == "wait" or reads)

    def refusal(
        self, spec: ChooseSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Reply | None:
        """Words do not hurry a rest; where none are listened for, they change nothing."""
        if event.kind == "message" and self.listens(spec, request, ctx):
            return None
        return still_waiting(request, event) if event.kind in ("message", "answer") else None

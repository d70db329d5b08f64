"""`choose`: one of the listed actions is picked, by a model where there is one; the engine decides where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from graph.context import Context
from graph.model import Event, Fact, Goto, Move, Reply, Request, Stay, TrailEntry
from graph.steps.actions import offered
from graph.steps.asking import closed
from graph.steps.base import StepKind
from graph.steps.book import Book
from graph.steps.choosing import ChooseSpec, Visit, alarm, rest, take, write_of
from graph.steps.holding import still_held
from graph.steps.picking import pick
from graph.steps.waiting import still_waiting

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
        left = [each for each in spec.actions if each.called in own and visit.left(each)]
        resting = [] if rested else [each for each in left if visit.free_at(each)]
        ready = [each for each in left if each not in resting]
        if not any(each.tool for each in ready):
            if resting:
                return rest(visit, resting)
            spent = next((each for each in spec.actions if each.called in own and each.tool), None)
            if spent is None:
                return visit.give_up("missing")
            return visit.give_up("exhausted", spent.called, count=str(spent.limit))
        picked = await pick(visit, ready)
        return picked if isinstance(picked, Goto) else await take(*picked)

    async def answered(
        self, spec: ChooseSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """A rest is over, or the back office is tried again: with the same action, for its write may have begun."""
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

    def refusal(
        self, spec: ChooseSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Reply | None:
        """Words do not hurry a rest."""
        return still_waiting(request, event) if event.kind in ("message", "answer") else None

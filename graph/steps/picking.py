"""Which action is taken next: a model's pick, judged at the door, or the file's order."""

from __future__ import annotations

from dataclasses import replace

from graph.context import Pick, Situation
from graph.masking import masked_fact
from graph.model import Goto, JsonValue, TrailEntry
from graph.steps.actions import Action, against
from graph.steps.choosing import Visit

_PICKS = 3  # how often a model may pick what is not offered before a person is called


async def pick(visit: Visit, ready: list[Action]) -> tuple[Visit, Action] | Goto:
    """The model's pick, judged at the door; without a model, the first of the file's order. Three wrong picks: a person."""
    spec, ctx = visit.spec, visit.ctx
    open_ = {each.called: visit.own[each.called] for each in ready}
    read = {name: masked_fact(visit.facts[name]).plain() for name in spec.reads() if name in visit.facts}
    known = read | visit.snapshot()
    told: list[str] = []
    for number in range(_PICKS):
        situation = Situation(
            place=f"{spec.id}/{visit.book.actions}/{number}",
            state=spec.id,
            offered={name: {key: fact.plain() for key, fact in own.items()} for name, own in open_.items()},
            known=known,
            refused=tuple(told),
        )
        picked = await ctx.services.pick(situation)
        if picked is None:
            return visit, next(each for each in ready if each.tool)
        visit = replace(visit, calls=visit.calls + picked.calls)
        wrong = against(picked, open_, ctx.tools)
        if wrong is None:
            return visit, next(each for each in ready if each.called == picked.action)
        told.append(f"{picked.action}: {wrong}")
        visit = visit.says(_refused(visit, picked, wrong, list(open_)))
    return visit.give_up("invalid", count=str(_PICKS))


def _refused(visit: Visit, picked: Pick, wrong: str, open_: list[str]) -> TrailEntry:
    """A pick that the door refused: kept as it was, for whoever asks what the model did."""
    values: dict[str, JsonValue] = {"offered": list(open_), "chosen": picked.action[:80], "refused": True}
    return TrailEntry(
        step=visit.spec.id, what="choose", at=visit.ctx.now, reason=wrong, values=values, context=visit.snapshot()
    )

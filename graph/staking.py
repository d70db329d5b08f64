"""What an approval puts at stake is for one payment: which that is, and what becomes of the stake once a turn is stored."""

from __future__ import annotations

from collections.abc import Mapping

from graph.engine import Engine
from graph.model import StakeEnd
from graph.paying import paid_by, payment_in
from graph.sop import Sop
from graph.state import RunState
from graph.steps import AnySpec, ChooseSpec
from graph.tools.spec import ToolSpec

Tools = Mapping[str, ToolSpec]


def payment_ahead(run: RunState, sop: Sop, step: str, tools: Tools) -> str:
    """The payment that `step` approves, by name: another one each time that it is made again. '' where nothing pays."""
    spec = payment_in(sop.from_(step), tools)
    if spec is None:
        return ""
    made = len(_written(run, spec, tools)) if isinstance(spec, ChooseSpec) else 0
    return _named(spec, run.repeats.get(spec.id, 0) + made)


def stake_ends(run: RunState, engine: Engine) -> list[StakeEnd]:
    """What becomes of stakes once a turn is stored: one that was paid is kept as paid, one whose approval has fallen is
    given back."""
    if engine.stakes is None or run.sop is None:
        return []
    sop, tools = engine.sop_of(run), engine.library.words.tools
    ends = [StakeEnd(left) for left in run.left]
    for reserved in run.reserved.values():
        stake = reserved.stake
        spec = payment_in(sop.from_(stake.step), tools)
        if spec is not None and (stake.pays or spec.id) in _paid(run, spec, tools):
            paid = stake.model_copy(update={"paid": True, "receipt": _receipt(run, spec, tools), "at": run.updated_at})
            ends.append(StakeEnd(reserved, paid))
        elif run.over or not _stands(run, sop, stake.step):
            ends.append(StakeEnd(reserved))
    return ends


def _paid(run: RunState, spec: AnySpec, tools: Tools) -> set[str]:
    """The payments of a step that are made, by name."""
    times = run.repeats.get(spec.id, 0) + len(_written(run, spec, tools))
    return {_named(spec, made) for made in range(times)}


def _written(run: RunState, spec: AnySpec, tools: Tools) -> list[str]:
    """The finished writes by which a step pays: its own stands under its id, those of its actions under `step.action.…`."""
    paying = {spec.id, *(f"{spec.id}.{tool}" for tool in paid_by(spec, tools))}
    return [each for each in run.written if ".".join(each.split(".")[:2]) in paying]


def _named(spec: AnySpec, made: int) -> str:
    return f"{spec.id}#{made}" if made else spec.id


def _receipt(run: RunState, spec: AnySpec, tools: Tools) -> str:
    for tool, save_as in paid_by(spec, tools).items():
        result, receipt = run.facts.get(save_as), tools[tool].receipt
        if result is not None and receipt is not None:
            return receipt(result)
    return ""


def _stands(run: RunState, sop: Sop, step: str) -> bool:
    """Whether the approval has not fallen: its stake waits to be paid."""
    return step in run.grants or run.cursor is None or run.cursor in {each.id for each in sop.from_(step)[1:]}

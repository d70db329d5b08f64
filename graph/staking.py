"""What an approval puts at stake is for the next payment of its case: whichever step that turns out to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from graph.model import Fact, Reserved, StakeEnd
from graph.sop import Sop
from graph.state import RunState
from graph.steps import ApproveSpec, CallSpec, ChooseSpec
from graph.tools.spec import ToolSpec

_AMOUNT: Final = "amount"


def next_payment(run: RunState, sop: Sop, step: str) -> str:
    """The name of the payment that `step` approves: the amount that it decides on, and how many were made before."""
    spec = sop.step(step)
    return _named(spec.amount if isinstance(spec, ApproveSpec) else _AMOUNT, run.payments)


def note_payment(
    run: RunState,
    sop: Sop,
    tool: ToolSpec,
    arguments: Mapping[str, Fact],
    result: Fact | None,
    tools: Mapping[str, ToolSpec],
) -> None:
    """A write has happened: where it is a payment, the stakes that were put there for it are paid. Of each subject that is
    one, that of the same amount if there is one, else the last; a further payment under the same approval counts anew.
    `result` is not known where a person found out that the write had happened."""
    moves = tool.routes is not None
    if not moves and any(tools[name].routes is not None for name in _called(sop)):
        return
    made, run.payments = run.payments, run.payments + 1
    amounts = {str(fact.value) for fact in arguments.values() if fact.type == "money"}
    receipt = tool.receipt(result) if tool.receipt is not None and result is not None else ""
    news = {"paid": True, "receipt": receipt, "at": run.updated_at}
    for by in dict.fromkeys(each.by for each in run.reserved.values()):
        held = [each for each in reversed(run.reserved.values()) if each.by == by]
        waiting = [each for each in held if not each.stake.paid]
        alike = [each for each in waiting if each.stake.amount in amounts]
        if not waiting and not moves:
            continue
        paid, anew = (alike or waiting or held)[0], {} if waiting else {"pays": _named(_AMOUNT, made)}
        hold(run, paid.model_copy(update={"stake": paid.stake.model_copy(update=news | anew)}))


def hold(run: RunState, reserved: Reserved) -> None:
    """The run holds this, in the place of what it held for the same payment."""
    key = f"{reserved.by}/{reserved.stake.name}"
    others = {name: each for name, each in run.reserved.items() if f"{each.by}/{each.stake.name}" != key}
    run.reserved = {**others, key: reserved}


def stake_ends(run: RunState, sop: Sop) -> list[StakeEnd]:
    """What becomes of stakes once a turn is stored: one that was paid is kept as paid, one whose approval has fallen is
    given back."""
    ends = [StakeEnd(left) for left in run.left]
    for reserved in run.reserved.values():
        if reserved.stake.paid:
            ends.append(StakeEnd(reserved, reserved.stake))
        elif run.over or not _stands(run, sop, reserved.stake.step):
            ends.append(StakeEnd(reserved))
    return ends


def tool_at(sop: Sop, place: str) -> str:
    """The tool that writes at a place: a step's own, or that of an action, whose place is `step.action.…`."""
    step, *action = place.split(".")
    spec = sop.step(step)
    return spec.tool if isinstance(spec, CallSpec) else action[0]


def _named(amount: str, made: int) -> str:
    return f"{amount}#{made}" if made else amount


def _called(sop: Sop) -> Iterator[str]:
    for spec in sop.steps:
        if isinstance(spec, CallSpec):
            yield spec.tool
        elif isinstance(spec, ChooseSpec):
            yield from (each.tool for each in spec.actions if each.tool)


def _stands(run: RunState, sop: Sop, step: str) -> bool:
    """Whether the approval has not fallen: its stake waits to be paid."""
    return step in run.grants or run.cursor is None or run.cursor in {each.id for each in sop.from_(step)[1:]}

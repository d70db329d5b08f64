"""What an approval puts at stake is for the next payment of its case: whichever step that turns out to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from graph.corrections import inputs_digest
from graph.model import Fact, Goto, Move, Reserved, StakeEnd
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
        held = [each for each in held if each.stake.paid or _stands(run, sop, each.stake.step)]
        waiting = [each for each in held if not each.stake.paid]
        alike = [each for each in waiting if each.stake.amount in amounts]
        if not held or (not waiting and not moves):
            continue
        paid = (alike or waiting or held)[0]
        stake = paid.stake.model_copy(update=news)
        if not waiting:
            stake = stake.model_copy(update={"pays": _named(_AMOUNT, made)}).named()
        let_go(run, [each for each in held if each.stake.payment == stake.payment])
        hold(run, paid.model_copy(update={"stake": stake}))


def hold(run: RunState, reserved: Reserved) -> None:
    """The run holds this."""
    place = _place(reserved)
    run.left = [each for each in run.left if _place(each) != place]
    run.reserved = {**run.reserved, "/".join((reserved.by, reserved.value, reserved.stake.name)): reserved}


def let_go(run: RunState, gone: Sequence[Reserved]) -> None:
    """The run does not hold these any more: they are given back once its turn is stored."""
    run.reserved = {name: each for name, each in run.reserved.items() if each not in gone}
    run.left = [*run.left, *gone]


def note_way(run: RunState, sop: Sop, here: str, move: Move) -> None:
    """An approval whose own decision leads back stands until its step asks anew, though the steps that it lets happen come
    before it."""
    spec = sop.step(here)
    if not isinstance(spec, ApproveSpec):
        return
    others = [each for each in run.led_back if each != here]
    # An approval of another amount has closed its request before it came to its step.
    approved = isinstance(move, Goto) and move.again and (move.closed is None or move.closed.ending == "approved")
    back = approved and isinstance(move, Goto) and move.to not in _beyond(sop, here)
    run.led_back = [*others, here] if back else others


def let_fall(run: RunState, sop: Sop) -> None:
    """At the end of a turn: an approval that does not stand any more has nothing at stake, so that it is asked anew before
    anything is paid on it, be all as it was."""
    if run.over:
        return
    fallen = [each for each in run.reserved.values() if not each.stake.paid and not _stands(run, sop, each.stake.step)]
    steps = {each.stake.step for each in fallen}
    let_go(run, fallen)
    if steps:
        run.done = {step: digest for step, digest in run.done.items() if step not in steps}
        run.grants = {step: grant for step, grant in run.grants.items() if step not in steps}


def stake_ends(run: RunState) -> list[StakeEnd]:
    """What becomes of stakes once a turn is stored: one that was paid is kept as paid, one whose approval has fallen is
    given back, and at the end whatever was not paid."""
    ends = [StakeEnd(left) for left in run.left]
    for reserved in run.reserved.values():
        if reserved.stake.paid:
            ends.append(StakeEnd(reserved, reserved.stake))
        elif run.over:
            ends.append(StakeEnd(reserved))
    return ends


def arguments_at(sop: Sop, place: str, facts: Mapping[str, Fact], tools: Mapping[str, ToolSpec]) -> dict[str, Fact]:
    """What is known of the arguments of a write at a place, as of now."""
    step, *action = place.split(".")
    spec = sop.step(step)
    if isinstance(spec, CallSpec):
        return spec.known_arguments(facts)
    actions = spec.actions if isinstance(spec, ChooseSpec) else ()
    return next((each.own(facts, tools.get(each.called)) or {} for each in actions if each.called == action[0]), {})


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
    """Whether the approval has not fallen: its stake waits to be paid. One that does not apply any more lets nothing
    happen; one that is as it was carried out is not asked again; one that leads back to what it lets happen has its steps
    before it."""
    if next((entry.what for entry in reversed(run.trail) if entry.step == step), "") == "skip":
        return False
    if step in run.grants or step in run.led_back or run.cursor in _beyond(sop, step):
        return True
    return run.done.get(step) == inputs_digest(run, sop, step)


def _beyond(sop: Sop, step: str) -> set[str]:
    return {each.id for each in sop.from_(step)[1:]}


def _place(reserved: Reserved) -> tuple[str, str, str]:
    return reserved.by, reserved.value, reserved.stake.name

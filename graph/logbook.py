"""A turn's lines of the audit log, as the run keeps them until they are stored: decisions, executions, moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from graph.masking import masked_fact
from graph.model import Event, Fact, JsonValue, LogKind, LogLine, Move, Request, TrailEntry
from graph.phrases import fact_money, without_numbers
from graph.state import RunState

_EXECUTIONS: Final = ("call", "error")
"""Trail entries that say again what the line of the execution says."""
_OF_THE_STATE: Final = ("ask", "skip", "known", "kept", "hold", "stop", "remind")


def place_of(run: RunState) -> str:
    """Where a run stands: its status, and the step."""
    return run.status if run.over or run.cursor is None else f"{run.status} {run.cursor}"


def note_move(run: RunState, move: Move, before: str, at: str) -> None:
    """The lines of a move that the run has made: what was decided in it, and from where to where it led."""
    for entry in move.trail:
        if entry.what not in _EXECUTIONS:
            _add(run, "state" if entry.what in _OF_THE_STATE else "decision", entry.what, entry.at, **_of(run, entry, move))
    after = place_of(run)
    if after != before:
        last = move.trail[-1] if move.trail else None
        basis = {"by": last.by, "rule": last.rule or last.what, "step": last.step} if last else {}
        _add(run, "state", "moved", at, before=before, after=after, **basis)


def note_plan(run: RunState, at: str) -> None:
    """The first line: by whom the case was opened, and for which procedure."""
    for entry in run.trail:
        _add(run, "decision", entry.what, at, by=entry.by, name=run.names.get(entry.by, ""), values=_safe_of(entry.values))


def note_call(
    run: RunState,
    at: str,
    step: str,
    tool: str,
    outcome: str,
    *,
    effect: str = "",
    digest: str = "",
    code: str = "",
    attempts: int = 0,
    milliseconds: int = 0,
    arguments: Mapping[str, Fact] | None = None,
    result: Fact | None = None,
) -> None:
    """The line of a call, with its arguments and its result masked."""
    values: dict[str, JsonValue] = {}
    if arguments is not None:
        values["arguments"] = _safe({name: masked_fact(fact).plain() for name, fact in arguments.items()})
    if result is not None:
        values["result"] = _safe(masked_fact(result).plain())
    _add(
        run,
        "execution",
        "call",
        at,
        step=step,
        tool=tool,
        outcome=outcome,
        effect=effect,
        digest=digest,
        code=code,
        attempts=attempts,
        milliseconds=milliseconds,
        values=values,
    )


def refused_line(run: RunState, event: Event, code: str) -> LogLine:
    """The line of something that did not count, and why. The run is not changed by it."""
    card = event.request or ""
    request = _request(run, card)
    return LogLine(
        id=f"{event.id}/refused",
        log="decision",
        what="refused",
        at=event.at.isoformat(),
        request_id=event.id,
        trace_id=run.run,
        version=run.sop.digest if run.sop else "",
        step=request.step if request else "",
        by=event.actor.id,
        name=without_numbers(event.actor.name),
        card=card[:300],
        level=(request.level or "") if request else "",
        digest=(request.digest or "") if request else "",
        verdict=event.verdict or event.kind,
        refused=code,
        reason=without_numbers(event.reason),
    )


def _of(run: RunState, entry: TrailEntry, move: Move) -> dict[str, object]:
    """What a trail entry tells, and the request that it closed or made."""
    closed = move.closed
    card = closed.request if closed is not None and entry.what != "ask" else run.request
    card = card if card is not None and card.step == entry.step else None
    names: dict[str, JsonValue] = {"fields": list[JsonValue](entry.fields)} if entry.fields else {}
    going: dict[str, JsonValue] = {"goto": entry.goto} if entry.goto else {}
    return {
        "step": entry.step,
        "by": entry.by,
        "name": run.names.get(entry.by, ""),
        "acting_for": entry.acting_for or (closed.acting_for if closed is not None and entry.by == closed.by else ""),
        "card": card.id if card else "",
        "level": entry.level or "",
        "digest": (card.digest or "") if card else "",
        "amount": fact_money(card.amount) if card is not None and card.amount is not None else "",
        "rule": entry.rule or "",
        "reason": without_numbers(entry.reason),
        "tool": entry.tool or "",
        "values": _safe_of(entry.values) | names | going | ({"context": _safe(entry.context)} if entry.context else {}),
    }


def _request(run: RunState, card: str) -> Request | None:
    known = [run.request, *(each.request for each in run.closed)]
    return next((each for each in known if each is not None and each.id == card), None)


def _add(run: RunState, log: LogKind, what: str, at: str, **given: object) -> None:
    """A turn that broke off is carried on under the event that it began with."""
    event = run.applied[-1] if run.applied else ""
    line = {
        "id": f"{event}/{len(run.log)}",
        "log": log,
        "what": what,
        "at": at,
        "request_id": event,
        "trace_id": run.run,
        "version": run.sop.digest if run.sop else "",
    }
    run.log = [*run.log, LogLine.model_validate(line | given)]


def _safe_of(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: _safe(value) for name, value in values.items()}


def _safe(value: JsonValue) -> JsonValue:
    """A value in whose words no number is as long as an account's."""
    if isinstance(value, str):
        return without_numbers(value)
    if isinstance(value, dict):
        return {name: _safe(inner) for name, inner in value.items()}
    return [_safe(inner) for inner in value] if isinstance(value, list) else value

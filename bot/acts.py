"""Presses and submitted forms -> events. Pure."""

from __future__ import annotations

from datetime import datetime

from pydantic import TypeAdapter, ValidationError

from blocks import Press, reason_of
from graph.model import ANOTHER_AMOUNT, Actor, Event, EventKind, Verdict

DECISIONS = ("reject", "option", "another_amount", "ask_requester")
"""The forms of whoever decides."""
FORMS = ("form", "correct", "cancel", "hand_over", "paid", "unpaid", *DECISIONS)
"""What opens a form when pressed."""
SHOWN = ("facts", "trail", "trail_page", "audit", "open", "turns")
"""What is answered at once, and privately."""
_PRESSED: dict[str, EventKind] = {
    "answer": "answer",
    "both": "answer",
    "confirm": "answer",
    "approve": "decision",
    "retry": "retry",
    "queue": "queue",
    "apart": "apart",
    "practise": "practise",
    "amend": "correct",
    "begin": "begin",
}
_SENT: dict[str, EventKind] = {
    "form": "answer",
    "correct": "correct",
    "cancel": "cancel",
    "hand_over": "hand_over",
    "reject": "decision",
    "another_amount": "decision",
    "ask_requester": "inquire",
    "option": "decision",
    "paid": "settle",
    "unpaid": "settle",
}
_AMENDED = TypeAdapter(dict[str, tuple[str, str]])
_VERDICTS: dict[str, Verdict] = {"reject": "reject", "another_amount": "approve"}


def pressed(press: Press, event_id: str, actor: Actor, now: datetime) -> Event | None:
    """The event of a button that acts by itself; None for one that shows something or opens a form."""
    kind = _PRESSED.get(press.do)
    if kind is None:
        return None
    first, *also = (press.value.split() or [""]) if press.do == "both" else [press.value]
    chosen, _, words = press.value.partition(" ")
    amended = _amended(press.value) if press.do == "amend" else {}
    values = {
        "amend": {name: value for name, (value, _) in amended.items()},
        "confirm": {"confirm": "yes"},
        "answer": {press.field: first},
        "both": {press.field: first},
        "practise": {"scenario": press.value},
        "queue": {"of": press.request, "by": press.field},
        "apart": {"of": press.request, "by": press.field},
        "begin": {"of": press.request, "by": press.field, "sop": chosen},
    }.get(press.do, {})
    asks = kind in ("queue", "apart", "begin")
    return Event(
        id=event_id,
        thread=press.thread,
        kind=kind,
        actor=actor,
        at=now,
        request=None if asks else press.request or None,
        text=words if kind == "begin" else press.value if asks else "",
        values=values,
        quotes={name: quote for name, (_, quote) in amended.items()},
        also=tuple(also),
        verdict="approve" if press.do == "approve" else None,
        case="" if asks or kind == "practise" else press.case,
    )


def _amended(packed: str) -> dict[str, tuple[str, str]]:
    """The new values that an offered correction carries, each with its words; nothing of what is not one of ours."""
    try:
        return _AMENDED.validate_json(packed)
    except ValidationError:
        return {}


def sent(
    press: Press, event_id: str, actor: Actor, now: datetime, values: dict[str, str], to: Actor | None = None
) -> Event | None:
    """The event of a submitted form; None for a form that is not one of a case. `to` is who takes a case over."""
    kind = _SENT.get(press.do)
    if kind is None:
        return None
    reason = values.get("reason", "")
    reasons = {"reject": reason_of(values), "hand_over": values.get("note", "")}
    reasons |= dict.fromkeys(("option", "another_amount", "cancel"), reason)
    words = values.get("question", "").strip() if kind == "inquire" else ""
    if kind == "settle":
        reasons, values = {press.do: values.get("remark", "")}, {"outcome": press.do}
    return Event(
        id=event_id,
        thread=press.thread,
        kind=kind,
        actor=actor,
        at=now,
        request=press.request or None,
        text=words,
        values=_values(press, kind, values),
        verdict=_verdict(press),
        reason=reasons.get(press.do, "").strip(),
        to=to,
        case=press.case,
    )


def _values(press: Press, kind: EventKind, values: dict[str, str]) -> dict[str, str]:
    if press.do == "another_amount":
        return {"amount": values.get("amount", "").strip()}
    if press.do == "option":
        return {"option": press.value}
    return values if kind in ("answer", "correct", "settle") else {}


def judged_as(press: Press) -> Verdict:
    """As what a decision's form is judged: whoever has approved may still reject and ask, but not approve again."""
    return _verdict(press) or "reject"


def choice_of(press: Press) -> str | None:
    """For what a form decides beside yes and no: an option's id, ANOTHER_AMOUNT; None for none of these."""
    return {"option": press.value, "another_amount": ANOTHER_AMOUNT}.get(press.do)


def _verdict(press: Press) -> Verdict | None:
    if press.do == "option":
        return "approve" if press.field == "approve" else "reject"
    return _VERDICTS.get(press.do)


def refused_at_once(press: Press, event_id: str, actor: Actor, now: datetime) -> Event:
    """The decision of somebody who may not decide: the engine refuses it, says so and records it. It lacks its reason, and
    its amount, so that it never counts, whatever has changed meanwhile."""
    named = {"option": {"option": press.value}, "another_amount": {"amount": "-"}}.get(press.do)
    return Event(
        id=event_id,
        thread=press.thread,
        kind="decision",
        actor=actor,
        at=now,
        request=press.request or None,
        values=named or {},
        verdict=judged_as(press),
        case=press.case,
    )


def refused_form(press: Press, event_id: str, actor: Actor, now: datetime, reason: str = "") -> Event:
    """A form that somebody may not open or send, as the audit log is told of it."""
    return Event(
        id=event_id,
        thread=press.thread,
        kind=_SENT.get(press.do, "decision"),
        actor=actor,
        at=now,
        request=press.request or None,
        verdict=_VERDICTS.get(press.do),
        reason=reason,
        case=press.case,
    )

"""A dialogue out of a real case: what was said, decided and done, without what must not leave the desk. Pure.

Sensitive values, long numbers and the names of people are replaced by others of the same shape. The order is set to what
the case found, so that the local back office answers as the real one did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from graph.dialogues.play import CannotPlay
from graph.fields import FieldSpec
from graph.model import JsonValue, RunView, TrailEntry

_LONG_NUMBER: Final = re.compile(r"\d(?:[ \-]?\d){7,}")
_SHIFT: Final = str.maketrans("0123456789", "1234567890")
_TICKS: Final = ("remind", "pass_on", "expire")
_DECISIONS: Final = ("approve", "reject", "vote")
_LOST: Final = {
    "hold": "the back office failed",
    "settle": "a lead had to find out",
    "raised": "an approval no longer covered its tier",
    "unbound": "facts changed after the approval",
    "inquire": "an approver asked back",
}
_SAID: Final = {
    "yes": ("是", "yes"),
    "no": ("不对", "no"),
    "cancel": ("取消", "cancel"),
    "customer": ("客人", "the customer"),
}
_ORDER: Final = ("payment_status", "fraud_status")
Turn = dict[str, JsonValue]


class CannotRecord(CannotPlay):
    """The case went a way that a dialogue cannot go."""


@dataclass(frozen=True)
class Recorded:
    """A case to be recorded: as it is shown, the words that it began with, its facts whole, the fields of its procedure."""

    view: RunView
    words: str
    facts: Mapping[str, JsonValue]
    fields: Mapping[str, FieldSpec]

    def yaml(self) -> str:
        """The file. CannotRecord where the case was held up by something that cannot be played again."""
        lines = [f"recorded_{self.view.case.lower().replace('-', '_')}:"]
        for turn in self.turns():
            for number, (key, value) in enumerate(turn.items()):
                lines.append(f"  {'  ' if number else '- '}{key}: {json.dumps(value, ensure_ascii=False)}")
        return "\n".join(lines) + "\n"

    def turns(self) -> list[Turn]:
        """Turn by turn: what was done, and what came of it."""
        found: list[tuple[Turn, list[TrailEntry]]] = [(self._opening(), [])]
        for entry in self.view.trail:
            if entry.what in _LOST:
                raise CannotRecord(f"case {self.view.case} cannot be recorded: at {entry.step}, {_LOST[entry.what]}")
            turn = self._done(entry)
            if turn is not None:
                found.append((turn, []))
            found[-1][1].append(entry)
        turns = [turn | self._came(entries, found[: number + 1]) for number, (turn, entries) in enumerate(found)]
        turns[-1] |= self._end()
        return turns

    def _opening(self) -> Turn:
        turn: Turn = {"say": self._safe(self.words), "sop": self.view.sop}
        order = self.facts.get("order")
        if isinstance(order, dict) and isinstance(number := order.get("order_id"), str):
            state: dict[str, JsonValue] = {key: order[key] for key in _ORDER if isinstance(order.get(key), str)}
            for key, value in (("amount", order.get("amount")), ("gateway", self.facts.get("gateway_balance"))):
                if isinstance(value, str):
                    state[key] = value
            turn["switch"] = {f"orders/{number}": state}
        return turn

    def _done(self, entry: TrailEntry) -> Turn | None:
        """What a person or a clock did in this line of the record; None where it only follows from what was done."""
        match entry.what:
            case "answer":
                return {"say": self._told(entry)}
            case "correct":
                return {"say": self._corrected(entry)}
            case "confirm":
                return {"say": self._said("no" if entry.goto else "yes")}
            case "cancel":
                return {"say": self._said("cancel")}
            case what if what in _DECISIONS:
                verdict = "reject" if what == "reject" else "approve"
                words = entry.values.get("remark") if what == "vote" else entry.reason
                given: dict[str, JsonValue] = {"reason": self._safe(str(words or "")), "option": entry.values.get("option")}
                kept: Turn = {key: value for key, value in given.items() if value}
                return {"decide": verdict, "by": entry.level or ""} | kept
            case what if what in _TICKS or (what == "wait" and "until" not in entry.values and not entry.by):
                return {"tick": True}
            case "wait" if entry.by:
                return {"say": self._safe(entry.reason) or self._said("yes")}
            case _:
                return None

    def _told(self, entry: TrailEntry) -> str:
        secret = [name for name in entry.fields if name in self.fields and self.fields[name].sensitive]
        if secret:
            return "，".join(self._safe(str(self.facts.get(name, ""))) for name in secret)
        return self._safe(entry.reason or " ".join(str(value) for value in entry.values.values()))

    def _corrected(self, entry: TrailEntry) -> str:
        [name, *_] = entry.fields or list(entry.values)
        label = self.fields[name].label.in_(self.view.lang)
        value = self._safe(str(entry.values.get(name, "")))
        return f"{label}改成 {value}" if self.view.lang == "zh" else f"change the {label} to {value}"

    def _came(self, entries: Sequence[TrailEntry], so_far: Sequence[tuple[Turn, Sequence[TrailEntry]]]) -> Turn:
        calls: list[JsonValue] = [each.tool for each in entries if each.tool and each.what in ("call", "error", "choose")]
        skipped: list[JsonValue] = [each.step for each in entries if each.what == "skip"]
        came: Turn = {"calls": calls}
        if skipped:
            came["skipped"] = skipped
        paid = [route for _, each in so_far for entry in each for route in entry.routes]
        if paid:
            came["payout"] = {route.kind: route.amount for route in paid}
        return came | self._waits(entries)

    def _waits(self, entries: Sequence[TrailEntry]) -> Turn:
        """What the last question of a turn was, where it was one."""
        asked = next((each for each in reversed(entries) if each.what == "ask"), None)
        made = [each for each in self.view.requests if asked and (each.step.id, each.made_at) == (asked.step, asked.at)]
        if not made:
            return {}
        waits: dict[str, JsonValue] = {"kind": made[-1].kind, "step": made[-1].step.id}
        return {"waits": waits | ({"level": made[-1].level} if made[-1].level else {})}

    def _end(self) -> Turn:
        facts: dict[str, JsonValue] = {
            name: str(self.facts[name])
            for name, spec in self.fields.items()
            if name in self.facts and spec.type not in ("date", "text") and not spec.sensitive
        }
        end: Turn = {"facts": facts} if facts else {}
        if self.view.status in ("done", "stopped", "cancelled"):
            end["outcome"] = self.view.status
        if self.view.status == "stopped" and self.view.stopped is not None:
            end["stopped_by"] = {"step": self.view.stopped.step, "rule": self.view.stopped.rule}
        return end

    def _said(self, what: str) -> str:
        return _SAID[what][0 if self.view.lang == "zh" else 1]

    def _safe(self, words: str) -> str:
        for name in self._people():
            words = words.replace(name, self._said("customer"))
        return _LONG_NUMBER.sub(lambda number: number[0].translate(_SHIFT), words)

    def _people(self) -> Iterator[str]:
        """Names that words may hold, the longest first."""
        view = self.view
        decided = (each.closed.name for each in view.requests if each.closed)
        names = {view.customer, view.opener.name, view.owner.name, *decided}
        yield from sorted((each for each in names if len(each) > 1), key=len, reverse=True)

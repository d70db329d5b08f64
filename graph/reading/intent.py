"""Whether a first message asks for a procedure now, or refuses, reports, defers, undoes or only speaks of it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from graph.reading import wishes
from graph.reading.clauses import HIDDEN, MOST, clauses
from graph.reading.fillers import FAULT, faults, length, substance
from graph.reading.sight import Sight
from graph.reading.spans import MARKER, Span, Taken, left_over
from graph.reading.stance import stance
from graph.reading.talk import asking
from graph.reading.verbs import Verb


@dataclass(frozen=True)
class Intent:
    """Whether a message asks for the procedure beyond doubt, and whether it may be read so: no model goes beyond that."""

    asks: bool
    may: bool


def intent(seen: Sight, families: Collection[str]) -> Intent:
    """What a first message wants of a procedure whose verbs are of these families. In doubt it does not ask."""
    taken = seen.taken()
    text = _masked(seen, taken)
    spans = clauses(text)
    if len(spans) > MOST:
        return Intent(asks=False, may=False)
    spoken = [_Clause(seen, taken, text, span, families) for span in spans]
    if any(clause.vetoes() for clause in spoken):
        return Intent(asks=False, may=False)
    touched = [clause for clause in spoken if clause.touched]
    bare = bool(touched) and all(clause.bare() for clause in touched)
    plain = any(clause.asks() and clause.plain() for clause in spoken)
    return Intent(asks=bare or plain, may=bare or any(clause.asks() for clause in spoken))


def politely(norm: str) -> bool:
    """Whether a question is the polite form of a request: can you give …?, 帮 … 可以吗"""
    return wishes.POLITELY.search(norm.strip(" ?？!。.~")) is not None


def _masked(seen: Sight, taken: Taken) -> str:
    text = list(seen.source.norm)
    for low, high in (*taken.labels, *taken.acts):
        text[low:high] = HIDDEN * (high - low)
    return "".join(text)


class _Clause:
    """A clause with its verbs. `head` ends where a reason begins."""

    def __init__(self, seen: Sight, taken: Taken, text: str, span: Span, families: Collection[str]) -> None:
        self.low, self.high = span
        self.text, self.words, self.seen = text, text[self.low : self.high], seen
        self.foreign = [v for v in seen.verbs if self.low <= v.start < self.high and v.family and v.family not in families]
        happened = [match.span() for match in FAULT.finditer(text, *span)]
        inside = [verb for verb in seen.verbs if self.low <= verb.start < self.high and not _in(verb, happened)]
        self.own = [verb for verb in inside if verb.family in families]
        self.weak = [verb for verb in inside if not verb.family]
        self.touched = HIDDEN in self.words
        self.taken = taken
        self.valued = any(self.low <= low < self.high for low, _ in taken.acts)
        self.end = self._head_end()
        self.head = text[self.low : self.end]

    def _head_end(self) -> int:
        first = min((verb.end for verb in (*self.own, *self.weak)), default=self.low)
        ends = [match.start() for match in MARKER.finditer(self.text, first, self.high) if match.group() != "for"]
        ends += [match.start() for match in wishes.BECAUSE_AT.finditer(self.text, first, self.high)]
        return min((end for end in ends if end > self.low), default=self.high)

    @property
    def acts(self) -> bool:
        """Whether it speaks of the payout: by the procedure's verb, an amount or a way."""
        return bool(self.own) or self.valued

    def vetoes(self) -> bool:
        """Whether it refuses, undoes, defers or makes a condition."""
        words = self.seen.source.norm[self.low : self.high]
        if not self.acts and any(self._denied(verb) for verb in self.foreign):
            return False  # 不要退款, where a compensation is what is asked for
        if any(stance(part, telling=True) for part in (words, *_apart_in(words))) or wishes.MEANT_NOT.match(words):
            return True
        if wishes.NO_FAULT.search(words):
            return True
        if not self.acts:
            return any(self._denied(verb) for verb in self.weak) and not substance(self._rest(self.weak))
        if any(self._denied(verb) and not self._of_others(verb) for verb in self.own):
            return True
        if any(self._denied(verb) for verb in self.weak) and self.valued and not self._of_others(self.weak[0]):
            return True
        if (
            wishes.IF.search(self.words)
            or wishes.UNDO.search(self.head)
            or wishes.SOON.search(self.head)
            or wishes.IDLE.search(self.head)
        ):
            return True
        verb_end = max((verb.end for verb in self.own), default=self.low)
        if self.own and any(
            wishes.TURNED_DOWN.search(part) for part in self.text[verb_end : self.end].split(HIDDEN) if not faults(part)
        ):
            return True
        if any(wishes.LATER.search(self._before(verb)) for verb in (*self.own, *self.weak)):
            return True
        if wishes.POLITELY.search(self.words):
            return False
        return bool(
            wishes.INQUIRY.search(self.head) or asking(words) or self.text[self.high : self.high + 1] in ("?", "？")
        )

    def asks(self) -> bool:
        """Whether it asks for the payout by a verb that is neither turned down nor told of."""
        verbs = [verb for verb in self.own if not self._noun(verb)] or (self.weak if self.touched else [])
        return bool(verbs) and self._live(verbs[-1])

    def plain(self) -> bool:
        """Whether nothing stands beside the request that is no part of one, but for a reason that can be told as such."""
        told = [wishes.without_requesting(part) for part, last in self._told() if not _reason(part, last)]
        return not any(length(part) or wishes.NEGATION.search(part) for part in told)

    def bare(self) -> bool:
        """Whether a clause is nothing but values, with a reason set apart. A verb would have to ask."""
        if any(not self._noun(verb) for verb in (*self.own, *self.weak)) or self.foreign:
            return False
        told = [part for part, last in self._told() if not _reason(part, last)]
        if any(wishes.PAST.search(part) or wishes.GAVE.search(part) or wishes.NEGATION.search(part) for part in told):
            return False
        return not any(length(wishes.without_requesting(part)) for part in told)

    def _told(self) -> list[tuple[str, bool]]:
        """What is neither a value nor the procedure's verb, and whether it is the end of the clause."""
        taken = self.taken
        verbs = [(verb.start, verb.end) for verb in self.own]
        parts = left_over(self.low, self.end, [*taken.labels, *taken.acts, *verbs])
        return [(self.text[low:high], high == self.end) for low, high in parts]

    def _before(self, verb: Verb) -> str:
        return self.text[max(self.low, verb.start - 60) : verb.start]

    def _denied(self, verb: Verb) -> bool:
        before = self._before(verb)
        if verb.word.isascii():
            return re.search(wishes.NO_EN, before) is not None
        return verb.denied or bool(wishes.NO.search(before) or wishes.UNABLE.match(self.text, verb.end))

    def _of_others(self, verb: Verb) -> bool:
        return wishes.OTHERS.search(self._before(verb)) is not None

    def _noun(self, verb: Verb) -> bool:
        before = self._before(verb).rstrip()
        if verb.word.startswith("compensation"):
            return True
        return len(verb.word) > 1 and before.endswith((HIDDEN, "的", " the", " a")) and not before.endswith("给")

    def _live(self, verb: Verb) -> bool:
        before = self._before(verb)
        if self._denied(verb) or wishes.PAST.search(before) or wishes.DONE.match(self.text, verb.end):
            return False
        if verb.word.isascii():
            past = wishes.GAVE.fullmatch(verb.word) is not None and not wishes.TO_BE.search(before)
            earlier = re.search(r"(?<![a-z])(?:already|yesterday)(?![a-z])", self.head)
            return not (past or earlier or wishes.UNSURE_EN.search(before))
        return re.search(rf"(?:{HIDDEN}|[补赔退偿付给款])了$", self.head) is None

    def _rest(self, verbs: Collection[Verb]) -> str:
        return " ".join(self.text[a:b] for a, b in left_over(self.low, self.high, [(v.start, v.end) for v in verbs]))


def _in(verb: Verb, spans: Collection[Span]) -> bool:
    return any(low <= verb.start < high for low, high in spans)


def _apart_in(words: str) -> list[str]:
    """The parts of a clause that spaces set apart, those in Chinese."""
    return [part for part in words.split(" ") if re.search("[一-鿿]", part)]


def _reason(part: str, last: bool) -> bool:
    """Whether words beside a request tell why: they name a fault, or a space sets them apart at its end."""
    return not wishes.GAVE.search(part) and (faults(part) or (last and _apart(part)))


def _apart(part: str) -> bool:
    """Whether words in Chinese stand between spaces, as a reason beside values does."""
    return part[:1] == " " and len(re.findall("[一-鿿]", part)) >= 2 and not wishes.NEGATION.search(part)

"""What a message says is another now than the case knows: 金额改成 200, 不是 778 是 788, change the amount to 200."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pydantic import BaseModel, ConfigDict

from graph.fields import FieldSpec
from graph.fields.codes import codes
from graph.fields.cues import cues
from graph.fields.words import Source
from graph.model import Fact, Problem
from graph.reading.alone import read_alone
from graph.reading.change_words import AROUND, BARE, CHANGED, HELD_BACK, POLITE, TAIL, TURNED
from graph.reading.clauses import MOST, clauses
from graph.reading.fillers import courtesy, length
from graph.reading.known import digits_of, same, without_codes
from graph.reading.labels import labelled, labels
from graph.reading.sight import sight
from graph.reading.spans import Span, rest_of
from graph.reading.stance import stance
from graph.reading.stray import strayed
from graph.reading.talk import asking

#: Kinds whose value tells by itself which field is meant.
_TELLING = ("code", "money", "choice", "date", "integer", "percent", "phone")
#: Kinds whose value may go on over the end of a clause.
_AT_LENGTH = ("text", "account")


class Changes(BaseModel):
    """New values by field, each with the words it was taken from; why one that was clearly meant cannot be taken. `answers`
    says that nothing known is another: the values are those that the case waits for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: dict[str, Fact] = {}
    problems: list[Problem] = []
    answers: bool = False


@dataclass
class _Said:
    """The message, and what it can be about."""

    source: Source
    known: Mapping[str, Fact]
    told: Sequence[FieldSpec]
    fields: dict[str, Fact]
    problems: list[Problem]
    today: date | None
    turned: list[Span] = field(default_factory=list)

    def words(self, span: Span) -> str:
        """The words of a span as they were written."""
        return self.source.quote(*span)


def changes(
    text: str,
    known: Mapping[str, Fact],
    told: Sequence[FieldSpec],
    asked: Sequence[FieldSpec] = (),
    today: date | None = None,
) -> Changes | None:
    """The fields of `told` that a message corrects; None where it is no correction, or says more than one.

    `asked` are the fields that the case waits for. A message that gives nothing but these is an answer in the words of a
    correction; beside a correction their values are taken, too.
    """
    source = Source(text)
    norm = source.norm
    if asking(norm) and not POLITE.match(norm):
        return None
    spans = clauses(norm)
    if not spans or len(spans) > MOST:
        return None
    said = _Said(source, known, told, {}, [], today)
    left = _changed(said, spans)
    # “not credit but cash” drops nothing, though its first half by itself would.
    others = [span for span in spans if not any(low <= span[0] < high for low, high in said.turned)]
    if any(stance(norm[low:high], telling=True) in ("wait", "cancel") for low, high in others):
        return None
    if not said.fields and not said.problems:
        return _turned_down(said)
    rest = "，".join(said.words(span) for span in left if length(norm[slice(*span)]) and not courtesy(norm[slice(*span)]))
    if rest and not _answered(said, rest, asked):
        return None
    waited_for = {spec.name for spec in asked} - set(known)
    answers = not said.problems and set(said.fields) <= waited_for
    return Changes(fields=said.fields, problems=said.problems, answers=answers)


def _changed(said: _Said, spans: Sequence[Span]) -> list[Span]:
    """Take the corrections out of the clauses; what is left of them."""
    left: list[Span] = []
    at = 0
    while at < len(spans):
        wide = (spans[at][0], spans[min(at + 1, len(spans) - 1)][1])
        if _matched(said, (spans[at][0], spans[-1][1]), CHANGED, _AT_LENGTH):
            return left
        if _matched(said, wide, TURNED):
            at += 2
            continue
        if not (_matched(said, spans[at], (*TURNED, *CHANGED, *BARE)) or _labelled(said, spans[at])):
            left.append(spans[at])
        at += 1
    return left


def _matched(
    said: _Said, span: Span, patterns: Iterable[re.Pattern[str]], kinds: Collection[str] = _TELLING + _AT_LENGTH
) -> bool:
    """Whether one of the patterns tells of a change, to a field of these kinds where the field is named."""
    norm = said.source.norm
    for pattern in patterns:
        found = pattern.fullmatch(norm, *span)
        if found is None:
            continue
        parts = found.groupdict()
        head, old = parts.get("head") or "", parts.get("old")
        new = (found.start("new"), _end(norm, found.start("new"), found.end("new")))
        named_only = pattern in BARE or kinds == _AT_LENGTH
        if not HELD_BACK.search(head) and _taken(said, head, old, new, kinds, named_only=named_only):
            said.turned += [span] if old is not None and pattern in TURNED else []
            return True
    return False


def _end(norm: str, low: int, high: int) -> int:
    """Where a value ends, without the courtesy after it."""
    tail = TAIL.search(norm, low, high)
    return tail.start() if tail else high


def _labelled(said: _Said, span: Span) -> bool:
    """A field's name and its new value, and nothing else: 金额 200, amount: 200."""
    for spec, end in labelled(said.source.norm, span, said.told):
        before = list(said.problems)
        if spec.name in said.known and _read(said, [spec], (end, span[1])) and said.problems == before:
            return True
        said.problems[:] = before
    return False


def _taken(said: _Said, head: str, old: str | None, new: Span, kinds: Collection[str], *, named_only: bool) -> bool:
    """Whether a change could be taken: the field is named, or its old value is, or the new value tells which it is."""
    head = without_codes(head, said.known, said.told)
    found = labels(head, said.told)
    if len(found.named) > 1 or (named_only and not found.named):
        return False
    if any(spec.type not in kinds for spec in found.named):
        return False
    if kinds == _AT_LENGTH and any(_tells_change(clause) for clause in _clauses_in(said.words(new))[1:]):
        return False
    rest = AROUND.sub(" ", found.rest)
    if old is None and length(rest) + len(re.findall(r"\d", rest)):
        old, rest = rest.strip(), ""
    if length(rest) or _foreign_code(said, head):
        return False
    specs = list(found.named)
    if old is not None:
        specs = [spec for spec in (specs or said.told) if same(spec, old, said.known.get(spec.name))]
        if len(specs) != 1:
            return False
    return _read(said, specs, new)


def _read(said: _Said, specs: Sequence[FieldSpec], new: Span) -> bool:
    """Read the new value for one field; or, where none is named, for whichever it can be of."""
    words = said.words(new)
    if len(specs) == 1:
        spec = specs[0]
        short = digits_of(spec, words, said.known.get(spec.name))
        reading = read_alone(short or words, [spec], asked=True, today=said.today)
        fact = reading.fields.get(spec.name)
        if fact is not None and (spec.type in ("text", "account") or not _beyond(said, words, [spec])):
            said.fields[spec.name] = fact.model_copy(update={"quote": words}) if short else fact
            return True
        said.problems += [] if fact else reading.problems
        return fact is None and bool(reading.problems)
    telling = [spec for spec in said.told if spec.type in _TELLING]
    reading = read_alone(words, telling, asked=True, today=said.today)
    facts = dict(reading.fields)
    for name, fact in list(facts.items()):
        rivals = [one for one, other in facts.items() if one != name and other.quote == fact.quote]
        if rivals and name not in said.known:
            del facts[name]
    if len({fact.quote for fact in facts.values()}) < len(facts) or not facts or _beyond(said, words, telling):
        return False
    said.fields.update(facts)
    return True


def _beyond(said: _Said, words: str, specs: Sequence[FieldSpec]) -> bool:
    """Whether words say more than values of these fields."""
    seen = sight(words, specs, asked=True, today=said.today)
    norm = seen.source.norm
    rest = AROUND.sub(" ", rest_of(norm, 0, len(norm), seen.taken().all()))
    return bool(length(rest)) or HELD_BACK.search(rest) is not None


def _clauses_in(words: str) -> list[str]:
    norm = Source(words).norm
    return [norm[low:high] for low, high in clauses(norm)]


def _tells_change(words: str) -> bool:
    return any(pattern.fullmatch(words) for pattern in CHANGED)


def _turned_down(said: _Said) -> Changes | None:
    """The way that the case knows is turned down and another one named: 不要现金，给积分."""
    for spec in said.told:
        found = [cue for cue in cues(said.source.norm, spec) if cue.value is not None] if spec.type == "choice" else []
        values = {cue.value for cue in found if not cue.denied}
        denied = {cue.value for cue in found if cue.denied}
        if len(values) != 1 or spec.name not in said.known or denied != {said.known[spec.name].value}:
            continue
        reading = read_alone(said.source.original, [spec], asked=True)
        rest = rest_of(said.source.norm, 0, len(said.source.norm), [(cue.start, cue.end) for cue in found])
        if spec.name in reading.fields and not length(AROUND.sub(" ", rest)):
            return Changes(fields=reading.fields)
    return None


def _foreign_code(said: _Said, words: str) -> bool:
    return any(codes(words, spec) for spec in said.told if spec.type == "code")


def _answered(said: _Said, rest: str, asked: Sequence[FieldSpec]) -> bool:
    """Whether what stands beside a correction answers what is asked for; its values are then taken, too."""
    if not asked or strayed(rest, asked, said.known, said.told, said.today) is not None:
        return False
    reading = read_alone(rest, asked, asked=True, today=said.today)
    said.fields.update({name: fact for name, fact in reading.fields.items() if name not in said.fields})
    return bool(reading.fields) and not reading.problems

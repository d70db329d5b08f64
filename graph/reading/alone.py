"""Reading by code alone: patterns, cues and numbers find what they can; the rest stays unsaid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from graph.fields.amounts import Amount, amounts
from graph.fields.codes import Code, codes
from graph.fields.cues import Cue, cues
from graph.fields.parse import account_fact, amount_fact, choice_fact, simple_fact, text_fact
from graph.fields.shown import canonical_money
from graph.fields.simple import FINDERS, Found
from graph.fields.spec import FieldSpec
from graph.fields.words import Source
from graph.model import Fact, Problem
from graph.reading.model import Reading
from graph.reading.roles import Placed, placed
from graph.reading.fillers import substance
from graph.reading.spans import Taken, free_text, rest_of, whole
from graph.reading.verbs import Verb, verbs_in

_ACCOUNT_WORDS = re.compile(
    r"账户|账号|帐号|帐户|户名|卡号|银行|开户|支行|收款|支付宝|(?<![a-z])(?:account|acct|iban|bank|swift|card|holder|name|branch)(?![a-z])"
)
_PHONE_WORDS = re.compile(r"(?:电话|手机|(?<![a-z])(?:phone|tel|mobile|call)) ?(?:号码?|number)? ?[:是为]? ?$")


@dataclass
class Sight:
    """Everything that code sees in a text, before it decides what each field is."""

    source: Source
    fields: Sequence[FieldSpec]
    asked: bool
    verbs: list[Verb] = field(default_factory=list)
    codes: dict[str, list[Code]] = field(default_factory=dict)
    cues: dict[str, list[Cue]] = field(default_factory=dict)
    amounts: dict[str, list[Placed]] = field(default_factory=dict)
    others: dict[str, list[Found]] = field(default_factory=dict)

    def taken(self) -> Taken:
        """The spans that belong to something else than free text."""
        labels = [(code.start, code.end) for found in self.codes.values() for code in found]
        acts = [(cue.start, cue.end) for found in self.cues.values() for cue in found if cue.value is not None]
        acts += [(one.amount.start, one.amount.end) for found in self.amounts.values() for one in found if one.sure]
        for spec in self.fields:
            found = self.others.get(spec.name, [])
            acts += [_account_phrase(self, found)] if found and spec.type == "account" else [(hit.start, hit.end) for hit in found]
        strong = [(verb.start, verb.end) for verb in self.verbs if verb.family]
        weak = [(verb.start, verb.end) for verb in self.verbs if not verb.family]
        return Taken(labels, acts, strong, weak)


def sight(text: str, fields: Sequence[FieldSpec], verbs: Sequence[str] = (), asked: bool = False) -> Sight:
    """Look at a text once for all fields."""
    seen = Sight(Source(text), fields, asked)
    norm = seen.source.norm
    for spec in fields:
        if spec.type == "code":
            seen.codes[spec.name] = codes(norm, spec)
        elif spec.type == "choice":
            seen.cues[spec.name] = cues(norm, spec)
    hidden = [(cue.start, cue.end) for found in seen.cues.values() for cue in found]
    seen.verbs = verbs_in(norm, verbs, hidden)
    units = [cue for found in seen.cues.values() for cue in found]
    for spec in fields:
        if spec.type == "money":
            found = amounts(norm, spec.currency or "USD")
            seen.amounts[spec.name] = placed(norm, found, seen.verbs, units, asked or _nothing_else(seen, found))
        elif spec.type in FINDERS:
            seen.others[spec.name] = _others(seen, spec)
    return seen


def read_alone(text: str, fields: Sequence[FieldSpec], *, verbs: Sequence[str] = (), asked: bool = False) -> Reading:
    """What code finds by itself. `verbs` are further words of the procedure; `asked`, that the text answers a question for `fields`."""
    return read_sight(sight(text, fields, verbs, asked))


def read_sight(seen: Sight) -> Reading:
    """Decide each field from what was seen."""
    facts: dict[str, Fact] = {}
    problems: list[Problem] = []
    for spec in seen.fields:
        read = _read(seen, spec)
        if isinstance(read, Fact):
            facts[spec.name] = read
        elif read is not None:
            problems.append(read)
    return Reading(fields=facts, problems=problems)


def _read(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    match spec.type:
        case "code":
            return _code(seen, spec)
        case "choice":
            return choice_fact(spec, seen.source, seen.cues[spec.name])
        case "money":
            return money(seen, spec)
        case "text":
            return _text(seen, spec)
        case "account":
            return _account(seen, spec)
        case _:
            return _other(seen, spec)


def _code(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    found = [code for code in seen.codes[spec.name] if not code.denied]
    values = list(dict.fromkeys(code.value for code in found))
    if not found:
        if seen.asked and len(seen.fields) == 1 and re.search(r"\d", seen.source.norm):
            return Problem(field=spec.name, code="pattern", quote=seen.source.original.strip()[:60], limit=spec.pattern or "")
        return None
    if len(values) > 1:
        quote = seen.source.quote(found[0].start, found[-1].end)
        return Problem(field=spec.name, code="several", quote=quote[:120], candidates=values)
    quote = seen.source.quote(found[0].start, found[0].end)
    return Fact(type="code", value=values[0], quote=quote, sensitive=spec.sensitive)


def money(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    """The amount that is to be paid: the one a verb governs, else the only one that is stated as money.

    A number that only its place speaks for must be the only number that could be meant.
    """
    open_ = [one for one in seen.amounts[spec.name] if one.role not in ("own", "denied")]
    said = [one for one in open_ if one.sure]
    said = [one for one in said if one.role == "wanted"] or said
    if not said:
        return _not_sure(seen, spec, open_)
    if all(one.bare for one in said):
        said = open_
    reads = [amount_fact(spec, seen.source, one.amount) for one in said]
    if problem := next((read for read in reads if isinstance(read, Problem)), None):
        return problem
    values = list(dict.fromkeys(str(read.value) for read in reads if isinstance(read, Fact)))
    if len(values) > 1:
        quote = seen.source.quote(said[0].amount.start, said[-1].amount.end)
        return Problem(field=spec.name, code="several", quote=quote[:120], candidates=values)
    return reads[0]


def _not_sure(seen: Sight, spec: FieldSpec, found: Sequence[Placed]) -> Problem | None:
    """An answer with a number that does not stand where an amount would: offered, not taken."""
    if not found or not seen.asked:
        return None
    quote = seen.source.quote(found[0].amount.start, found[-1].amount.end)
    values = [one.amount.value for one in found if one.amount.value and not one.amount.code]
    candidates = list(dict.fromkeys(canonical_money(value) for value in values))
    return Problem(field=spec.name, code="unreadable", quote=quote[:120], candidates=candidates)


def _text(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    norm = seen.source.norm
    alone = seen.asked and len(seen.fields) == 1
    span = whole(norm) if alone else free_text(norm, seen.taken(), asked=seen.asked)
    return text_fact(spec, seen.source.quote(*span)) if span else None


def _account(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    found = seen.others[spec.name]
    text = seen.source.original.strip()
    if seen.asked and len(seen.fields) == 1:
        return account_fact(spec, text, bool(found)) if found or re.search(r"\d", text) else None
    if not found:
        return None
    start, end = _account_phrase(seen, found)
    return account_fact(spec, seen.source.quote(start, end), True)


def _account_phrase(seen: Sight, found: Sequence[Found]) -> tuple[int, int]:
    """The clause with the digits, and its neighbours as long as they speak of banks and holders."""
    norm = seen.source.norm
    clauses = [match.span() for match in re.finditer(r"[^,，。;；!！?？\n]+", norm)]
    first = next(i for i, span in enumerate(clauses) if span[0] <= found[0].start < span[1])
    last = next(i for i, span in enumerate(clauses) if span[0] <= found[-1].start < span[1])
    last = max(first, last)
    while first > 0 and _ACCOUNT_WORDS.search(norm[slice(*clauses[first - 1])]):
        first -= 1
    while last + 1 < len(clauses) and _ACCOUNT_WORDS.search(norm[slice(*clauses[last + 1])]):
        last += 1
    return clauses[first][0], clauses[last][1]


def _others(seen: Sight, spec: FieldSpec) -> list[Found]:
    norm = seen.source.norm
    found = FINDERS[spec.type](norm, spec)
    if spec.type == "account":
        found = [hit for hit in found if not _PHONE_WORDS.search(norm[max(0, hit.start - 12) : hit.start])]
        if not seen.asked and not _ACCOUNT_WORDS.search(norm):
            return []
    if spec.type in ("integer", "date", "phone") and not seen.asked:
        return found if spec.type != "integer" else []
    return found


def _other(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    found = seen.others[spec.name]
    values = list(dict.fromkeys(str(hit.value) for hit in found))
    if not found:
        return None
    quote = seen.source.quote(found[0].start, found[-1].end)
    if len(values) > 1:
        return Problem(field=spec.name, code="several", quote=quote[:120], candidates=values)
    return simple_fact(spec, found[0].value, seen.source.quote(found[0].start, found[0].end))


def _nothing_else(seen: Sight, found: Sequence[Amount]) -> bool:
    """Whether the text says nothing beside codes, ways and numbers, so that a bare number is meant as the amount."""
    spans = [amount.number for amount in found]
    taken = seen.taken().all()
    return not substance(rest_of(seen.source.norm, 0, len(seen.source.norm), [*spans, *taken]))

"""Everything that code sees in a text, before it decides what each field is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from graph.fields.amounts import Amount, amounts
from graph.fields.codes import Code, codes
from graph.fields.cues import Cue, cues
from graph.fields.dates import dates
from graph.fields.found import Found
from graph.fields.simple import FOUND_BY_CODE, find
from graph.fields.spec import FieldSpec
from graph.fields.words import Source, any_of
from graph.reading.clauses import HIDDEN
from graph.reading.elsewhere import amounts_told, codes_told, cues_told, found_told
from graph.reading.fillers import substance
from graph.reading.foreign import without_foreign
from graph.reading.repairs import repaired
from graph.reading.roles import Placed, placed
from graph.reading.spans import Span, Taken, rest_of
from graph.reading.verbs import Verb, verbs_in

_ACCOUNT_WORDS = re.compile(
    any_of(
        "账户|账号|帐号|帐户|户名|卡号|银行|开户|支行|收款|支付宝", "account|acct|iban|bank|swift|card|holder|name|branch"
    )
)


#: An account or a telephone number, with the words that lead to it: no part of a reason.
_NUMBERS = re.compile(
    any_of(
        "转到|转至|打到|汇到|退到|账户|账号|帐号|卡号|银行卡|电话|手机|是|为",
        "transfer|to|account|acct|card|phone|tel|number|no",
    )
    + r"?[ :]*(?<![a-z0-9-])\d(?:[ -]?\d){9,}(?![a-z0-9])"
)


#: What makes digits in a first sentence a telephone number.
_CALLED = re.compile(any_of("电话|手机|号码|联系", "phone|tel|mobile|call|contact|whatsapp|number") + "[^,，。;；]{0,8}$")
_MOBILE = re.compile(r"1[3-9]\d{9}|\+\d{8,15}")


@dataclass
class Sight:
    """Everything that code sees in a text, before it decides what each field is."""

    source: Source
    fields: Sequence[FieldSpec]
    asked: bool
    today: date | None = None
    verbs: list[Verb] = field(default_factory=list)
    codes: dict[str, list[Code]] = field(default_factory=dict)
    cues: dict[str, Sequence[Cue]] = field(default_factory=dict)
    amounts: dict[str, list[Placed]] = field(default_factory=dict)
    others: dict[str, list[Found]] = field(default_factory=dict)
    #: The spans that belong to something else than free text, once everything was looked for.
    whole: Taken | None = None

    def taken(self) -> Taken:
        """The spans that belong to something else than free text."""
        return self.whole or self._taken()

    def _taken(self) -> Taken:
        labels = [(code.start, code.end) for found in self.codes.values() for code in found]
        labels += [match.span() for match in _NUMBERS.finditer(self.source.norm)]
        acts = [(cue.start, cue.end) for found in self.cues.values() for cue in found if cue.value is not None]
        acts += [(one.amount.start, one.amount.end) for found in self.amounts.values() for one in found if one.sure]
        for spec in self.fields:
            found = self.others.get(spec.name, [])
            spans = [(hit.start, hit.end) for hit in found]
            acts += [account_phrase(self, found)] if found and spec.type == "account" else spans
        strong = [(verb.start, verb.end) for verb in self.verbs if verb.family]
        weak = [(verb.start, verb.end) for verb in self.verbs if not verb.family]
        return Taken(labels, acts, strong, weak)


def sight(
    text: str,
    fields: Sequence[FieldSpec],
    verbs: Sequence[str] = (),
    asked: bool = False,
    today: date | None = None,
) -> Sight:
    """Look at a text once for all fields."""
    seen = Sight(Source(text), fields, asked, today)
    seen.source.norm = norm = repaired(seen.source.norm, today)
    for spec in fields:
        if spec.type == "code":
            seen.codes[spec.name] = codes_told(norm, codes(norm, spec, alone=asked and len(fields) == 1))
        elif spec.type == "choice":
            seen.cues[spec.name] = cues_told(norm, cues(norm, spec))
    hidden = [(cue.start, cue.end) for found in seen.cues.values() for cue in found]
    seen.verbs = verbs_in(norm, verbs, hidden)
    units = [cue for found in seen.cues.values() for cue in found]
    for spec in fields:
        if spec.type in FOUND_BY_CODE:
            seen.others[spec.name] = found_told(norm, without_foreign(norm, spec, _others(seen, spec)))
    apart = _without_codes(norm, seen)
    used = [(code.start, code.end) for found in seen.codes.values() for code in found]
    used += [(hit.start, hit.end) for hits in seen.others.values() for hit in hits]
    for spec in fields:
        if spec.type == "money":
            named = [amount for amount in amounts(apart, spec.currency or "USD") if not _inside(amount.number, used)]
            places = placed(norm, named, seen.verbs, units, asked or _nothing_else(seen, named))
            seen.amounts[spec.name] = amounts_told(norm, places)
    seen.whole = seen.taken()
    return seen


def _without_codes(norm: str, seen: Sight) -> str:
    """The text with its codes hidden, so that a number right behind one stands by itself: 补 KL-118八十."""
    signs = list(norm)
    for code in (code for found in seen.codes.values() for code in found):
        signs[code.start : code.end] = HIDDEN * (code.end - code.start)
    return "".join(signs)


def account_phrase(seen: Sight, found: Sequence[Found]) -> Span:
    """The clause with the digits, and its neighbours as long as they speak of banks and holders."""
    norm = seen.source.norm
    clauses = [match.span() for match in re.finditer(r"[^,，。;；!！?？\n]+", norm)]
    first = next(i for i, span in enumerate(clauses) if span[0] <= found[0].start < span[1])
    last = next(i for i, span in enumerate(clauses) if span[0] <= found[-1].start < span[1])
    while first > 0 and _ACCOUNT_WORDS.search(norm[slice(*clauses[first - 1])]):
        first -= 1
    while last + 1 < len(clauses) and _ACCOUNT_WORDS.search(norm[slice(*clauses[last + 1])]):
        last += 1
    ends = [code.end for codes_ in seen.codes.values() for code in codes_]
    ends += [cue.end for cues_ in seen.cues.values() for cue in cues_]
    ends += [one.amount.end for places in seen.amounts.values() for one in places]
    return max([clauses[first][0], *(end for end in ends if end <= found[0].start)]), clauses[last][1]


def _others(seen: Sight, spec: FieldSpec) -> list[Found]:
    norm = seen.source.norm
    found = find(norm, spec, seen.today)
    if spec.type == "account" and not seen.asked and not _ACCOUNT_WORDS.search(norm):
        return []
    if spec.type == "integer" and not seen.asked:
        return []  # in a first sentence a bare number could be anything
    if spec.type == "phone" and not seen.asked:
        called = [hit for hit in found if _CALLED.search(norm, max(0, hit.start - 16), hit.start)]
        return called or [hit for hit in found if _MOBILE.fullmatch(str(hit.value))]
    if spec.type == "integer":
        return [hit for hit in found if not _inside((hit.start, hit.start + 1), _of_others(seen, spec))]
    return found


def _of_others(seen: Sight, spec: FieldSpec) -> list[Span]:
    """The spans of dates, telephone numbers, accounts and codes: their digits count nothing."""
    spans = [(one.start, one.end) for one in dates(seen.source.norm, seen.today)]
    spans += [(code.start, code.end) for found in seen.codes.values() for code in found]
    for other in seen.fields:
        if other.type in ("phone", "account", "percent"):
            spans += [(one.start, one.end) for one in find(seen.source.norm, other, seen.today)]
    return spans


def _inside(number: Span, spans: Sequence[Span]) -> bool:
    return any(low <= number[0] and number[1] <= high for low, high in spans)


def _nothing_else(seen: Sight, found: Sequence[Amount]) -> bool:
    """Whether the text says nothing beside codes, ways and numbers, so that a bare number is meant as the amount."""
    spans = [amount.number for amount in found]
    taken = seen.taken().all()
    return not substance(rest_of(seen.source.norm, 0, len(seen.source.norm), [*spans, *taken]))

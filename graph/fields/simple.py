"""Dates, telephone numbers, whole numbers and percents: strict, no guessing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from graph.fields.account import accounts
from graph.fields.context import ABOUT_AFTER, ABOUT_BEFORE
from graph.fields.cues import denied_before
from graph.fields.dates import dates, vague
from graph.fields.found import Found
from graph.fields.numerals import numerals
from graph.fields.spec import FieldSpec
from graph.fields.spelled import spelled
from graph.model import ProblemCode

_PHONE = re.compile(
    r"(?<![a-z0-9+-])(?<!\d[.,])(?:(?:\+ ?|00)[1-9]\d{0,2}[ -]?)?(?:\(\d{1,4}\)[ -]?)?\d(?:[ -]?\d){4,14}"
    r"(?![a-z0-9-]|[.,]\d)"
)
_DIGITS = (7, 15)  # E.164 has at most fifteen
#: What a whole number may count; of times and days only where the field does.
_TIME = re.compile("天|晚|夜|小时|分钟|周|月|年|days?|nights?|hours?|minutes?|weeks?|months?|years?")
_COUNTED = re.compile(
    r" ?(?:(?:个|位|名|张|份|件|间|晚|夜)?(?:成人|大人|小孩|儿童|客人|乘客|旅客|游客|人)?(?<=[一-鿿])|"
    r"(?:adults?|guests?|people|persons?|pax|travell?ers?|of (?:us|them)|rooms?|beds?|tickets?|seats?|kids?|children|"
    r"passengers?|nights?)(?![a-z]))?"
    rf"(?P<time>(?:{_TIME.pattern})(?![a-z]))?"
)
#: What numbers count: nights and days, people, rooms, tickets.
_KINDS = (
    _TIME,
    re.compile("[人位名]|成人|大人|儿童|adult|guest|people|person|pax|travell?er|of us|of them|kid|child|passenger"),
    re.compile("间|room"),
    re.compile("床|bed"),
    re.compile("[张票份]|ticket|seat"),
)
#: Another field's name before a number: 金额改成 1 is no number of nights.
_NAMED = re.compile(
    r"(?:(?<!人)(?<!晚)(?:金额|数额|价格|房价|预算|费用|订单号?|房号|电话)|(?<![a-z])(?:amount|sum|price|budget|fee|cost|order|"
    r"room (?:no|number))(?![a-z]))(?:改成|改为|改到|是|为|[ :=.]|to|is|of|was|(?:changed|change it) to)*$"
)
_NAMED_SELF = re.compile("额|价|预算|费|单|amount|sum|price|budget|fee|cost|order")
_ORDINAL = re.compile("第 ?$")
_PERCENT_AFTER = re.compile(r" ?(?:%|percent(?![a-z])|per cent(?![a-z]))")


def phones(text: str, spec: FieldSpec) -> list[Found]:
    """Telephone numbers as digits with their plus sign; the field's pattern, if any, must fit the whole."""
    found = []
    days = [(one.start, one.end) for one in dates(text)]
    written = [(*match.span(), re.sub(r"[ ()-]", "", match.group())) for match in _PHONE.finditer(text)]
    for start, end, value in sorted([*written, *spelled(text)]):
        if any(low < end and start < high for low, high in days):
            continue
        fits = re.fullmatch(spec.pattern, value) if spec.pattern else _DIGITS[0] <= len(value.lstrip("+")) <= _DIGITS[1]
        if fits:
            found.append(Found(start, end, value))
    return found


def integers(text: str, spec: FieldSpec) -> list[Found]:
    """Whole numbers of zero or more; a range or an estimate is marked as such."""
    found = []
    for number in numerals(text):
        if number.prefix or number.suffix or _ORDINAL.search(text, max(0, number.start - 3), number.start):
            continue
        if number.value is None:
            found += [Found(number.start, number.end, int(value), _CODES.get(number.state)) for value in number.values]
        elif number.value == int(number.value):
            counted = _COUNTED.match(text, number.end)
            about = ABOUT_BEFORE.search(text, max(0, number.start - 24), number.start)
            after = ABOUT_AFTER.match(text, number.end) or (counted and ABOUT_AFTER.match(text, counted.end()))
            code: ProblemCode | None = "approximate" if about or after else None
            if counted and ((counted["time"] and not _about_time(spec)) or _counts_others(counted.group(), spec)):
                continue
            if _NAMED.search(text, max(0, number.start - 24), number.start) and not _NAMED_SELF.search(_named(spec)):
                continue
            found.append(Found(number.start, counted.end() if counted else number.end, int(number.value), code))
    return found


def _about_time(spec: FieldSpec) -> bool:
    """Whether a field counts days, nights or hours."""
    return _TIME.search(_named(spec)) is not None


def _counts_others(words: str, spec: FieldSpec) -> bool:
    """Whether the word behind a number counts something else than the field: 3 adults are no nights."""
    named = _named(spec)
    kinds = [kind for kind in _KINDS if kind.search(named)]
    return bool(kinds) and any(kind.search(words) for kind in _KINDS) and not any(kind.search(words) for kind in kinds)


def _named(spec: FieldSpec) -> str:
    return f"{spec.name} {spec.label.zh} {spec.label.en}".lower().replace("_", " ")


_CODES: dict[str, ProblemCode] = {"range": "range", "either": "several", "vague": "approximate"}


def percents(text: str, spec: FieldSpec) -> list[Found]:
    """Percents as decimal strings: `15%`, `百分之十五`."""
    found = []
    for number in numerals(text):
        sign = _PERCENT_AFTER.match(text, number.end)
        before = text.endswith("百分之", 0, number.start)
        if number.value is not None and (sign or before):
            start = number.start - 3 if before else number.start
            found.append(Found(start, sign.end() if sign else number.end, f"{number.value.normalize():f}"))
    return found


_FINDERS: dict[str, Callable[[str, FieldSpec], list[Found]]] = {
    "phone": phones,
    "integer": integers,
    "percent": percents,
    "account": accounts,
}
FOUND_BY_CODE = frozenset({"date", *_FINDERS})


def find(text: str, spec: FieldSpec, today: date | None = None) -> list[Found]:
    """The values of a field of one of these types in a normalised text, in order. `today` gives 明天 its day."""
    if spec.type == "date":
        found = [replace(one, code="approximate") if vague(text, one) else one for one in dates(text, today)]
    else:
        found = _FINDERS[spec.type](text, spec)
    return [replace(one, denied=True) if denied_before(text, one.start) else one for one in found]

"""Amounts of money that a text names, each with what is wrong with it: a range, about, negative, another currency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from graph.fields import currencies
from graph.fields.context import (
    ABOUT_AFTER,
    ABOUT_BEFORE,
    CENT,
    COUNTED,
    EACH_AFTER,
    EACH_BEFORE,
    MINUS,
    NUMBERED,
    SPAN_BEFORE,
    either_between,
    span_between,
    sum_between,
    three_places,
)
from graph.fields.numerals import Numeral, numerals
from graph.fields.smaller import coins_at, with_part
from graph.model import ProblemCode


@dataclass(frozen=True)
class Amount:
    """One amount in the text. `code` says why it cannot be taken as it stands; `value` may then still be a candidate.

    `currency` is None where none was named, `?` where several were. `number` is the span of the digits alone; `counts`
    says that it counts hours or guests and is no amount at all.
    """

    start: int
    end: int
    number: tuple[int, int]
    value: Decimal | None
    currency: str | None = None
    code: ProblemCode | None = None
    candidates: tuple[Decimal, ...] = ()
    single: bool = False
    counts: bool = False


_CODES: dict[str, ProblemCode | None] = {
    "exact": None,
    "vague": "approximate",
    "range": "range",
    "either": "several",
    "broken": "unreadable",
}


@lru_cache(maxsize=128)
def amounts(text: str, field_currency: str) -> tuple[Amount, ...]:
    """All amounts of a normalised text, in order, for a field of that currency."""
    found: list[Amount] = []
    numbers = numerals(text)
    at = index = 0
    while index < len(numbers):
        amount, used = _amount(text, numbers[index], numbers[index + 1 :][:1], at, field_currency)
        index += 1 + used
        at = amount.end
        found.append(amount)
    return tuple(amount for amount in _joined(text, found) if not amount.counts)


def _amount(text: str, number: Numeral, later: Sequence[Numeral], at: int, field: str) -> tuple[Amount, int]:
    """The amount at a number, and how many of the following numbers belong to it. Nothing before `at` is free."""
    span = (number.start, number.end)
    named, start, end = _named(text, number, at)
    value, code, used = number.value, _CODES[number.state], 0
    vague = ABOUT_AFTER.match(text, number.end)
    if not named and (coins := coins_at(text, number.start)):
        end, value = coins
        code, named = None, currencies.FIELD
        used = sum(each.start < end for each in later)
    if not named and vague:
        end = vague.end()
    if not named and (cent := CENT.match(text, number.end)):
        end, named = cent.end(), currencies.DOLLAR
        value = None if value is None else value / 100
    elif after := _named_after(text, end, named, field):
        end, named = after
        end, value, code, used = with_part(text, later, end, value, code)
    vague = vague or ABOUT_AFTER.match(text, end)
    if not named and (
        COUNTED.match(text, number.end)
        or NUMBERED.search(text, max(0, number.start - 12), number.start)
        or (number.end - number.start >= 8 and text[number.start : number.end].isdigit())
    ):
        return Amount(*span, span, None, counts=True), 0
    beside = currencies.beside(text, start, end, at, named)
    currency = _agreed(named, beside, field)
    end = max([end, *(reach for reach, _ in beside)])
    minus = MINUS.search(text, max(0, start - 10), start) or MINUS.search(text, max(0, number.start - 10), number.start)
    if minus:
        start, code = min(start, minus.start()), "negative"
    elif value == 0:
        code = "zero"
    elif vague or ABOUT_BEFORE.search(text, max(0, start - 24), start):
        code = code or "approximate"
    elif EACH_AFTER.match(text, end) or EACH_BEFORE.search(text, max(0, start - 24), start):
        code = code or "unreadable"
    if code is None and currency and currency != field:
        code = "currency"
    too_fine = value is not None and (value != round(value, 2) or three_places(text[number.start : number.end]))
    if code is None and too_fine:
        code = "decimals"
    single = number.spelled and number.end - number.start == 1
    return Amount(start, end, span, value, currency, code, number.values, single), used


def _agreed(named: str, beside: Sequence[tuple[int, str]], field: str) -> str | None:
    """The currency of all names of one amount; `?` where they name more than one."""
    codes = [code for code in (named, *(code for _, code in beside)) if code]
    return (currencies.agreed(codes, field) or "?") if codes else None


def _named(text: str, number: Numeral, at: int) -> tuple[str, int, int]:
    """The currency on the number or right before it, with the bounds of the two."""
    for written in (number.prefix, number.suffix):
        if written:
            return currencies.by_code(written), number.start, number.end
    before = currencies.before(text, number.start)
    if before and before[0] >= at:
        return before[1], before[0], number.end
    return "", number.start, number.end


def _named_after(text: str, end: int, named: str, field: str) -> tuple[int, str] | None:
    """The currency right after a number; beside one named before it only the same in letters ($40 USD)."""
    after = currencies.after(text, end)
    if after is None or not named:
        return after
    same = currencies.meant(after[1], field) == currencies.meant(named, field)
    return after if same and text[after[0] - 1].isalpha() else None


def _joined(text: str, found: list[Amount]) -> list[Amount]:
    """Two amounts with 到, to, 或 or a slash between them are one mention that is no amount: a range, or a choice."""
    joined = found[:1]
    for _, amount in pairwise(found):
        before = joined[-1]
        gap = text[before.end : amount.start]
        total = sum_between(gap)  # 40 + 40: we add nothing up
        either = total or either_between(gap)
        spread = span_between(gap) or (
            gap.strip() in ("and", "和", "与") and SPAN_BEFORE.search(text, max(0, before.start - 12), before.start)
        )
        if not (either or spread):
            joined.append(amount)
        elif amount.counts and not before.currency:  # 2 到 3 天: both count days
            joined[-1] = amount
        elif amount.counts or before.counts:
            joined.append(amount)
        else:
            joined[-1] = _both(before, amount, "unreadable" if total else "several" if either else "range")
    return joined


def _both(low: Amount, high: Amount, code: ProblemCode) -> Amount:
    values = [*_candidates(low), *_candidates(high)]
    return replace(
        low,
        end=high.end,
        number=(low.number[0], high.number[1]),
        value=None,
        currency=high.currency or low.currency,
        code=code,
        candidates=() if code == "unreadable" else tuple(dict.fromkeys(values)),
        single=False,
    )


def _candidates(amount: Amount) -> Sequence[Decimal]:
    if amount.value is None or amount.code in ("negative", "zero"):
        return amount.candidates
    return (amount.value,)

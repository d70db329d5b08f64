"""Amounts of money that a text names, each with what is wrong with it: a range, about, negative, another currency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from graph.fields import currencies
from graph.fields.numerals import Numeral, numerals
from graph.model import ProblemCode


@dataclass(frozen=True)
class Amount:
    """One amount in the text. `code` says why it cannot be taken as it stands; `value` is then None or a candidate.

    `currency` is None where none was named. `number` is the span of the digits alone.
    """

    start: int
    end: int
    number: tuple[int, int]
    value: Decimal | None
    currency: str | None
    code: ProblemCode | None = None
    candidates: tuple[Decimal, ...] = ()
    spelled: bool = False
    single: bool = False


#: What follows a number that counts things, time or distance instead of money.
_COUNTED = re.compile(
    r" ?(?:个|個|位|张|份|件|次|晚|夜|间|套|天|日|年|月|周|岁|人|名|条|只|台|辆|部|瓶|杯|盒|箱|斤|克|吨|米|公里|公斤|升|餐|桌|层|楼|"
    r"号|级|折|成|倍|秒|时|刻|趟|班|站|单|场|局|轮|期|课|章|页|本|册|篇|首|支|根|块儿|片|粒|栋|艘|头|口|双|副|组|批|队|户|所|"
    r"种|项|款|大床|床|房|票|小时|钟头|分钟|分之|星期|礼拜|点(?!数)|[%％‰°]|"
    r"(?:full |whole |more |extra |free |adult |child |business |working )?"
    r"(?:hours?|hrs?|h|minutes?|mins?|min|seconds?|secs?|days?|nights?|weeks?|months?|years?|yrs?|people|persons?|pax|guests?|"
    r"customers?|adults?|children|kids|tickets?|times|rooms?|orders?|bookings?|cases?|seats?|bags?|items?|pieces?|pcs|"
    r"miles?|km|kms|meters?|metres?|kg|lbs?|percent|per cent|pct|am|pm|a\.m|p\.m|o'clock|st|nd|rd|th|stars?|x)(?![a-z]))"
)
_NUMBERED = re.compile(
    r"(?:第|[x×*#]|no\.?|nr\.?|number|room|flight|gate|table|page|version|step|星期|周|礼拜|房间|房号|航班|尾号|单号|编号|电话|手机|"
    r"phone|tel|ending(?: in)?|rule|规则) ?:? ?$"
)
_ABOUT_BEFORE = re.compile(
    r"(?:约|大概|差不多|将近|接近|(?<!最)近|不到|不足|超过|超出|最多|最少|至多|至少|起码|顶多|少于|多于|低于|高于|不低于|封顶|"
    r"(?<![a-z])(?:about|around|approximately|approx\.?|roughly|nearly|almost|at most|at least|up to|no more than|more than|"
    r"less than|under|over|max(?:imum)?|min(?:imum)?|circa|some)(?![a-z])|[~≈<>≤≥]=?)"
    r"(?:再|就|能|可以|只|给|补|赔|退|付|是|为|to|of|a|an|of about|[ :])*$"
)
_ABOUT_AFTER = re.compile(
    r" ?(?:多(?!收|扣|谢)|来(?=块|元|美|个)|余(?!额)|左右|上下|以内|以下|以上|之内|出头|起(?!来)|上限|封顶|不到|"
    r"\+|-?ish(?![a-z])|or so(?![a-z])|or (?:more|less)|give or take|max(?![a-z])|maximum|tops|at most|at least|plus(?![a-z]))"
)
_MINUS = re.compile(r"(?:负|負|(?<![a-z])(?:minus|negative) |(?<![a-z0-9])- ?)$")
_EACH_BEFORE = re.compile(r"(?:每人|每位|每张|每单|每晚|每个人|人均|各)[^\n，,。;；]{0,8}$")
_EACH_AFTER = re.compile(r" ?(?:一人|一位|每人|每位|[/每](?:人|位|张|晚|天)|per |each(?![a-z])|a (?:night|day|person|head|share)|[x×*] ?\d|\* ?\d)")
_RANGE = re.compile(r" ?(?:到|至|-|~|to) ?(?:补|给|赔|退)?$")
_RANGE_EN = re.compile(r"(?:between|从|介于|from)[^\n，,。;；]{0,12}$")
_OR = re.compile(r" ?,? ?(?:或者|或是|或|还是|要么|要不|or(?: maybe)?|/|、)(?: ?(?:补|给|赔|退|是|maybe))? ?$")
_CENTS = re.compile(r"(?:,? and |又| )?")
_CENT = re.compile(r" ?-?(?:cents?|¢|美分)(?![a-z])")
_MAO = re.compile(r"([1-9一二三四五六七八九])(?:[毛角](?:钱)?)?(?![\d.一二三四五六七八九十百千万])")
_DIGIT = {sign: value for value, sign in enumerate("零一二三四五六七八九")}


def amounts(text: str, field_currency: str) -> list[Amount]:
    """All amounts of a normalised text, in order. What counts things, hours or guests is none."""
    found: list[Amount] = []
    numbers = numerals(text)
    at = 0
    index = 0
    while index < len(numbers):
        number = numbers[index]
        index += 1
        if number.start < at:
            continue
        amount, used = _amount(text, number, numbers[index:], at, field_currency)
        index += used
        at = amount.end
        found.append(amount)
    return [amount for amount in _joined(text, found) if amount.end > amount.start]


def counted(text: str, at: int) -> bool:
    """Whether what stands right after a number makes it a count of something."""
    return _COUNTED.match(text, at) is not None


def _amount(text: str, number: Numeral, later: Sequence[Numeral], at: int, field: str) -> tuple[Amount, int]:
    start, end, used = number.start, number.end, 0
    named = [currencies.by_code(code) for code in (number.prefix, number.suffix) if code]
    value, code, candidates = number.value, _CODES[number.state], number.values
    if not named and (sign := currencies.before(text, start)) and sign[0] >= at:
        start = sign[0]
        named.append(sign[1])
    minus = _MINUS.search(text, max(0, start - 10), start) or _MINUS.search(text, max(0, number.start - 10), number.start)
    vague = _ABOUT_AFTER.match(text, end)
    if vague and not named:
        end = vague.end()
    cents = _CENT.match(text, number.end)
    if cents and not named:
        end, value = cents.end(), None if value is None else value / 100
        named.append(currencies.DOLLAR)
    elif (after := currencies.after(text, end)) and (not named or currencies.meant(after[1], field) == currencies.meant(named[0], field)):
        end = after[0]
        named.append(after[1])
        end, value, code, used = _with_cents(text, number, later, end, value, code)
    if not vague:
        vague = _ABOUT_AFTER.match(text, end)
    currency = currencies.meant(named[0], field) if named else None
    if not currency and (_COUNTED.match(text, number.end) or _NUMBERED.search(text, max(0, number.start - 12), number.start)):
        return Amount(start, start, (number.start, number.end), None, None, "unreadable"), 0
    if vague or _ABOUT_BEFORE.search(text, max(0, start - 24), start):
        code = code or "approximate"
    if minus:
        start, code = min(start, minus.start()), "negative"
    elif value == 0:
        code = "zero"
    elif _EACH_AFTER.match(text, end) or _EACH_BEFORE.search(text, max(0, start - 12), start):
        code = code or "unreadable"
    if code is None and currency and currency != field:
        code = "currency"
    if code is None and value is not None and value != value.quantize(Decimal("0.01")):
        code = "decimals"
    single = number.spelled and number.end - number.start == 1
    return Amount(start, end, (number.start, number.end), value, currency, code, candidates, number.spelled, single), used


_CODES: dict[str, ProblemCode | None] = {
    "exact": None,
    "vague": "approximate",
    "range": "range",
    "either": "several",
    "broken": "unreadable",
}


def _with_cents(
    text: str, number: Numeral, later: Sequence[Numeral], end: int, value: Decimal | None, code: ProblemCode | None
) -> tuple[int, Decimal | None, ProblemCode | None, int]:
    """`3 dollars 50 cents`, `15 dollars and 50`, 三块五, 两美元又三美分: the part after the currency belongs to the amount."""
    if value is None:
        return end, value, code, 0
    if text[end - 1] in "块刀元" and (tenth := _MAO.match(text, end)) and not counted(text, tenth.end()):
        sign = tenth.group(1)
        return tenth.end(), value + Decimal(_DIGIT.get(sign, 0) or int(sign)) / 10, code, len(later[:1])
    gap = _CENTS.match(text, end)
    if not later or gap is None or later[0].start != gap.end():
        return end, value, code, 0
    small = later[0]
    if small.value is None or small.value != int(small.value) or not 0 < small.value < 100:
        return end, value, code, 0
    if cent := _CENT.match(text, small.end):
        return cent.end(), value + small.value / 100, code, 1
    closed = re.match(r" ?(?:[.,;!?，。；！？\n]|$)", text[small.end : small.end + 3])
    if small.value >= 10 and closed and text[end - 1].isascii():
        return small.end, value + small.value / 100, code, 1
    return end, value, code, 0


def _joined(text: str, found: list[Amount]) -> list[Amount]:
    """Two amounts with 到, to, or between them are one mention that is no amount: a range, or a choice."""
    joined: list[Amount] = []
    for amount in found:
        before = joined[-1] if joined else None
        gap = text[before.number[1] if before.end == before.start else before.end : amount.start if amount.end > amount.start else amount.number[0]] if before else ""
        either = before is not None and _OR.fullmatch(gap)
        spread = before is not None and (
            _RANGE.fullmatch(gap)
            or (gap.strip() in ("and", "和", "与") and _RANGE_EN.search(text, max(0, before.start - 12), before.start))
        )
        if before is None or not (either or spread):
            joined.append(amount)
            continue
        if amount.end == amount.start:  # 2 到 3 天: both count days
            if not before.currency:
                joined[-1] = replace(amount)
            else:
                joined.append(amount)
            continue
        if before.end == before.start:
            joined.append(amount)
            continue
        values = [*(before.candidates or _one(before)), *(amount.candidates or _one(amount))]
        joined[-1] = Amount(
            start=before.start,
            end=amount.end,
            number=(before.number[0], amount.number[1]),
            value=None,
            currency=amount.currency or before.currency,
            code="several" if either else "range",
            candidates=tuple(dict.fromkeys(values)),
        )
    return joined


def _one(amount: Amount) -> list[Decimal]:
    return [] if amount.value is None or amount.code in ("negative", "zero") else [amount.value]

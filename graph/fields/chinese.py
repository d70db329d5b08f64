"""Numbers as Chinese writes them: 三百, 两千五, 叁佰, 廿五, 1.5万, 2千零30万."""

from __future__ import annotations

import re
from decimal import Decimal

_DIGITS = {
    sign: value
    for value, signs in enumerate(
        ("零〇○", "一壹幺", "二贰貳两兩俩倆", "三叁參叄", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for sign in signs
}
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_TENS = {"廿": 20, "卅": 30}
DIGITS = "".join(_DIGITS)
UNITS = "".join(_UNITS)
SCALES = "".join(_SCALES)
VAGUE = "几幾多余餘来數数"
FORMAL = "壹贰貳叁參叄肆伍陆陸柒捌玖拾佰仟"
SIGNS = DIGITS + UNITS + SCALES + "".join(_TENS) + "点點"
_TOKEN = re.compile(rf"\d+(?:\.\d+)?|[{SIGNS}]")
_WESTERN_GROUP = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def chinese_number(words: str) -> Decimal | None:
    """The exact value of a number in Chinese writing; None where it is not one well-formed number.

    A last digit without its unit takes the next smaller one, as people speak: 一百二 is 120, 一万五 is 15000.
    """
    words = _WESTERN_GROUP.sub("", words).replace(" ", "")
    whole, point, fraction = words.replace("點", "点").partition("点")
    tokens = _TOKEN.findall(whole)
    if "".join(tokens) != whole or not tokens:
        return None
    if not point:
        return _integer(tokens)
    tail, scale = fraction, Decimal(1)
    while tail and tail[-1] in _SCALES:
        scale *= _SCALES[tail[-1]]
        tail = tail[:-1]
    digits = [str(_DIGITS[sign]) for sign in tail if sign in _DIGITS and sign not in "两兩俩倆"]
    before = _integer(tokens)
    if before is None or before != int(before) or not tail or len(digits) != len(tail):
        return None
    return (before + Decimal("0." + "".join(digits))) * scale


def _integer(tokens: list[str]) -> Decimal | None:
    total = Decimal(0)
    last_scale = 0
    section: list[str] = []
    for token in tokens:
        if token not in _SCALES:
            section.append(token)
            continue
        scale = _SCALES[token]
        value = _section(section, None) if section else Decimal(0)
        if value is None or (not section and not total):
            return None
        if last_scale and scale >= last_scale:
            if section and scale == last_scale:
                return None
            total = (total + value) * scale
        else:
            total += value * scale
        last_scale, section = scale, []
    if not section:
        return total
    rest = _section(section, last_scale or None)
    return None if rest is None else total + rest


def _section(tokens: list[str], above: int | None) -> Decimal | None:
    """The part below one scale. `above` is the scale before it, which a lone last digit is a tenth of."""
    if len(tokens) == 1 and tokens[0][0].isascii():
        value = Decimal(tokens[0])
        return value if above is None else None
    total, ceiling, zero = Decimal(0), 10**4, False
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token in _TENS:
            if ceiling <= 10:
                return None
            total, ceiling = total + _TENS[token], 10
            index += 1
            continue
        if token in _UNITS:  # 十五, 千三: a unit with no digit before it
            if index and not zero:
                return None
            digit, unit, step = Decimal(1), _UNITS[token], 1
        else:
            if token in _DIGITS and _DIGITS[token] == 0:
                if index == len(tokens) - 1 and len(tokens) > 1:
                    return None
                zero = True
                index += 1
                continue
            digit = Decimal(_DIGITS[token]) if token in _DIGITS else Decimal(token)
            after = tokens[index + 1] if index + 1 < len(tokens) else ""
            unit, step = (_UNITS[after], 2) if after in _UNITS else (0, 1)
        if unit:
            if unit >= ceiling or (digit >= 10 and not (index == 0 and step == 2)):
                return None
            total, ceiling, zero = total + digit * unit, unit, False
        else:
            if index != len(tokens) - 1:
                return None
            implied = ceiling // 10 if index and not zero else (above // 10 if above and not zero and not index else 1)
            if token[0].isascii() and not zero and implied > 1:
                return None
            if digit >= ceiling:
                return None
            total += digit * implied
        index += step
    return total

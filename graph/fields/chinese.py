"""Numbers as Chinese writes them: 三百, 两千五, 叁佰, 廿五, 1.5万, 2千零30万."""

from __future__ import annotations

import re
from decimal import Decimal

DIGITS = "零〇○一壹幺二贰貳两兩俩倆三叁參叄四肆五伍六陆陸七柒八捌九玖"
UNITS = "十拾百佰千仟"
SCALES = "万萬亿億兆"
#: Signs that make a number inexact: 几百, 一百多, 百余, 一百来.
VAGUE = "几幾多余餘來来数數"
FORMAL = "壹贰貳叁參叄肆伍陆陸柒捌玖拾佰仟"
SIGNS = DIGITS + UNITS + SCALES + "廿卅点點"

_PLAIN = str.maketrans(
    "〇○壹幺贰貳两兩俩倆叁參叄肆伍陆陸柒捌玖拾佰仟萬億點",
    "零零一一二二二二二二三三三四五六六七八九十百千万亿点",
)
_VALUE = {sign: Decimal(value) for value, sign in enumerate("零一二三四五六七八九")}
_SIZE = {"万": 10**4, "亿": 10**8, "兆": 10**12}
_ONE = r"[一二三四五六七八九]|\d+(?:\.\d+)?"
_SECTION = re.compile(
    rf"(?:零?(?P<k>(?:{_ONE})?)千)?(?:零?(?P<h>(?:{_ONE})?)百)?(?:零?(?P<t>(?:{_ONE})?)十)?(?:(?P<gap>零)?(?P<last>{_ONE}))?"
)
_WESTERN_GROUP = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def chinese_number(words: str) -> Decimal | None:
    """The exact value of a number in Chinese writing; None where it is not one well-formed number.

    A last digit without its unit takes the next smaller one, as people speak: 一百二 is 120, 一万五 is 15000.
    """
    if re.search("点[0-9]*[两兩俩倆]", words):
        return None
    words = _WESTERN_GROUP.sub("", words).replace(" ", "").translate(_PLAIN).replace("廿", "二十").replace("卅", "三十")
    whole, point, fraction = words.partition("点")
    value = _integer(whole)
    if value is None or not point:
        return value
    digits = fraction.rstrip("万亿兆")
    if value != int(value) or not digits or any(sign not in _VALUE for sign in digits):
        return None
    value += Decimal("0." + "".join(str(_VALUE[sign]) for sign in digits))
    for scale in fraction[len(digits) :]:
        value *= _SIZE[scale]
    return value


def _integer(words: str) -> Decimal | None:
    """Sections of up to four places, each with its scale: 三百五十一万亿, 一万零五."""
    *scaled, rest = re.split("(?<=[万亿兆])", words)
    total, last = Decimal(0), 0
    for part in scaled:
        section, size = part[:-1], _SIZE[part[-1]]
        value = _section(section, first=not last) if section else Decimal(0)
        if value is None or not (section or total) or (section and size == last):
            return None
        if last and size >= last:  # 万亿
            total = (total + value) * size
        else:
            total += value * size
        last = size
    if not rest:
        return total if words else None
    value = _section(rest, first=not last, above=last)
    return None if value is None else total + value


def _section(words: str, *, first: bool, above: int = 0) -> Decimal | None:
    """Up to four places. `above` is the scale before the last section, of which a lone last digit is a tenth."""
    if words == "零":
        return Decimal(0) if first else None
    found = _SECTION.fullmatch(words)
    if found is None or (words.startswith("零") and first) or words in ("百", "千", "百十"):  # 上百, 百十块
        return None
    total, smallest = Decimal(0), above
    for name, unit in (("k", 1000), ("h", 100), ("t", 10)):
        digits = found[name]
        if digits is None:
            continue
        if not digits and total and unit > 10:  # 三千百
            return None
        value = _digits(digits or "一")
        if value >= 10 and (total or not first):
            return None
        total, smallest = total + value * unit, unit
    if found["last"] is None:
        return total
    last = _digits(found["last"])
    implied = 1 if found["gap"] or smallest in (0, 10) else smallest // 10
    if found["last"].isascii() and (last >= 10 or last != int(last)) and (implied > 1 or (smallest and last >= smallest)):
        return None  # 1万50 is no number, 1万5 is
    return total + last * implied


def _digits(words: str) -> Decimal:
    return _VALUE[words] if words in _VALUE else Decimal(words)

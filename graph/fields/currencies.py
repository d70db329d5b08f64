"""Which words and signs name which currency."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Stands for "whatever the field takes": 块, 刀, bucks.
FIELD = "*"
#: A dollar of some country: the field's own, if that is a dollar.
DOLLAR = "$"

ISO = frozenset(
    {"USD", "CNY", "RMB", "EUR", "GBP", "JPY", "HKD", "AUD", "CAD", "NZD", "SGD", "TWD", "KRW", "THB", "CHF", "SEK", "NOK"}
    | {"DKK", "RUB", "INR", "MXN", "BRL", "ZAR", "TRY", "IDR", "MYR", "PHP", "VND", "AED", "SAR", "ILS", "PLN", "CZK"}
    | {"HUF", "GEL", "BTC", "ETH", "USDT", "MOP"}
)
_DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD"})

_NAMES = {
    FIELD: "块钱 块 塊錢 塊 刀 bucks buck",
    DOLLAR: "$ dollars dollar",
    "USD": "美元 美金 元美金 元美元 块美金 块美元 美刀 美圆 us$ us_$ u.s$ u.s._$ u.s_$ us_dollars us_dollar u.s._dollars "
    "american_dollars",
    "CNY": "元 圆 人民币 人民幣 ¥ rmb yuan chinese_yuan kuai renminbi",
    "EUR": "欧元 歐元 € euros euro",
    "GBP": "英镑 英鎊 £ pounds pound british_pounds quid pence penny",
    "JPY": "日元 日圆 日币 円 japanese_yen yen",
    "HKD": "港元 港币 港幣 港纸 hk$ hong_kong_dollars",
    "TWD": "台币 新台币 台幣 nt$",
    "AUD": "澳元 澳币 澳刀 澳大利亚元 a$ au$ australian_dollars australian_dollar aussie_dollars",
    "CAD": "加元 加币 加刀 加拿大元 c$ c_$ ca$ cad$ canadian_dollars canadian_dollar",
    "SGD": "新币 新刀 新加坡元 坡币 s$ singapore_dollars",
    "NZD": "纽币 纽刀 新西兰元 nz$ new_zealand_dollars",
    "KRW": "韩元 韩币 韓元 ₩ won",
    "THB": "泰铢 泰銖 ฿ baht",
    "CHF": "瑞士法郎 法郎 swiss_francs swiss_franc francs franc",
    "RUB": "卢布 ₽ rubles rouble roubles ruble",
    "INR": "卢比 ₹ rupees rupee",
    "VND": "越南盾 ₫ dong",
    "MOP": "澳门元 葡币 mop$",
    "MXN": "比索 mex$ pesos peso",
    "BTC": "比特币 ₿ bitcoins bitcoin satoshis",
    "TRY": "里拉 ₺ lira turkish_lira",
    "GEL": "₾ lari",
    "ILS": "₪ shekels shekel",
}
_BY_NAME = {name.replace("_", " "): code for code, names in _NAMES.items() for name in names.split()} | {
    code.lower(): "CNY" if code == "RMB" else code for code in ISO
}
_LONGEST = sorted(_BY_NAME, key=len, reverse=True)


def _bounded(name: str, *, before: bool) -> str:
    pattern = re.escape(name)
    if name[0].isascii() and name[0].isalpha():
        pattern = r"(?<![a-z])" + pattern
    if name[-1].isascii() and name[-1].isalpha():
        pattern += r"(?![a-z])" if before else r"(?![a-z0-9])"
    return pattern


_NOT_MONEY = {"元": "(?![旦月素宵])", "刀": "(?![具子片])", "块": "(?!儿)", "won": "(?!')"}
NAME = "|".join(_bounded(name, before=False) + _NOT_MONEY.get(name, "") for name in _LONGEST)
_BEFORE = re.compile(rf"({'|'.join(_bounded(name, before=True) for name in _LONGEST)}) ?$")
#: What makes a plain dollar another country's, before or after it: 100 dollars (canadian).
_LAND_NAMES = {
    "CAD": "canadian 加拿大",
    "AUD": "australian aussie 澳大利亚",
    "USD": "american us 美国",
    "HKD": "hong_kong 香港",
    "SGD": "singaporean singapore 新加坡",
    "NZD": "new_zealand 新西兰",
    "TWD": "taiwanese taiwan 台湾",
}
_LANDS = {name.replace("_", " "): code for code, names in _LAND_NAMES.items() for name in names.split()}
_LAND = "|".join(_bounded(land, before=True) for land in _LANDS)
#: What every name before a number ends with: one look spares most texts the search.
_LAST = frozenset(name[-1] for name in (*_BY_NAME, *_LANDS))
_AROUND = " :(="
#: English words that are also names of currencies count only right at the number.
_WORDS = r"(?<![a-z])(?:try|won|mop|dong|penny|pence)(?![a-z])"
_LOOSE = r"(?:[ ,，.。;；:、()\[\]【】'\"/=-]|[是的或用按以]|还是|现金|(?<![a-z])(?:in|of|or|as|and|cash)(?![a-z]))*"
_BESIDE = re.compile(rf"{_LOOSE}(?!{_WORDS})(?P<name>{NAME})(?! ?:? ?\d)")
_OF_LAND = re.compile(rf"[ (]*(?P<name>{_LAND})")
_AHEAD = re.compile(
    rf"(?P<name>{'|'.join(_bounded(name, before=True) for name in _LONGEST)}|{_LAND})[{_AROUND}]*(?:dollars? ?|bucks ?)?$"
)
_AFTER = re.compile(rf" ?({NAME})")


def before(text: str, at: int) -> tuple[int, str] | None:
    """The currency named right before `at`: where it starts, and its code."""
    if text[max(0, at - 24) : at].rstrip(" ")[-1:] not in _LAST:
        return None
    found = _BEFORE.search(text, max(0, at - 24), at)
    return (found.start(), _BY_NAME[found.group(1)]) if found else None


def after(text: str, at: int) -> tuple[int, str] | None:
    """The currency named right after `at`: where it ends, and its code."""
    found = _AFTER.match(text, at)
    return (found.end(), _BY_NAME[found.group(1)]) if found else None


def beside(text: str, start: int, end: int, at: int, named: str) -> list[tuple[int, str]]:
    """Further currencies named beside an amount, whatever stops stand between: `100 dollars (CAD)`, `人民币：$100`.

    Each with the place up to which the amount then reaches. Nothing before `at` is looked at, and nothing that belongs
    to the number after it.
    """
    found = []
    ahead = text[max(at, start - 24) : start].rstrip(_AROUND)[-1:] in _LAST
    if ahead and (before_ := _AHEAD.search(text, max(at, start - 24), start)) is not None:
        found.append((end, _code(before_["name"])))
    if named in (FIELD, DOLLAR) and (land := _OF_LAND.match(text, end)) is not None:
        end = land.end()
        found.append((end, _code(land["name"])))
    while (after_ := _BESIDE.match(text, end)) is not None:
        end = after_.end()
        found.append((end, _code(after_["name"])))
    return found


def agreed(codes: Sequence[str], field: str) -> str | None:
    """The one currency that all these names can mean in a field of currency `field`; None where they differ."""
    named = {code for code in codes if code not in (FIELD, DOLLAR)}
    if not named:
        return meant(codes[0], field)
    one = min(named)
    return one if len(named) == 1 and (DOLLAR not in codes or one in _DOLLARS) else None


def _code(name: str) -> str:
    return _LANDS.get(name) or _BY_NAME[name]


def by_code(code: str) -> str:
    """The ISO code that a written code stands for (`rmb` is CNY)."""
    return _BY_NAME[code]


def meant(code: str, field: str) -> str:
    """The ISO code that is meant in a field of currency `field`."""
    if code == FIELD:
        return field
    if code == DOLLAR:
        return field if field in _DOLLARS else "USD"
    return code


def all_named(text: str) -> set[str]:
    """The currencies that a normalised text names, a plain dollar as USD."""
    return {meant(_BY_NAME[found.group()], "USD") for found in re.finditer(NAME, text)}

"""What the bot writes, held against what it was written from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.fields import currencies
from graph.fields.numerals import numerals
from graph.fields.words import Source

_ID = re.compile(r"(?<![a-z0-9])(?=[a-z0-9_-]*\d)(?=[a-z0-9_-]*[a-z])[a-z0-9]+(?:[-_][a-z0-9]+)*")
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})|(\d{1,2})月(\d{1,2})[日号]?|(?<!\d)(\d{1,2}):(\d{2})")
_DIGITS = re.compile(r"\d+")
_PROMISE = re.compile(
    r"(?:\d+|[一二两三四五六七八九十几]+)(?: ?(?:到|至|-|~) ?(?:\d+|[一二两三四五六七八九十]+))? ?(?:个)?(?:工作日|小时|分钟|天|日内|周|星期|个月|月内)|"
    r"今天|今日|明天|明日|后天|当天|当日|隔天|本周|下周|月底|年底|马上|立即|立刻|很快|不久|尽快|即刻|随后到账|实时|秒到|"
    r"(?<![a-z])(?:today|tonight|tomorrow|soon|shortly|immediately|instantly|right away|asap|next (?:week|day|month)|this week|by (?:monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|the end of)|(?:business|working) days?|(?:\d+|one|two|three|four|five|seven|ten)(?: ?(?:to|-) ?\w+)? "
    r"(?:hours?|days?|weeks?|minutes?|months?))(?![a-z])"
)
_SMALL_WORDS = frozenset("一 one a an 两".split())


def grounded(said: str, sources: Sequence[str]) -> bool:
    """Whether every number, id, date and currency of `said`, and every promise of a time, is in one of the sources.

    Writing does not matter: 80, 80.00, 八十 and ８０ are the same number.
    """
    norm = Source(said).norm
    known = [Source(source[at : at + 4000]).norm for source in sources for at in range(0, max(len(source), 1), 3900)]
    joined = "\n".join(known)
    if not _dates(norm) <= _dates(joined) or not _ids(norm) <= _ids(joined):
        return False
    if not currencies.all_named(norm) <= currencies.all_named(joined):
        return False
    if any(promise not in joined for promise in _promises(norm)):
        return False
    numbers = {number for text in known for number in _numbers(text)}
    tails = _DIGITS.findall(re.sub(r"(?<=\d)[ -](?=\d)", "", joined))
    return all(
        number in numbers or (len(number) == 4 and any(tail.endswith(number) and len(tail) >= 8 for tail in tails))
        for number in _numbers(_without_ids(norm))
    )


def _numbers(norm: str) -> set[str]:
    found = set()
    for number in numerals(norm):
        words = norm[number.start : number.end]
        if words in _SMALL_WORDS:
            continue
        values = [number.value] if number.value is not None else list(number.values)
        found.update(f"{value.normalize():f}" for value in values) if values else found.add(words)
    found.update(digits.lstrip("0") or "0" for digits in _DIGITS.findall(norm) if len(digits) >= 5)
    return found


def _without_ids(norm: str) -> str:
    return _DATE.sub(" ", _ID.sub(lambda found: found.group() if numerals(found.group()) else " ", norm))


def _ids(norm: str) -> set[str]:
    return {found.group() for found in _ID.finditer(norm) if not numerals(found.group())}


def _dates(norm: str) -> set[str]:
    found = set()
    for match in _DATE.finditer(norm):
        year, month, day, month_only, day_only, hour, minute = match.groups()
        if hour:
            found.add(f"{int(hour)}:{minute}")
        elif year:
            found |= {f"{year}-{int(month)}-{int(day)}", f"{int(month)}-{int(day)}"}
        else:
            found.add(f"{int(month_only)}-{int(day_only)}")
    return found


def _promises(norm: str) -> set[str]:
    return {found.group() for found in _PROMISE.finditer(norm)}

"""Dates as people write them: 2026-12-01, 12月1号, 下周三, next Wednesday, in three days. What names no one day is none.

A day without its year is the coming one, or one of the past month; weeks begin on Monday, and `next Wednesday` is 下周三,
the one of the coming week.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from graph.fields.chinese import chinese_number
from graph.fields.english import english_number
from graph.fields.found import Found
from graph.fields.words import any_of

_PAST_DAYS = 31
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
_SIGNS = "[一二三四五六七八九十廿卅]{1,3}"
_DAY_ZH = rf"(?:\d{{1,2}}|{_SIGNS})"
_COUNT = (
    r"\d{1,3}|[一二两三四五六七八九十]{1,3}|"
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen)(?![a-z])"
)
_UNITS = {"天": 1, "日": 1, "day": 1, "周": 7, "星期": 7, "礼拜": 7, "week": 7}
_AWAY = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今日": 0, "今晚": 0, "当天": 0, "今早": 0,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "后日": 2, "大后天": 3, "the day before yesterday": -2,
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1, "tmr": 1,
    "tmrw": 1, "tomorow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
_NAMED = "|".join(
    rf"(?<![a-z]){word}(?![a-z])".replace(" ", r"\ ") if word.isascii() else word
    for word in sorted(_AWAY, key=len, reverse=True)
)
_END = r"(?![\d-])(?!/\d)"
_DATES = re.compile(
    rf"""
    (?=\d|(?<![a-z])[a-z]|[零〇一二两三四五六七八九十廿卅今明后去这本下上每周星礼大前昨当])(?:
    (?<![\da-z./-])(?P<y>\d{{4}})\ ?[-/.年]\ ?(?P<m>\d{{1,2}})\ ?[-/.月]\ ?(?P<d>\d{{1,2}}){_END}(?:\ ?[日号])?
    | (?P<zh_y>[零〇一二三四五六七八九]{{4}}|今|明|后|去)年(?P<zh_m>{_DAY_ZH})月(?P<zh_d>{_DAY_ZH})[日号]?
    | (?<![\d月])(?P<zm>{_DAY_ZH})\ ?月\ ?(?P<zd>{_DAY_ZH})(?!\d)(?:\ ?[日号])?(?![个元块])
    | (?P<rel_m>这个?月|本月|下个?月|上个?月)(?P<rel_d>{_DAY_ZH})[日号]
    | (?<![a-z])(?P<em>{_MONTH})\ ?(?:the\ )?(?P<ed>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\ ?(?P<ey>\d{{4}})(?!\d))?
    | (?<![\d.])(?P<dd>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<dm>{_MONTH})(?![a-z])(?:,?\ ?(?P<dy>\d{{4}})(?!\d))?
    | (?<![\da-z./-])(?P<a>\d{{1,2}})(?P<sep>[/.])(?P<b>\d{{1,2}})(?P=sep)(?P<c>\d{{4}}){_END}
    | (?<![\da-z./-])(?P<sa>\d{{1,2}})/(?P<sb>\d{{1,2}}){_END}(?![a-z])
    | (?P<each>每个?)?(?P<which>下下|下|上上|上|这|本)?(?:一?个)?(?:周|星期|礼拜)(?P<wd>[一二三四五六日天])(?!天)
    | (?<![a-z])(?:(?P<every>every|each)\ )?(?P<ewhich>(?:next|last|(?:the\ |this\ )?coming|this)(?:\ week(?:'s)?)?\ )?
      (?P<ewd>{_WEEKDAY})(?![a-z])\.?(?P<later>\ (?:next|this|last)\ week)?
    | (?P<n>{_COUNT})\ ?(?:个)?(?P<unit>天|周|星期|礼拜|days?|weeks?)(?:之|以)?\ ?
      (?P<dir>后|前|later|from\ (?:now|today)|ago)
    | (?<![a-z])in\ (?P<in_n>{_COUNT})\ (?P<in_unit>days?|weeks?)(?![a-z])
    | (?P<named>{_NAMED})
    )""",
    re.VERBOSE,
)
#: A day of the month by itself, right after another date: 12月1号到3号.
_SECOND = re.compile(rf" ?(?:到|至|或者?|还是|、|,|，|和|-|~|to|or|and) ?(?:the )?({_DAY_ZH}) ?(?:[日号]|st|nd|rd|th)")
_VAGUE_BEFORE = re.compile(any_of("大约|大概", "about|around|before|after") + r" ?$")
_VAGUE_AFTER = re.compile(r" ?(?:左右|之?以?前(?!台)|之?以?后(?!续)|前后|or so(?![a-z])|or later|or earlier)")
_COMPACT = re.compile(r"(?<![\da-z-])(20\d{2})(0[1-9]|1[0-2])([0-2]\d|3[01])(?![\da-z-])")
_CHINESE_SIGN = re.compile("[一-鿿]")


@lru_cache(maxsize=128)
def dates(text: str, today: date | None = None) -> tuple[Found, ...]:
    """The days that a normalised text names, as ISO 8601. Without `today` only those with their year."""
    found = []
    for match in [*_DATES.finditer(text), *_COMPACT.finditer(text)]:
        day = _day(match, text, today)
        if day is None:
            continue
        found.append(Found(match.start(), match.end(), day.isoformat()))
        second = _SECOND.match(text, match.end())
        if second and (other := _of(day.year, day.month, _number(second.group(1)))):
            found.append(Found(second.start(1), second.end(), other.isoformat()))
    return tuple(sorted(_joined(text, found), key=lambda one: one.start))


def vague(text: str, hit: Found) -> bool:
    """Whether the words around a date make it a bound or an estimate: 12月1号之前, around Dec 1."""
    before = _VAGUE_BEFORE.search(text, max(0, hit.start - 12), hit.start)
    return before is not None or _VAGUE_AFTER.match(text, hit.end) is not None


def _day(match: re.Match[str], text: str, today: date | None) -> date | None:
    if match.re is _COMPACT:
        return _of(*(int(part) for part in match.groups()))
    got = match.groupdict()
    if got["y"]:
        return _of(int(got["y"]), int(got["m"]), int(got["d"]))
    if got["c"]:
        return _day_and_month(int(got["a"]), int(got["b"]), int(got["c"]), today, text)
    year = got["ey"] or got["dy"]
    if year:
        month, day = (got["em"], got["ed"]) if got["em"] else (got["dm"], got["dd"])
        return _of(int(year), _month(month), int(day))
    if today is None:
        return None
    if got["zh_y"]:
        return _of(_year(got["zh_y"], today), _number(got["zh_m"]), _number(got["zh_d"]))
    if got["zm"]:
        return _coming(_number(got["zm"]), _number(got["zd"]), today)
    if got["rel_m"]:
        ahead = {"下": 1, "上": -1}.get(got["rel_m"][0], 0)
        month = today.year * 12 + today.month - 1 + ahead
        return _of(month // 12, month % 12 + 1, _number(got["rel_d"]))
    if got["em"] or got["dm"]:
        return _coming(_month(got["em"] or got["dm"]), int(got["ed"] or got["dd"]), today)
    if got["sa"]:
        return _day_and_month(int(got["sa"]), int(got["sb"]), None, today, text)
    if got["each"] or got["every"]:
        return None
    if got["wd"]:
        return _weekday("一二三四五六日".find(got["wd"].replace("天", "日")), got["which"] or "", today)
    if got["ewd"]:
        which = f"{got['ewhich'] or ''}{got['later'] or ''}"
        return _weekday(_WEEKDAYS.index(got["ewd"][:3]), next((w for w in ("next", "last") if w in which), ""), today)
    if got["named"]:
        return today + timedelta(days=_AWAY[got["named"]])
    count, unit = got["n"] or got["in_n"], (got["unit"] or got["in_unit"]).rstrip("s")
    ahead = -1 if got["dir"] in ("前", "ago") else 1
    return today + timedelta(days=ahead * _number(count) * _UNITS[unit])


def _weekday(day: int, which: str, today: date) -> date | None:
    """A weekday of the week meant; without a word for the week, the coming one, today included."""
    monday = today - timedelta(days=today.weekday())
    weeks = {"下下": 2, "下": 1, "next": 1, "上": -1, "last": -1, "上上": -2}.get(which)
    if weeks is not None:
        return monday + timedelta(days=day + 7 * weeks)
    if which in ("这", "本"):
        return monday + timedelta(days=day)
    return today + timedelta(days=(day - today.weekday()) % 7)


def _coming(month: int, day: int, today: date) -> date | None:
    for year in (today.year, today.year + 1):
        found = _of(year, month, day)
        if found and found >= today - timedelta(days=_PAST_DAYS):
            return found
    return None


def _day_and_month(first: int, second: int, year: int | None, today: date | None, text: str) -> date | None:
    """Two numbers with a slash. In Chinese the month stands first; in English only what can be read in one way counts."""
    if first > 12 and second <= 12:
        first, second = second, first
    elif second <= 12 and first != second and not _CHINESE_SIGN.search(text):
        return None
    if year is not None:
        return _of(year, first, second)
    return _coming(first, second, today) if today else None


def _year(words: str, today: date) -> int:
    away = {"今": 0, "明": 1, "后": 2, "去": -1}.get(words)
    if away is not None:
        return today.year + away
    return int("".join(str("零一二三四五六七八九〇".find(sign) % 10) for sign in words))


def _month(words: str) -> int:
    return _MONTHS.index(words[:3]) + 1


def _number(words: str) -> int:
    if words.isdigit():
        return int(words)
    value = english_number(words) if words.isascii() and words not in ("a", "an") else chinese_number(words)
    return 1 if words in ("a", "an") else int(value or 0)


def _of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _joined(text: str, found: list[Found]) -> list[Found]:
    """A weekday beside the date that it falls on says it once more: Wednesday, Dec 2; one that does not is a second day."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: each.start):
        last = kept[-1] if kept else None
        if last and one.value == last.value and not text[last.end : one.start].strip(" ,，()（）的"):
            kept[-1] = Found(last.start, one.end, last.value)
        else:
            kept.append(one)
    return kept

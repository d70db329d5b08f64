"""Times that a text promises: in three days, 5 到 7 个工作日, tomorrow, soon. The same promise in any words is equal."""

from __future__ import annotations

import re

from graph.fields.chinese import chinese_number
from graph.fields.english import english_number
from graph.fields.words import any_of

_UNITS = {
    "workday": r"个?工作日|(?:business|working) days?",
    "hour": "个?小时|个?钟头|hours?|hrs?",
    "minute": "分钟|minutes?|mins?",
    "day": "天|日内|days?",
    "week": "周|个?星期|个?礼拜|weeks?",
    "month": "个?月(?!\\d)|months?",
}
_WORDS = {
    "today": any_of("今天|今日|当天|当日|今晚", "today|tonight|same day"),
    "tomorrow": any_of("明天|明日|隔天|次日", "tomorrow|next day"),
    "later": any_of(
        "后天|本周|下周|月底|年底|周[一二三四五六日末]", "this week|next week|next month|the end of the (?:week|month)"
    ),
    "weekday": any_of("", "(?:by|on) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"),
    "now": any_of("马上|立即|立刻|即刻|实时|秒到", "immediately|instantly|right away|at once"),
    "soon": any_of("很快|不久|尽快|随后到账|稍后", "soon|shortly|asap|as soon as possible"),
}
_NUMBER = (
    "[0-9]{1,6}|[一二两三四五六七八九十几百]{1,6}|one|two|three|four|"
    "five|six|seven|eight|nine|ten|fourteen|thirty|several|few"
)
_SPAN = re.compile(
    rf"(?<![a-z0-9])({_NUMBER})(?: ?(?:到|至|-|~|to|or) ?({_NUMBER}))? ?(?:"
    + "|".join(rf"(?P<{name}>{unit})" for name, unit in _UNITS.items())
    + ")(?![a-z])"
)
_SAID = re.compile("|".join(rf"(?P<{name}>{words})" for name, words in _WORDS.items()))


def promises(norm: str) -> set[str]:
    """The times that a normalised text names, each in one form: `5-7 workday`, `3 day`, `soon`.

    A span of time also counts as its upper end: who promises 5 to 7 days promises 7.
    """
    found = {match.group() if match.lastgroup == "weekday" else str(match.lastgroup) for match in _SAID.finditer(norm)}
    for match in _SPAN.finditer(norm):
        low, high, unit = _value(match.group(1)), _value(match.group(2) or ""), match.lastgroup
        found.add(f"{low}-{high} {unit}" if high else f"{low} {unit}")
    return found


def held(norm: str) -> set[str]:
    """The promises that a source bears out: its own, and the upper end of its spans."""
    found = promises(norm)
    return found | {re.sub(r"^.*-(?=\S+ )", "", promise) for promise in found}


def _value(words: str) -> str:
    if not words or words.isdigit():
        return words.lstrip("0")
    number = english_number(words) if words.isascii() else chinese_number(words)
    return words if number is None else f"{number:f}"

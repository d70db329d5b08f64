"""A speaker's own repair inside a sentence: `80，不对，60`, `KL-778, I mean KL-787`. What was taken back is not said."""

from __future__ import annotations

import re
from datetime import date

from graph.fields.chinese import SIGNS
from graph.fields.currencies import NAME
from graph.fields.dates import dates
from graph.fields.english import SPELLED
from graph.fields.words import any_of

_TAKES_BACK = any_of(
    "[哦噢啊呃]?不[不对]?(?=[,， ])|不对|不是(?=[ ,，.。:：;；、…啊哦])|错了|说错了?|打错了?|写错了?|口误|更正",
    "no wait|no|wait|sorry|i meant?|correction|scratch that|make (?:it|that)|rather|typo|oops",
)
_LEADS_ON = any_of("应该|是|改成|改为|要|我|想说的?", "it's|it is|i meant?|should be|make (?:it|that)")
_STOPS = rf"(?:[ ,，.。?？:：;；、…-]|{any_of('[啊哦额呃哎噢唉]', 'oh|uh|ah|er|um')})"
MARK = re.compile(rf"{_STOPS}*(?:{_TAKES_BACK}{_STOPS}*)+(?:{_LEADS_ON}{_STOPS}*)*")
_CODE = re.compile(r"(?<![a-z0-9])[a-z]{1,6}[- ]?\d{2,12}(?![a-z0-9])")
_DIGITS = re.compile(r"(?<![\d-])\+?\d[\d -]{5,18}\d")
_NUMBER = re.compile(
    rf"(?<![a-z0-9.,{SIGNS}-])(?:[$€£¥] ?)?(?:\d[\d,.]{{0,12}}(?:k|w)?|[{SIGNS}]{{1,12}})(?: ?(?:{NAME}))?(?<![,.])"
)
_KINDS = (_CODE, _DIGITS, _NUMBER, re.compile(rf"(?:{SPELLED})(?: ?(?:{NAME}))?"))
_VALUE = "|".join(f"(?:{kind.pattern})" for kind in _KINDS)
#: 不是 200 是 300, not 200 but 300: the first is turned down for the second.
_INSTEAD = re.compile(
    rf"(?:不是|并非|(?<![a-z])not) ?(?:{_VALUE}) ?[,，]? ?(?:而?是|应该是|"
    rf"(?<![a-z])(?:but|it's|rather)(?![a-z])|(?<=[,，] ))"
    rf" ?(?={_VALUE})"
)


def repaired(norm: str, today: date | None = None) -> str:
    """The text with what was taken back, and the words that take it back, as spaces; every other sign keeps its place."""
    norm = _INSTEAD.sub(lambda found: " " * len(found.group()), norm)
    for mark in MARK.finditer(norm):
        days = {one.end: one.start for one in dates(norm, today)}
        if mark.start() in days and any(one.start == mark.end() for one in dates(norm, today)):
            low = days[mark.start()]
            norm = norm[:low] + " " * (mark.end() - low) + norm[mark.end() :]
            continue
        for kind in _KINDS:
            before = list(kind.finditer(norm, max(0, mark.start() - 32), mark.start()))[-1:]
            if before and before[0].end() == mark.start() and kind.match(norm, mark.end()):
                low = before[0].start()
                norm = norm[:low] + " " * (mark.end() - low) + norm[mark.end() :]
                break
    return norm

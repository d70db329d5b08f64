"""Short texts such as names: what an answer leaves over once the words that lead to it are taken off."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.fields import FieldSpec
from graph.fields.chinese import SIGNS
from graph.fields.words import any_of
from graph.reading.fillers import commands, courtesy, goes_on
from graph.reading.labels import labels
from graph.reading.pending import NOT_HERE
from graph.reading.spans import Span, Taken, left_over, trimmed
from graph.reading.talk import asking, says_yes

_STOPS = re.compile(r"[,，。.;；、!！?？\n/|()（）]+(?!\w)|[,，。:;；、\n/|]|(?<![a-z])(?:and|with|at|on)(?![a-z])")
_LEAD = re.compile(
    "(?:"
    + any_of(
        "我叫|叫做?|我是|这是|就是|联系人?|姓名|名字|找|请|打给|是|为|填|写|那就|就",
        "my name is|my name's|(?:the )?name is|name's|names?|i am|i'm|this is|it's|it is|call(?: me)?|ask for|"
        "(?:the )?contact(?: person)?(?: is)?|is|please|pls|hi|hello|speak to",
    )
    + "|[ :：])+"
)
_TRAIL = re.compile(
    "(?:"
    + any_of(
        "的|电话|手机|号码|联系方式|联系电话|是|为|吧|就行|就好|即可|谢谢|好了",
        "my|his|her|the|their|number|phone|mobile|tel|cell|whatsapp|is|please|pls|thanks|here|speaking",
    )
    + "|[ :：])+$"
)
#: Who speaks of a name or a number does not say it.
_NAMING = re.compile(any_of(
        "姓名|名字|电话|手机|号码|你|我们|已经|知道|之前|上面|前面|刚才",
        "names?|number|phone|mobile|you|we|they|it|this|that|same|already|have|has|know|will|can|see|don't",
    ))
#: A name has no more words, or Chinese signs, than these.
_WORDS, _SIGNS = 6, 16


def short_text(norm: str, taken: Taken, fields: Sequence[FieldSpec]) -> Span | None:
    """The one stretch of an answer that can be a short text; None where there is none, or more than one."""
    spans: list[Span] = []
    for low, high in left_over(0, len(norm), taken.all()):
        at = low
        for stop in [*_STOPS.finditer(norm, low, high), None]:
            end = stop.start() if stop else high
            if span := _bare(norm, at, end, fields):
                spans.append(span)
            at = stop.end() if stop else high
    return spans[0] if len(spans) == 1 else None


def _bare(norm: str, low: int, high: int, fields: Sequence[FieldSpec]) -> Span | None:
    """The part without what leads to it and follows it, if it can be a name."""
    low, high = trimmed(norm, low, high)
    if lead := _LEAD.match(norm, low, high):
        low = lead.end()
    trail = _TRAIL.search(norm, low, high)
    low, high = trimmed(norm, low, trail.start() if trail else high)
    words = norm[low:high]
    if not _says_a_name(words) or len(words.split()) > _WORDS or len(re.findall("[一-鿿]", words)) > _SIGNS:
        return None
    if not _says_a_name(labels(words, fields).rest) or re.search(r"\d", words):
        return None
    if _NAMING.search(words):
        return None
    talk = courtesy(words) or commands(words) or goes_on(words) or asking(words) or says_yes(words) is not None
    return None if talk or NOT_HERE.search(norm, low, high) else (low, high)


def _says_a_name(words: str) -> bool:
    """Whether there are two letters or signs, not all of them numbers: 张三."""
    return len(re.findall("[a-z㐀-鿿]", words)) >= 2 and re.search(rf"[a-z]|(?![{SIGNS}])[㐀-鿿]", words) is not None

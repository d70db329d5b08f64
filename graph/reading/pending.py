"""Words that put a single thing off, or take back what was just said, while the rest of the message stands."""

from __future__ import annotations

import re

from graph.fields.words import any_of

#: What puts off a single field, or says that it is not known: its clause takes nothing away from the others.
NOT_HERE = re.compile(
    any_of(
        "待会|等会|等下|一会儿?|稍后|回头|晚点|晚些|明天|之后|后面再|(?:还|暂|暂时|目前|手上|手头)?(?:没有?|无|未)|不知道|不清楚|"
        "不确定|忘了|查不到|找不到|再(?:说|给|补|定|发|告诉)|待[定确补]|未[定知]|不变|不动|照旧|照原|一样",
        "unchanged|same|stays?|as (?:is|before|it was)|don't have|do not have|haven't|have not|hasn't|later|"
        "will (?:send|give|get|follow)|to follow|tbd|tba|not sure|"
        "unknown|don't know|no idea|not yet|not (?:decided|fixed|known)|missing|forgot|still (?:need|looking|missing|open)|"
        "to be (?:decided|confirmed)|can't find|tomorrow|in a (?:bit|moment|minute)",
    )
)
THE_REST = re.compile(any_of("其他|其它|其余|剩下|别的|另外的", "the rest|the others?|everything else"))
#: Words in which a speaker takes back what was just said: what follows counts.
NO_WAIT = re.compile(
    r"(?:(?:oh|no|hmm+|wait|hold on|hang on|actually|sorry|one sec(?:ond)?|uh|um|er)(?![a-z])[ ,]*)+|"
    r"(?:等等|等一?下|等会儿?|不对|哦|噢|啊|嗯|呃|不是|不)+"
)

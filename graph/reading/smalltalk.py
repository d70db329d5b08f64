"""First messages that ask for nothing the desk does: greetings, thanks, praise, and a plea that does not say for what."""

from __future__ import annotations

import re

from graph.fields.words import any_of
from graph.reading.fillers import faults
from graph.reading.talk import asking

_CHAT = re.compile(
    r"(?:(?:hi|hello|hey|yo|thanks?(?: you)?(?: (?:very much|a lot|so much))?|thx|ty|ok|okay|got it|sure|"
    r"good (?:morning|afternoon|evening|day)|morning|bye|goodbye|cheers|how are you|are you there|anyone there|nice|"
    r"great(?: job)?|well done|awesome|"
    r"hi there|hello there|there|team|all|everyone)(?![a-z])|你好|您好|大家好|嗨|哈喽|谢谢.{0,3}|多谢.{0,2}|谢了|"
    r"感谢|早上好|早安?|下午好|晚上好|在吗|在么|有人吗|在不在|辛苦了?|再见|拜拜|收到|不错|厉害|好的?|嗯+|明白了?|了解|"
    r"知道了|没事了?|好[滴哒嘞哦]|行|"
    r"[ ,，.。!！~?？啊呀哦呢])+"
)
#: What a message that is only kind says: thanks, praise, a laugh. It may go on, as long as it speaks of nothing else.
_KIND = re.compile(
    any_of(
        "谢|感谢|多亏|辛苦|好棒|真棒|太棒|厉害|牛[啊逼批哇]|赞|哈哈|呵呵|嘿嘿|(?:早上|上午|中午|下午|晚上|大家|各位|早)好|早[啊安]|晚安|下班|拜拜|再见|回见|祝|好嘞|好滴|好的呢|收到",
        "thanks?|thx|thank you|cheers|appreciate|haha+|lol|nice|great|awesome|amazing|perfect|brilliant|wonderful|lovely|"
        "well done|good (?:job|work|one|morning|afternoon|evening|night|day)|have a (?:nice|good|great|"
        "lovely)|see you|take care|bye|welcome",
    )
)
#: A plea for help that does not say with what.
_PLEA = re.compile(
    r"(?:(?:hi|hello|hey|please|pls|so|sorry)(?![a-z])[ ,]*)*(?:(?:can|could|would) (?:you|someone|anyone|"
    r"i|we) (?:please )?"
    r"(?:help|get (?:some )?help|ask)(?: me| us)?(?: out)?|i (?:need|want) (?:some |your )?help|(?:i have|"
    r"got) a (?:question|problem|request))"
    r"(?: (?:with|about|on) (?:something|an? (?:order|case|guest|customer|thing|problem|booking)|this|"
    r"that|it))?[ ,.?!]*(?:please|pls|thanks?)?[?.! ]*|"
    r"(?:你好|您好|请问|麻烦|能不能|可以|能|请| |，)*(?:帮(?:我|忙|个忙|一?下)*|问(?:你|您)?(?:个|一个|"
    r"一下)(?:事|问题)?|有(?:个)?(?:问题|事)(?:想?问)?)"
    r"(?:看|处理|弄|搞)?(?:一?下)?(?:这个|个)?(?:单子?|订单|东西|事情?|问题)?[吗么嘛呢吧啊 ，,。?？!！]*"
)
#: Who is only kind is short.
_SHORT = 80


def chatting(norm: str) -> bool:
    """Whether a normalised text is nothing but a greeting, thanks or a goodbye."""
    return _CHAT.fullmatch(norm) is not None


def only_kind(norm: str) -> bool:
    """Whether a normalised text thanks or praises, whatever else it says of itself; it names no number and no fault."""
    silent = not (any(sign.isdigit() for sign in norm) or asking(norm) or faults(norm))
    return silent and len(norm) <= _SHORT and _KIND.search(norm) is not None


def pleads(norm: str) -> bool:
    """Whether a normalised text asks for help and does not say with what."""
    return _PLEA.fullmatch(norm) is not None

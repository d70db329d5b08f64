"""What a message in the middle of a case is about, and where the state of the case sends it all the same.

Rules first; a model is asked only where they are silent, and may only name a class; the state overrules whatever was
named. So a wrong class can cost a sentence, never a step.
"""

from __future__ import annotations

import json
import re
from typing import Final, Literal, get_args

from graph.fields.words import Source, any_of
from graph.reading.smalltalk import chatting

Class = Literal["chat", "question", "intent", "gather", "confirm", "recommend", "convert"]
CLASSES: Final[tuple[Class, ...]] = get_args(Class)
Stage = Literal["gathering", "confirming", "offered", "other"]
"""Where a case stands: something is asked for, a summary waits for a yes, what was found is laid out."""
Sent = Literal["answer", "chat", "question", "gate"]
"""Where a message goes: it answers what waits, it is talked or answered aside, or it is told what comes first."""

_HURRY: Final = re.compile(
    any_of(
        r"(?:直接|马上|赶紧|快点?|先|随便|立刻|现在就?)[^，。！？]{0,8}(?:推荐|来一个|选一个|给(?:我)?(?:一个)?(?:方案|产品|套餐))|"
        r"(?:推荐|推)(?:一下|一个|几个|点|个|款)|有(?:什么|哪些)(?:推荐|方案|套餐|产品)|给(?:我)?推荐|推荐(?:吧|呗|啊|方案|产品)|"
        r"别问了|不用问(?:了|这么多)?|问(?:这么|那么)多干嘛",
        r"(?:just |please |pls |can you |could you )*(?:recommend|suggest)(?: me)?(?: something| one| a plan| now)?|"
        r"what (?:do|would|can) you (?:recommend|suggest)|show me (?:the |some |your )?(?:plans?|options|products)|"
        r"skip the questions",
    )
)
_CONVERT: Final = re.compile(
    any_of(
        r"(?:我要|想|给我|帮我|直接)?(?:办理|下单|签约|签合同|订购|购买)|留(?:个|下)?(?:电话|联系方式|手机号?)|(?:给我)?(?:回电|打电话)|"
        r"预约|约(?:个|一下)?时间|联系我|就(?:要|选|定)(?:这个|这款|它)",
        r"(?:i'll take|i will take|i want to (?:buy|order|sign)|sign (?:me )?up|call me|contact me|"
        r"leave my (?:number|phone)|book (?:a time|an appointment)|appointment)",
    )
)
_FENCE: Final = re.compile(r"^\s*```[a-z]*\s*|\s*```\s*$", re.IGNORECASE)


def by_rules(text: str, stage: Stage) -> Class | None:
    """The class that the words or the state settle; None where a model may say."""
    norm = Source(text).norm
    if stage == "offered" and _CONVERT.search(norm):
        return "convert"
    if stage == "confirming":
        return "confirm"
    if chatting(norm.strip()):
        return "chat"
    return "recommend" if _HURRY.search(norm) else None


def read_class(reply: str, stage: Stage) -> Class:
    """The class in what a model wrote: out of a code fence, as JSON, as a name somewhere in it; else by the state."""
    bare = _FENCE.sub("", reply.strip())
    try:
        said = json.loads(bare)
    except ValueError:
        said = None
    name = str(said.get("class", "")).strip().lower() if isinstance(said, dict) else ""
    if found := _known(name):
        return found
    named = [each for each in CLASSES if re.search(rf"(?<![a-z]){each}(?![a-z])", bare.lower())]
    return named[0] if len(named) == 1 else fallback(stage)


def fallback(stage: Stage) -> Class:
    """What a message is taken for when nobody can tell: an answer to what waits."""
    by_stage: dict[Stage, Class] = {"gathering": "gather", "confirming": "confirm", "offered": "convert", "other": "gather"}
    return by_stage[stage]


def route(named: Class, stage: Stage) -> Sent:
    """Where a message of this class goes as the case stands.

    A summary waits for its answer, whatever the message was taken for. Before everything is there and confirmed a wish for
    a recommendation leads back to the gate. After the recommendation nothing leads back to gathering.
    """
    if named == "question":
        return "question"
    if stage == "confirming":
        return "answer"
    if named == "chat":
        return "chat"
    if named == "recommend" and stage == "gathering":
        return "gate"
    return "answer"


def _known(name: str) -> Class | None:
    return next((each for each in CLASSES if each == name), None)

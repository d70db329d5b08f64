"""Whole messages that are moves of the conversation rather than values: yes, no, help, cancel, a question."""

from __future__ import annotations

import re

from graph.fields.words import Source, any_of
from graph.reading.model import Talk

_MOVES: dict[Talk, str] = {
    "facts": (
        "已知信息|已知|信息|看已知信息|查看已知信息|现在知道什么|facts|show facts|show me the facts|the facts"
    ),
    "trail": "执行记录|记录|看执行记录|查看执行记录|进度|trail|show trail|show the trail|history|log",
    "help": "帮助|怎么用|使用说明|help|help me|usage",
    "retry": "重试|再试|再试一次|再试一下|重试一下|retry|try again|again",
    "cancel": (
        "取消|算了|取消吧|取消工单|不办了|不做了|不补了|撤销|取消这单|算了吧|算了不补了|cancel|cancel it|cancel this|"
        "cancel case|cancel the case|never mind|nevermind|abort|stop|forget it"
    ),
    "why": (
        "为什么要问这个|为什么问这个|为什么|为啥|为啥要问|为什么要问|问这个干嘛|为什么需要这个|why|why do you ask|why "
        "do you need this|why do you need that|why this|why are you asking"
    ),
}
_MOVE = {words: move for move, listed in _MOVES.items() for words in listed.split("|")}

_SURE = any_of("没问题|没有问题|没错|没意见", "no problem|no objections?")
_NO = any_of(
    "不是的?|不对|不好|不行|不可以|不同意|不中|不成|不要|不用|不确认|不可行|不|别|否|错了?|取消|拒绝|有问题|没有|[👎❌🚫]",
    "no|nope|nah|n|not|don't|dont|do not|never|wrong|incorrect|disagree|stop|cancel|isn't|won't|can't|cannot",
)
_YES = any_of(
    "是的|是|对的|对|好的|好嘞|好啊|好呀|好吧|好|可以的|可以|可行|行的|行|同意|确认|嗯+|成|中|继续吧|继续|当然|就这样|"
    "照办|[👌👍✅🆗✔]",
    "yes|yep|yeah|yup|ya|y|ok|okay|k|sure|agreed?|correct|right|confirm|confirmed|fine|go on|go ahead|proceed|do it|"
    "absolutely|definitely|of course|sounds good|looks good|all good|lgtm",
)
_FILL = (
    any_of(
        "我觉得|我看|我|们|那样|那个|那就|那|这样|这个|这|就|所以|很|的|了|吧|啊|呢|哈|呀|没什么|先|请|谢谢|麻烦|办|做|去|"
        "都|也",
        "i|we|that's|that|it's|it|is|would|will|so|think|to|me|this|please|thanks|thank you|with|all|works?|very|you|"
        "for|the|do|am|good|great|looks|go|can",
    )
    + "|[\\s,，.。!！~;；:、'\"“”()🏻-🏿\ufe0f]+"
)
_PARTS = re.compile(f"(?P<sure>{_SURE})|(?P<no>{_NO})|(?P<yes>{_YES})|(?P<fill>{_FILL})|(?P<other>.)", re.DOTALL)
_CLAUSES = re.compile(r"[,，.。;；!！\n]+")
#: A condition, a change, a number or a question: no clean yes.
_BUT = re.compile(any_of(r"但|不过|只是|可是|除了|改成|改为|[?？]|吗|\d", "but|except|however|unless|instead|change"))

_ASKING = re.compile(
    "[?？][ \n!.]*$|(?:吗|么|呢)[ 。.!！~]*$|怎么|如何|什么时候|多久|多少天|能不能|能否|可不可以|可否|是否|是不是|"
    "有没有|为什么|为啥|哪[个些里]|谁(?:来|能|可以)|几天|^(?:(?:so|and|but|hi|hello|hey|please|ok|then) )*(?:how|what|"
    "when|why|who|whom|where|which|can|could|may|might|is|are|am|was|were|do|does|did|should|shall|will|would|has|have|"
    "must)(?:n't|'s)? "
)
_EVIDENCE = re.compile(
    r"(?<![a-z0-9])[a-z]{1,6}-?\d{3,}|[$€£¥] ?\d|\d(?:\.\d+)? ?(?:美元|美金|元|块|刀|usd|dollars?|积分|现金)"
)


def recognise(text: str) -> Talk | None:
    """The move that a whole message is, by code alone; None where it is something else, such as an answer."""
    norm = Source(text).norm
    if norm.strip() in ("?", "？"):
        return "help"
    if move := _MOVE.get(norm.strip(" \n,，.。!！?？~;；")):
        return move
    if not any(part.lastgroup == "other" for part in _PARTS.finditer(norm)) and (said := says_yes(norm)) is not None:
        return "yes" if said else "no"
    return "question" if asking(norm) and not _EVIDENCE.search(norm) else None


def asking(norm: str) -> bool:
    """Whether a normalised text has the form of a question."""
    return _ASKING.search(norm.strip()) is not None


def says_yes(text: str) -> bool | None:
    """True for a yes, False for a no, None for neither, for both, and for a yes with a condition or a number in it.

    A clause that says something else beside its yes or no (可以退现金) is neither; a no in it still spoils a yes.
    """
    norm = Source(text).norm
    clauses = [{part.lastgroup for part in _PARTS.finditer(clause)} for clause in _CLAUSES.split(norm)]
    clean = [kinds for kinds in clauses if "other" not in kinds]
    yes = any(kinds & {"yes", "sure"} for kinds in clean)
    no = any("no" in kinds for kinds in clean)
    if yes and (_BUT.search(norm) or any("no" in kinds for kinds in clauses)):
        return None
    return True if yes else False if no else None

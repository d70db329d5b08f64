"""Whole messages that are moves of the conversation rather than values: yes, no, help, cancel, a question."""

from __future__ import annotations

import re

from graph.fields.words import Source
from graph.reading.model import Talk

_MOVES: dict[Talk, frozenset[str]] = {
    "facts": frozenset(
        ("已知信息", "已知", "信息", "看已知信息", "查看已知信息", "现在知道什么", "facts", "show facts", "show me the facts", "the facts")
    ),
    "trail": frozenset(("执行记录", "记录", "看执行记录", "查看执行记录", "进度", "trail", "show trail", "show the trail", "history", "log")),
    "help": frozenset(("帮助", "怎么用", "使用说明", "help", "help me", "?", "usage")),
    "retry": frozenset(("重试", "再试", "再试一次", "再试一下", "重试一下", "retry", "try again", "again")),
    "cancel": frozenset(
        ("取消", "算了", "取消吧", "取消工单", "不办了", "不做了", "不补了", "撤销", "取消这单", "算了吧", "算了不补了", "cancel", "cancel it",
         "cancel this", "cancel case", "cancel the case", "never mind", "nevermind", "abort", "stop", "forget it")
    ),
    "why": frozenset(
        ("为什么要问这个", "为什么问这个", "为什么", "为啥", "为啥要问", "为什么要问", "问这个干嘛", "为什么需要这个", "why", "why do you ask",
         "why do you need this", "why do you need that", "why this", "why are you asking")
    ),
}  # fmt: skip
_YES = (
    r"是的|是|对的|对|好的|好嘞|好啊|好呀|好吧|好|可以的|可以|可行|行的|行|没问题|没有问题|没错|同意|确认|嗯+|成|中|继续吧|继续|当然|就这样|照办|没意见|"
    r"(?<![a-z])(?:yes|yep|yeah|yup|ya|y|ok|okay|k|sure|agree|agreed|correct|right|confirm|confirmed|fine|go on|go ahead|proceed|do it|"
    r"absolutely|definitely|of course|sounds good|no problem|no objections?|looks good|all good|lgtm)(?![a-z])|[👌👍✅🆗✔]"
)
_NO = (
    r"不是的?|不对|不好|不行|不可以|不同意|不中|不成|不要|不用|不确认|不可行|不|别|否|错了?|取消|拒绝|有问题|没有|"
    r"(?<![a-z])(?:no|nope|nah|n|not|don't|dont|do not|never|wrong|incorrect|disagree|stop|cancel|isn't|won't|can't|cannot)(?![a-z])|[👎❌🚫]"
)
_FILL = (
    r"我觉得|我看|我|们|那样|那个|那就|那|这样|这个|这|就|所以|很|的|了|吧|啊|呢|哈|呀|没什么|先|请|谢谢|麻烦|办|做|去|都|也|"
    r"(?<![a-z])(?:i|we|it|that|that's|it's|is|would|will|so|think|to|me|this|please|thanks|thank you|with|all|work|works|very|you|for|the|do|am|"
    r"good|great|looks|go|can)(?![a-z])|[\s,，.。!！~;；:、'\"“”()🏻-🏿️]+"
)
_YES_WORDS = re.compile(f"(?:{_YES})")
_NO_WORDS = re.compile(f"(?:{_NO})")
_PARTS = re.compile(rf"(?P<yes>没问题|没有问题|没错|没意见|no problem|no objections?)|(?P<no>{_NO})|(?P<yes2>{_YES})|(?P<fill>{_FILL})|(?P<other>.)", re.DOTALL)
_BUT = re.compile(r"但|不过|只是|可是|除了|改成|改为|(?<![a-z])(?:but|except|however|unless|instead|change)(?![a-z])|[?？]|吗|\d")
_ASKING = re.compile(
    r"[?？][ \n!.]*$|(?:吗|么|呢)[ 。.!！~]*$|怎么|如何|什么时候|多久|多少天|能不能|能否|可不可以|可否|是否|是不是|有没有|为什么|为啥|哪[个些里]|谁(?:来|能|可以)|几天|"
    r"^(?:so |and |but |hi |hello |hey |please |ok |then )*(?:how|what|when|why|who|whom|where|which|can|could|may|might|is|are|am|was|were|do|does|did|"
    r"should|shall|will|would|has|have|must)(?:n't|'s)? "
)
_EVIDENCE = re.compile(
    r"(?<![a-z0-9])[a-z]{1,6}-?\d{3,}|[$€£¥] ?\d|\d(?:\.\d+)? ?(?:美元|美金|元|块|刀|usd|dollars?|积分|现金)"
)


def recognise(text: str) -> Talk | None:
    """The move that a whole message is, by code alone; None where it is something else, such as an answer."""
    norm = Source(text).norm
    bare = norm.strip(" \n,，.。!！?？~;；")
    if norm.strip() in ("?", "？"):
        return "help"
    for move, words in _MOVES.items():
        if bare in words:
            return move
    said = _only_yes_or_no(norm)
    if said is not None:
        return "yes" if said else "no"
    return "question" if asking(norm) and not _EVIDENCE.search(norm) else None


def asking(norm: str) -> bool:
    """Whether a normalised text has the form of a question."""
    return _ASKING.search(norm.strip()) is not None


def says_yes(text: str) -> bool | None:
    """True for a yes, False for a no, None for neither, for both, and for a yes with a condition or a number in it."""
    norm = Source(text).norm
    if _BUT.search(norm) and not _NO_WORDS.match(norm):
        return None
    yes, no = _votes(norm)
    if yes and no:
        return None
    return True if yes else False if no else None


def _votes(norm: str) -> tuple[bool, bool]:
    """Whether a yes stands at the head or end of a clause, and whether any no stands at the head of one."""
    yes = no = False
    for clause in re.split(r"[,，.。;；!！\n]+", norm):
        if not clause.strip():
            continue
        parts = [part.lastgroup for part in _PARTS.finditer(clause)]
        first = next((kind for kind in parts if kind != "fill"), None)
        last = next((kind for kind in reversed(parts) if kind != "fill"), None)
        no = no or "no" in parts
        yes = yes or first in ("yes", "yes2") or last in ("yes", "yes2")
    return yes, no


def _only_yes_or_no(norm: str) -> bool | None:
    parts = [part.lastgroup for part in _PARTS.finditer(norm)]
    if "other" in parts or not parts or _BUT.search(norm):
        return None
    return says_yes(norm)

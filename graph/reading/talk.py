"""Whole messages that are moves of the conversation rather than values: yes, no, help, cancel, a question."""

from __future__ import annotations

import re

from graph.fields.words import Source, any_of
from graph.reading.model import Talk

_MOVES: dict[Talk, str] = {
    "facts": ("已知信息|已知|信息|看已知信息|查看已知信息|现在知道什么|facts|show facts|show me the facts|the facts"),
    "trail": "执行记录|记录|看执行记录|查看执行记录|进度|trail|show trail|show the trail|history|log",
    "help": "帮助|怎么用|使用说明|help|help me|usage",
    "retry": "重试|再试|再试一次|再试一下|重试一下|retry|try again|again",
    "cancel": (
        "取消|算了|取消吧|取消工单|不办了|不做了|不补了|撤销|取消这单|取消这个|取消这个工单|取消这个工单吧|取消工单吧|"
        "取消这个单子|取消流程|取消这笔|取消这笔补偿|取消补偿|算了吧|算了不补了|cancel|cancel it|cancel this|"
        "cancel case|cancel the case|never mind|nevermind|abort|stop|forget it"
    ),
    "why": (
        "为什么要问这个|为什么问这个|为什么|为啥|为啥要问|为什么要问|问这个干嘛|为什么需要这个|why|why do you ask|why "
        "do you need this|why do you need that|why this|why are you asking"
    ),
}
_MOVE = {words: move for move, listed in _MOVES.items() for words in listed.split("|")}

#: Courtesy around a move: 请取消, please cancel, 取消吧谢谢.
_ROUND = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|那就|那|就|(?:please|pls|ok|then)(?![a-z])|[ ,，])+|(?:谢谢|多谢|谢了|(?<![a-z])(?:please|"
    r"pls|thanks|thank you)|[ ,，])+$"
)
_SURE = any_of("没问题|没有问题|没错|没意见", "no problem|no objections?")
_NO = any_of(
    "不是的?|不对|不好|不行|不可以|不同意|不中|不成|不要|不用|不确认|不可行|不|别|否|错了?|取消|拒绝|有问题|没有|[👎❌🚫]",
    "no|nope|nah|n|not|don't|dont|do not|never|wrong|incorrect|disagree|stop|cancel|isn't|won't|can't|cannot",
)
_YES = any_of(
    "是的|是|对的|对|好的|好嘞|好啊|好呀|好吧|好|可以的|可以|可行|行的|行|同意|确认|嗯+|成|中|继续吧|继续|当然|就这样|"
    "照办|正确|[👌👍✅🆗✔]",
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
#: Neither is what hesitates: ok, maybe; 可以吧再看看.
_BUT = re.compile(
    any_of(
        r"但|不过|只是|可是|除了|改成|改为|[?？]|吗|\d|再?看看|再想|想想|考虑|可能|也许|或许|大概|等等|"
        r"等一下|等会|稍后|回头|先别|不确定|说不定",
        "but|except|however|unless|instead|change|maybe|perhaps|possibly|probably|might|not sure|unsure|i guess|wait|"
        "hold on|later|let me (?:think|check|look|see|ask)|not yet",
    )
)

#: What an English question is about: without it `was two hours late` tells, it does not ask.
_ABOUT = (
    r"(?:i|we|you|he|she|they|it|this|that|these|those|there|the|an?|any(?:one|body|thing)?|some(?:one|body|thing)?|my|our|"
    r"your|his|her|their|all|both|every|each|no|more|only|compensations?|refunds?|credits?|cash|points|vouchers?|"
    r"approvals?|"
    r"orders?|payments?|payouts?|guests?|customers?|clients?|agents?|supervisors?|managers?|leads?|merchants?|"
    r"kl-?\d+)(?![a-z])"
)
_ASKING = re.compile(
    r"[?？][ \n!.]*$|(?<!什)(?:吗|么|呢)[ 。.!！~]*$|(?:怎么|如何)(?![^,，。]{0,6}[都也])|什么时候|(?<![了没])多久|"
    r"多少天|能不能|能否|"
    r"可不可以|可否|是否|是不是|有没有|为什么|为啥|哪[个些里](?![^,，。]{0,4}[都也])|谁(?:来|能|可以)|"
    r"(?<![好了过这那前])几天(?![前后来没都])|"
    r"^(?:(?:so|and|but|hi|hello|hey|please|ok|then|team|all|there)[ ,!]+)*(?:(?:how|what|why|who|whom|"
    r"where|which)(?:'s)? |"
    r"when(?:'s)? (?:is|are|"
    r"was|were|do|does|did|will|can|could|should|would|may|must|to)(?![a-z])|(?:is|are|was|were|am|do|does|did|has|"
    r"have|had)"
    rf"(?:n't)? {_ABOUT}|(?:can|could|may|might|should|shall|will|would|must)(?:n't|not)? "
    r"(?!not |never |be |do |have |wait |get |use |take |go |give |pay |make |no )(?=[a-z0-9$]))"
)
_EVIDENCE = re.compile(
    r"(?<![a-z0-9])[a-z]{1,6}-?\d{3,}|[$€£¥] ?\d|\d(?:\.\d+)? ?(?:美元|美金|元|块|刀|usd|dollars?|积分|现金)"
)


def recognise(text: str) -> Talk | None:
    """The move that a whole message is, by code alone; None where it is something else, such as an answer."""
    norm = Source(text).norm
    if norm.strip() in ("?", "？"):
        return "help"
    if move := _MOVE.get(_ROUND.sub("", norm.strip(" \n,，.。!！?？~;；"))) or _MOVE.get(norm.strip(" \n,，.。!！?？~;；")):
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

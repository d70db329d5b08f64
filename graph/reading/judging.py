"""What a first message is, and which procedure it asks for: code judges, and a model may only choose among what the words
allow."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache

from graph.fields.words import Source, any_of
from graph.prompts import PlanReply
from graph.reading.concepts import ACTS, concepts
from graph.reading.fillers import substance
from graph.reading.hesitation import hesitates
from graph.reading.intent import Intent, intent, politely
from graph.reading.model import Mode, SopCard
from graph.reading.routing import MOST_CHOICES, Ranked, rank
from graph.reading.sight import Sight, sight
from graph.reading.smalltalk import chatting, only_kind, pleads
from graph.reading.spans import rest_of
from graph.reading.stance import stance
from graph.reading.talk import asking
from graph.reading.verbs import families_of, titles_of

#: A question that asks for the thing to be done: could you …, 能不能帮…
_ASKS_FOR_IT = re.compile(
    any_of(
        "(?:能不能|能否|可否|可不可以|可以|能|麻烦)[^,，。]{0,4}(?:帮|给|把|替|麻烦)|帮[^,，。]{0,30}(?:吗|么|嘛)|帮忙",
        "(?:can|could|would|will|when (?:can|will)) (?:you|someone|somebody)|please|pls|can (?:we|i) (?:get|have)|"
        "i need|we need",
    )
)
_ASKS_WHAT = re.compile(
    any_of(
        "什么情况下|哪(?:种|些)情况|什么(?:样的|条件|区别|差别)|有(?:什么|啥)(?:不同|不一样|要求|规定|条件|区别)|"
        "多少(?:才|就|要|需要|得|以上|以下)|怎么算|是什么|是啥|什么意思|什么(?:规定|政策|条件|要求)|有哪些|多少钱|几点(?!钟?的)"
    )
)
_NOT_THERE = any_of(
    "没有?到|没有?收到|未到|未收到|还没[到收]|没收着|没来|进度|到哪|状态|什么时候",
    "hasn't arrived|has not arrived|not received|hasn't come|didn't arrive|never arrived|still missing|status|progress|"
    "is missing|not there",
)
#: What stands between a thing and what is said of it, and only tells which one: refund for KL-1006 (144 USD) not arrived.
_WHICH = (
    r"(?:[ ():：（）的]|(?:for|of|the|on|my|our|her|his|their|customer|guest|client|order|number|no|usd|cny|dollars?|still|"
    r"yet|is|was|has)(?![a-z])|客人|客户|订单|美元|元|刀|一直|还|都|也|[a-z]{1,6}-?\d{3,}|[$€£¥]?\d[\d.,]*){0,24}?"
)
#: Money of an earlier request that is only asked after.
_ASKED_AFTER = re.compile(
    any_of("退款|退的?钱|退费|补偿款?|赔偿款?|赔付", "refunds?|compensation|reimbursement")
    + rf"(?:[^,，。;；]{{0,12}}?|{_WHICH}){_NOT_THERE}"
)
_REFUNDED = re.compile("退|refund|reimburse")
_COMPENSATE, _REFUND = "(?:补偿|赔偿|赔付|compensat[a-z]*)", "(?:退款|退钱|退费|refund[a-z]*)"
_OR = r"[^,，。;；]{0,6}?(?:还是|或者?|/| or )[^,，。;；]{0,6}?"
#: One or the other: neither is asked for yet.
_EITHER = re.compile(f"{_COMPENSATE}{_OR}{_REFUND}|{_REFUND}{_OR}{_COMPENSATE}")
_MISSING = frozenset({"missing", "absent", "noshow", "unusable", "fail"})
_GIVING = {"compensate", "refund"}
_CODE = re.compile(r"(?<![a-z0-9])[a-z]{1,6}-?\d{3,}(?![a-z0-9])")
_HOW = re.compile("怎么|如何")
#: What ties a question to one customer's own case: it is to be seen to, not explained.
_OWN_CASE = re.compile(
    any_of(
        "我的?|客人|客户|他的|她的|这[单笔个张台辆]|还没|没有?[^，。?？]{0,6}(?:到|来|收到)|[上下这本]个?[周月]|"
        "了[，, ]?(?:怎么|能|可以|什么情况|没有)|"
        "怎么(?:这么|还|又|老|一直|没|不)",
        "my|mine|our|his|her|their|(?:guest|customer|client|passenger)s?(?:'s)?|this|yet|i'm|me|still|been|how come",
    )
)
#: What asks for the rule, not for the deed.
_OF_THE_RULE = re.compile(
    any_of(
        "一般|通常|多久|多长时间|几天|多少|规定|政策|条件|什么是|区别|要求|流程|谁[批审]|允许|标准|上限",
        "^how (?:long|many|much)|usually|normally|generally|polic(?:y|ies)|rules?|allowed|difference|mean|"
        "who (?:approves|can|may|signs)|"
        "what (?:is|are) (?:a|an|the)",
    )
)


@dataclass(frozen=True)
class Judged:
    """The mode, the procedure where there is one, else those that come near, the nearest first."""

    mode: Mode
    sop: SopCard | None = None
    choices: tuple[str, ...] = ()
    #: What was seen of the text for this procedure already.
    seen: Sight | None = None


def judge(text: str, sops: Sequence[SopCard], reply: PlanReply | None, today: date | None) -> Judged:
    """What a first message is."""
    norm = Source(text).norm.strip()
    # Most texts that ask for a procedure plainly are never compared with them all.
    near = cache(lambda: rank(norm, sops, today))
    chased = _chased(norm)
    views = [_View(sop, text, today) for sop in sops if _pays(sop) and not chased & families_of(sop).keys()]
    if chatting(norm) or (only_kind(norm) and not (any(view.hard or view.score for view in views) or near())):
        return Judged("chat")
    if pleads(norm):
        return Judged("unclear", choices=_offered(near()))
    polite = politely(norm) and any(view.hard or view.score for view in views)
    if _asks(norm) and not polite and not (near() and _wanted(norm, near()[0])):
        return Judged("question")
    if reply is not None and reply.mode == "question":
        return Judged("question")
    if _EITHER.search(norm):
        return Judged("unclear", choices=_offered(near()))
    if reply is not None and reply.mode in ("unclear", "chat"):
        return Judged("unclear", choices=_offered(near()))
    if reply is not None and reply.mode == "sop":
        chosen = next((sop for sop in sops if sop.name == reply.sop), None)
        if chosen is not None and _allowed(norm, chosen, views):
            return _chosen(chosen, views)
    if sop := _best(views, lambda wish: wish.asks):
        return _chosen(sop, views)
    called = [sop for sop in sops if any(_call(words).search(norm) for words in sop.called)]
    if len(called) == 1:
        return _chosen(called[0], views)
    ranked = near()
    elsewhere = bool(ranked) and not _pays(ranked[0].sop) and any(view.paid for view in views)
    named = [view for view in views if view.score]
    if ranked and ranked[0].clear and not elsewhere and _allowed(norm, ranked[0].sop, named):
        nearer = _best(views, lambda wish: wish.may) if _pays(ranked[0].sop) else None
        return _chosen(nearer or ranked[0].sop, views)
    return Judged("unclear", choices=_offered(near()))


def _offered(ranked: Sequence[Ranked]) -> tuple[str, ...]:
    return tuple(one.sop.name for one in ranked[:MOST_CHOICES])


@lru_cache(maxsize=512)
def _call(words: str) -> re.Pattern[str]:
    """Words that ask for a procedure; `…` in them stands for what only says which one is meant."""
    return re.compile(_WHICH.join(re.escape(Source(part).norm.strip()) for part in words.split("…")))


def _chosen(sop: SopCard, views: Sequence[_View]) -> Judged:
    return Judged("sop", sop, seen=next((view.seen for view in views if view.sop is sop), None))


def _asks(norm: str) -> bool:
    """Whether a text asks about something. Who says wait, or drop it, asks nothing: don't refund yet."""
    if _ASKS_WHAT.search(norm):
        return True
    return asking(norm) and ("?" in norm or stance(norm, telling=True) not in ("wait", "cancel"))


@lru_cache(maxsize=256)
def _pays(sop: SopCard) -> bool:
    """Whether it is approved, and told an amount or gives money back: what starts it could pay, so that more is asked of
    the words."""
    gives = sop.writes and bool(_GIVING & families_of(sop).keys())
    return sop.approved and not sop.looks and (sop.told_money or gives)


def _chased(norm: str) -> set[str]:
    """The families whose money is only asked after: 退款没到账 wants no second refund."""
    found = _ASKED_AFTER.finditer(norm)
    return {"refund" if _REFUNDED.search(one.group()) else "compensate" for one in found}


class _View:
    """A text as it looks to a procedure that pays: there more is asked of the words."""

    def __init__(self, sop: SopCard, text: str, today: date | None) -> None:
        self.sop, self.seen = sop, sight(text, sop.fields, titles_of(sop), today=today)
        self.score = _score(self.seen, families_of(sop))
        self.hard = _coded(self.seen) or any(
            one.sure and one.amount.currency for found in self.seen.amounts.values() for one in found
        )
        #: An order with an amount: nothing but a payout has both.
        self.paid = _coded(self.seen) and any(
            one.role not in ("own", "denied") for found in self.seen.amounts.values() for one in found
        )

    @cached_property
    def wish(self) -> Intent:
        """What the words want of it. Asked of few views: most are out of the question before."""
        return intent(self.seen, families_of(self.sop))


def _allowed(norm: str, sop: SopCard, views: Sequence[_View]) -> bool:
    """Whether the words may be read as a request for this procedure."""
    if not _pays(sop):
        return not hesitates(_HOW.sub(" ", norm), frozenset() if _about_what_is_missing(sop) else _acts(sop))
    return any(view.sop is sop and view.wish.may and bool(view.hard or view.score) for view in views)


def _wanted(norm: str, first: Ranked) -> bool:
    """Whether a question is a request all the same: put politely, or after the state of one order."""
    if not first.clear or _pays(first.sop):
        return False
    if _ASKS_FOR_IT.search(norm) or (_OWN_CASE.search(norm) and not _OF_THE_RULE.search(norm)):
        return True
    about = Source(f"{first.sop.title.zh} {first.sop.title.en}").norm
    return _CODE.search(norm) is not None and any(one.concept == "status" for one in concepts(about))


@lru_cache(maxsize=256)
def _about_what_is_missing(sop: SopCard) -> bool:
    """Whether a procedure is for what did not happen: its words then deny what others ask for."""
    titles = Source(f"{sop.title.zh} {sop.title.en}").norm
    return bool({one.concept for one in concepts(titles)} & _MISSING)


@lru_cache(maxsize=256)
def _acts(sop: SopCard) -> frozenset[str]:
    titles = Source(f"{sop.title.zh} {sop.title.en}").norm
    return frozenset(one.concept for one in concepts(titles)) & ACTS


def _best(views: Sequence[_View], fits: Callable[[Intent], bool]) -> SopCard | None:
    """The one that fits and is asked for: by its verb with a field, by its title alone, or by a code with a field."""
    scored = []
    for view in views:
        seen, score = view.seen, view.score
        found = _count(seen)
        verbs = [(verb.start, verb.end) for verb in seen.verbs]
        rest = rest_of(seen.source.norm, 0, len(seen.source.norm), verbs)
        titled = score >= 2 and not found and not substance(rest)
        if ((score and found) or titled or (_coded(seen) and found >= 2)) and fits(view.wish):
            scored.append((score, found, view.sop))
    if not scored:
        return None
    best = max(scored, key=lambda one: one[:2])
    return best[2] if sum(one[:2] == best[:2] for one in scored) == 1 else None


def _score(seen: Sight, weights: Mapping[str, int]) -> int:
    return max((weights.get(verb.family, 0) for verb in seen.verbs if verb.family and not verb.denied), default=0)


def _count(seen: Sight) -> int:
    """How many fields, free text aside, the words touch."""
    amounts = sum(any(one.sure and one.role in ("wanted", "") for one in found) for found in seen.amounts.values())
    cues = sum(any(cue.value is not None for cue in found) for found in seen.cues.values())
    return amounts + cues + sum(bool(found) for found in seen.codes.values())


def _coded(seen: Sight) -> bool:
    return any(seen.codes.values())

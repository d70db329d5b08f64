"""Which of the amounts in a text is the one to be paid, and not the price of the order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from graph.fields.amounts import Amount
from graph.fields.cues import Cue, denied_before
from graph.fields.words import any_of
from graph.reading.verbs import Verb

Role = Literal["wanted", "own", "denied", ""]
_Spot = TypeVar("_Spot", Verb, Cue)
_LOOK_BACK = 60

#: What ties an amount to the order, the guest's loss or the past.
_OWN = re.compile(
    any_of(
        "订单(?:的)?(?:金额|总价|总额|价格|价值|款)|总价|票价|房价|原价|单价|价格|价值|售价|团费|实付|已付|付款|付了|"
        "花了|花费|消费|收费|收了|多收|扣了|扣款|多扣|余额|押金|损失|欠|损坏|值|上次|上回|之前|此前|已经?补|已经?赔|"
        "已经?退|补过|赔过|退过|拥有|现有|剩余?|(?:原来|原先|原本|本来)(?:说|写|填|报|定)?",
        "(?:ticket|tour|trip|booking|room|fare|excursion|night)s? (?:was|is|were|cost)|"
        "order (?:total|amount|value|price|of|was|is|worth)|paid|spent|costs?|priced?|worth|charged|overcharged|balance|"
        "deposit|lost|fare|fee|[a-z]{1,4}-\\d{2,8} (?:was|cost)|"
        "earlier|previously|last time|already|has|had|owns|bill|booked for|value of",
    )
)
_OWN_BEFORE = re.compile(r"(?:订单|(?<![a-z])order) ?(?:是|为|:)? ?$")
_PART_OF = re.compile(r"\d[^\n，,。;；]{0,12}(?:out )?of (?:the |a |his |her |their |total )*[^\d\s]{0,4} ?$")
_OWN_AFTER = re.compile(
    r"[^\n，,。;；\d]{0,6}(?:改成|改为|改到|(?<![a-z])changed? (?:it )?to(?![a-z]))| ?(?:的)?(?:订单|票|团|行程|order|"
    r"ticket|booking|balance|trip|tour|余额|deposit|押金| before(?![a-z]))"
)
_BREAK = re.compile(
    r"(?<![a-z])but(?![a-z])|但是?|不过|[。；;!！?？\n()（）\[\]【】，→➜|]|[-=]>|(?<= )/(?= )|/(?=[一-鿿])|"
    r"(?<=[一-鿿])/|,(?!\d{3})|(?<=[a-z0-9])\.(?= |$)"
)
#: What may stand between the verb, or the beginning of the clause, and a number that has no currency.
_BETWEEN = re.compile(
    "(?:"
    + any_of(
        r"给|客人|客户|乘客|顾客|用户|旅客|对方|他们|他|她|了|偿|个|其|到|再|也|都|各|只|就|那么?|是|为|成|改|按|算|要|"
        r"最后|最终|后来|于是|所以|定(?:了|为|在)?|谈妥|谈好|敲定|批了?|说|想|现在|主管|经理|老板|刚好|正好|这[次回单]|今天|本次|我们?|咱们?|觉得|建议|"
        r"(?:补偿|赔偿|赔付|退款)?金?额|金额|数额|额度|总共|一共|共|吧|嗯|好的?|行|可以|[ :=\"'*_-]|[a-z]{1,4}-\d{1,8}",
        "round|flat|settled|settle|agreed|on|call|approved|mgr|these|this|we'll|so|do|ok|okay|go|going|now|says?|said|supervisor|manager|boss|exactly|precisely|"
        "to|the|of|an?|with|guest|customer|client|traveller|traveler|him|her|them|only|just|up|it|make|let's|"
        "that|i|we|think|believe|reckon|suggest|propose|this time|today|say|then|is|it's|be|amount|total|fine|"
        "well|yes|no|in|sum|compensation|back|out|"
        "would|like|wants?|asks?|get|"
        "gets|for|order|booking|do|"
        "am+o?u?n*t|ammount",
    )
    + ")*"
)
#: What may follow such a number.
_FOLLOWS = re.compile(
    r" ?(?:来?$|[\n,，.。;；!！?？)）\"'*_、~]|[a-z]{1,4}-\d|"
    + any_of(
        "而?不是|足?够|谈妥|谈好|成交|敲定|吧|了|好了|就行|就好|即可|可以|行|呢|啊|哈|给|退|补|走|打|转|因|由于|原因|作为|算|整|的(?:积分|"
        "现金|补偿)|现金|"
        "积分|点数",
        "now|today|this time|not|rather than|instead of|is enough|enough|"
        "cash|credits?|points?|pts|of|out of|for|to|as|in|back|via|please|pls|because|since|due|on|"
        "(?:should|will|would) do(?! (?:for|if))|"
        "is|and|then|total|only|"
        "compensation|refund|instead|thanks|ok",
    )
    + ")"
)
_SET_APART = re.compile(r" [一-鿿]")
#: Right after the code of an order a number of some size is what it is to get: KL-778 35 大巴抛锚. Things in English have a
#: plural, and then the number counts them: KL-778 35 broken chairs.
_CODE_BEFORE = re.compile(r"(?<![a-z0-9])[a-z]{1,4}-\d{2,8}[ :,，/]{1,3}$")
_STORY = re.compile(r" ?/|$| (?:[一-鿿]|(?!(?:[a-z]+ )?[a-z]+[^su\s]s(?![a-z]))[a-z]{2})")


@dataclass(frozen=True)
class Placed:
    """An amount with its part in the sentence: `wanted` by a verb, the order's `own`, turned down, or none of these.

    `sure` says that the text states it as money: by its currency, its unit, a verb, or its place in an answer.
    `likely` says that it could be the amount if somebody who understands the sentence says so.
    `bare` says that only its place speaks for it. `clause` is where its clause begins.
    """

    amount: Amount
    role: Role
    sure: bool
    likely: bool
    bare: bool
    clause: int


def placed(text: str, found: Sequence[Amount], verbs: Sequence[Verb], units: Sequence[Cue], asked: bool) -> list[Placed]:
    """Each amount with its role. `units` are the ways of paying that stand in the text."""
    breaks = [0, *(match.end() for match in _BREAK.finditer(text))]
    units = sorted((unit for unit in units if unit.value is not None), key=lambda unit: unit.start)
    verb_ends, unit_ends = [verb.end for verb in verbs], [unit.end for unit in units]
    result = []
    for amount in found:
        clause = breaks[bisect_right(breaks, amount.start) - 1]
        verb = _last(verbs, bisect_right(verb_ends, amount.start), clause)
        place = bisect_right(unit_ends, amount.start)
        unit = _last(units, place, clause)
        stated = amount.currency is not None or _beside(text, amount, unit, units[place : place + 1])
        coded = _after_code(text, amount)
        likely = stated or coded or _fits(text, amount, clause, verb, unit)
        sure = stated or coded or (likely and (asked or verb is not None))
        role = _role(text, amount, clause, verb)
        result.append(Placed(amount, role, sure, likely, not stated and verb is None, clause))
    return result


def _last(spots: Sequence[_Spot], place: int, clause: int) -> _Spot | None:
    """The last of the first `place` spots, if it is in the clause."""
    return spots[place - 1] if place and spots[place - 1].start >= clause else None


def _role(text: str, amount: Amount, clause: int, verb: Verb | None) -> Role:
    start = max(clause, amount.start - _LOOK_BACK)
    owns = list(_OWN.finditer(text, start, amount.start))
    if denied_before(text, amount.start):
        return "denied"
    own_wins = bool(owns) and (verb is None or verb.end <= owns[-1].end())
    before = (_OWN_BEFORE.search(text, start, amount.start), _PART_OF.search(text, start, amount.start))
    if own_wins or any(before) or _OWN_AFTER.match(text, amount.end):
        return "own"
    if verb is not None:
        return "denied" if verb.denied else "wanted"
    return ""


def _fits(text: str, amount: Amount, clause: int, verb: Verb | None, unit: Cue | None) -> bool:
    """Whether a number without a currency stands where an amount would: right after the verb, or alone in its clause."""
    since = max(verb.end if verb else clause, unit.end if unit else clause)
    if _points(text, amount) or not _BETWEEN.fullmatch(text, since, amount.start):
        return False
    if _FOLLOWS.match(text, amount.end):
        return True
    return verb is not None and not amount.single and _SET_APART.match(text, amount.end) is not None


def _points(text: str, amount: Amount) -> bool:
    """Whether `one` only points to something: that one."""
    return text[slice(*amount.number)] == "one" and text.endswith(("that ", "this ", "which "), 0, amount.number[0])


def _after_code(text: str, amount: Amount) -> bool:
    """Whether a bare number of two digits and more stands between the code of an order and the story."""
    bare = amount.value is not None and amount.value >= 10 and not amount.single and amount.code is None
    before = _CODE_BEFORE.search(text, max(0, amount.start - 16), amount.start)
    return bare and before is not None and _STORY.match(text, amount.end) is not None


def _beside(text: str, amount: Amount, before: Cue | None, after: Sequence[Cue]) -> bool:
    """Whether a way of paying stands right at the number, as its unit: 20 积分, 积分 50, 5000 cash."""
    if any(
        text[amount.end : unit.start] in ("", " ", "的", "点", "个", " 个", "(", " (", " in ", " of ", " in the form of ")
        for unit in after
        if unit.start >= amount.end
    ):
        return True
    return before is not None and text[before.end : amount.start] in ("", " ", ":", ": ")

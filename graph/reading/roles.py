"""Which of the amounts in a text is the one to be paid, and not the price of the order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graph.fields.amounts import Amount
from graph.fields.cues import Cue, denied_before
from graph.reading.verbs import Verb

#: What ties an amount to the order, the guest's loss or the past.
_OWN = re.compile(
    r"订单(?:的)?(?:金额|总价|总额|价格|价值|款)|总价|票价|房价|原价|单价|价格|价值|售价|团费|实付|已付|付款|付了|花了|花费|消费|收费|"
    r"收了|多收|扣了|扣款|多扣|余额|押金|损失|欠|损坏|值|上次|上回|之前|此前|已经?补|已经?赔|已经?退|补过|赔过|退过|拥有|现有|剩余?|"
    r"(?<![a-z])(?:order (?:total|amount|value|price|of|was|is|worth)|paid|spent|cost|costs|price|priced|worth|charged|overcharged|"
    r"balance|deposit|lost|fare|fee|earlier|previously|last time|already|has|had|owns|bill|booked for|value of)(?![a-z])"
)
_OWN_BEFORE = re.compile(r"(?:订单|(?<![a-z])order) ?(?:是|为|:)? ?$")
_OWN_AFTER = re.compile(r" ?(?:的)?(?:订单|票|团|行程|order|ticket|booking|balance|trip|tour|余额|deposit|押金)")
_BREAK = re.compile(r"[。；;!！?？\n()（）\[\]【】]|[,，](?!\d{3})|(?<=[a-z])\.(?= |$)|(?<=\d)\.(?= |$)")
#: What may stand between the verb, or the beginning of the clause, and a number that has no currency.
_OBJECTS = re.compile(
    r"(?:给|客人|客户|乘客|顾客|用户|旅客|对方|他们|他|她|了|偿|个|其|到|再|也|都|各|只|就|那|是|为|成|改|按|算|要|说|想|那么|金额|数额|额度|"
    r"总共|一共|共|吧|嗯|好的?|行|可以|ok|okay|to|the|of|a|an|with|guest|customer|client|traveller|traveler|him|her|them|only|just|up|"
    r"it|make|let's|say|then|is|it's|be|amount|total|fine|well|yes|no|in|sum|compensation|[a-z]{1,4}-\d{1,8}|[ :=,，\"'*_-])*"
)
#: What may follow such a number.
_ON = re.compile(
    r" ?(?:$|[\n,，。.;；!！?？)）\"'*_、~]|吧|了|好了|就行|就好|即可|可以|行|呢|啊|哈|给|退|补|走|打|转|因|由于|原因|作为|算|整|的(?:积分|现金|补偿)|"
    r"(?:现金|积分|点数|cash|credits?|points?|pts)(?![a-z])|"
    r"(?:for|to|as|in|back|via|please|pls|because|since|due|on|is|and|then|total|only|compensation|refund|instead|thanks|ok)(?![a-z])|"
    r"[a-z]{1,4}-\d)"
)
_FREE = re.compile(r" [一-鿿]")


Role = Literal["wanted", "own", "denied", ""]


@dataclass(frozen=True)
class Placed:
    """An amount with its part in the sentence: `wanted` by a verb, the order's `own`, turned down, or neither."""

    amount: Amount
    role: Role
    sure: bool
    likely: bool


def placed(text: str, found: Sequence[Amount], verbs: Sequence[Verb], units: Sequence[Cue], asked: bool) -> list[Placed]:
    """Each amount with its role.

    `sure` says that the text really states it as money: by its currency, its unit, a verb, or its place in an answer.
    `likely` says that it could be money if somebody who understands the sentence says so.
    """
    breaks = [0, *(match.end() for match in _BREAK.finditer(text))]
    result = []
    for amount in found:
        clause = max(at for at in breaks if at <= amount.start)
        before = text[clause : amount.start]
        verb = next((verb for verb in reversed(verbs) if clause <= verb.start and verb.end <= amount.start), None)
        own = None
        for own in _OWN.finditer(before):
            pass
        role: Role = ""
        if denied_before(text, amount.start):
            role = "denied"
        elif own is not None and (verb is None or verb.end <= clause + own.end()):
            role = "own"
        elif _OWN_BEFORE.search(before) or _OWN_AFTER.match(text, amount.end):
            role = "own"
        elif verb is not None:
            role = "denied" if verb.denied else "wanted"
        likely = _sure(text, amount, clause, verb, units, asked=True)
        sure = likely and (asked or _sure(text, amount, clause, verb, units, asked=False))
        result.append(Placed(amount, role, sure, likely))
    return result


def _sure(text: str, amount: Amount, clause: int, verb: Verb | None, units: Sequence[Cue], *, asked: bool) -> bool:
    if amount.currency:
        return True
    if any(_beside(text, amount, unit) for unit in units):
        return True
    since = max([verb.end if verb else clause, *(unit.end for unit in units if clause <= unit.start and unit.end <= amount.start)])
    if not (verb or asked) or not _OBJECTS.fullmatch(text, since, amount.start):
        return False
    if _ON.match(text, amount.end):
        return True
    return bool(verb) and not amount.single and _FREE.match(text, amount.end) is not None


def _beside(text: str, amount: Amount, unit: Cue) -> bool:
    """Whether a way of paying stands right at the number, as its unit: 20 积分, 积分 50, 5000 cash."""
    if unit.value is None:
        return False
    return text[amount.end : unit.start] in ("", " ", "的", " in ", " of ") and unit.start >= amount.end or (
        text[unit.end : amount.start] in ("", " ", ":", ": ") and amount.start >= unit.end
    )

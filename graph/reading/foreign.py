"""Numbers and days that are none of this case: the merchant's account, our hotline, a number that is closed, the day of the
flight home, a day on which nobody is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.fields import FieldSpec
from graph.fields.found import Found
from graph.fields.words import any_of
from graph.reading.clauses import clauses
from graph.reading.spans import Span

_NOBODY_ZH = "商家|商户|供应商|旅行社|酒店|司机|导游|平台|客服|我们|咱们?|我司|本公司|你们|贵司|同事|前台|总机|传真|助理"
_NOBODY_EN = (
    r"(?:the |a |their )?(?:supplier|merchant|vendor|hotel|driver|guide|agency|operator|colleague|support|"
    r"front desk)(?:'s|s')?|"
    r"ours?|yours?|my colleague's"
)
#: Whose it is, right before a number. Nothing of the guest stands between.
_OWNER_BEFORE = re.compile(
    any_of(_NOBODY_ZH, _NOBODY_EN)
    + "(?:的|支付宝|微信|公司|自己|这边|那边|收款|对公|客服|服务|值班|联系|手机|电话|银行|卡|"
    "账|帐|号码|号|户|热线|前台|财务|是|为|(?<![a-z])(?:own|"
    r"company|corporate|business|bank|acct|account|card|phone|mobile|number|no|hotline|line|is|was|it's)(?![a-z])|[ :.'])*$"
)
_OWNER_AFTER = re.compile(
    r" ?[,，(（]? ?(?:这?是|就是|(?<![a-z])(?:is|was|that's|belongs to|which is)(?![a-z]))? ?(?:不是)?"
    + any_of(_NOBODY_ZH, _NOBODY_EN)
)
_REFUSED_BEFORE = re.compile(
    "(?:打了|打过|拨了|拨过|(?<![a-z])(?:called|dialled|dialed|rang|phoned|tried|texted))[^0-9,，。]{0,12}$|(?:别|"
    "不要|勿|不能|不用|不可以?)(?:再|往|给|拨|打|用|转|联系|到|账号|卡号|号码|这个|电话| )+$|"
    r"(?:don't|dont|do not|never|not to|stop|can't|cannot) (?:use|call|dial|ring|text|phone|contact|try|pay|transfer|"
    r"send)[a-z]*"
    r"(?: [a-z]+){0,4} ?$|"
    r"(?:旧的?|以前的?|老的?|原先的?|过期的?|(?<![a-z])(?:old|former|previous|expired|wrong|closed)(?![a-z]))"
    r" ?(?:银行|bank)? ?(?:账号|账户|卡号|卡|号码|号|电话|手机|account|acct|card|number|phone)?(?:是|为|was|is|[ :])*$"
)
_REFUSED_AFTER = re.compile(
    r"[ ,，]*(?:这个|这张|那个|号码?|卡|账[号户]|已经|已|是|就|也|都|(?<![a-z])(?:it's|it|that's|is|was|has been|"
    r"already)(?![a-z])| )*"
    "(?:别(?:打|用|拨|转)|不要(?:打|用|拨|转)|不能(?:打|用)|不用了|打不通|不对|有误|退票|作废|停用|停机|注销|销户|过期|冻结|空号|错的|"
    r"(?<![a-z])(?:got |been )*(?:bounced|failed|invalid|rejected|closed|wrong|dead|expired|old|frozen|cancelled|"
    r"disconnected|out of (?:service|use)|"
    r"not (?:his|hers|theirs|"
    r"the guest's|in use|working|valid))(?![a-z]))"
)
_RELATED = re.compile(
    " ?是(?:我们|我自己|我|你|你们)的|"
    r" ?(?:是|is) ?[^\d,，。]{0,4}(?:老婆|老公|太太|丈夫|妻子|爱人|朋友|同事|儿子|女儿|妈妈?|爸爸?|父母|家人|同行人?|"
    r"另一[位个](?:客人|人)|别人)的?(?:编?号|账号|id)?|"
    r" (?:is|belongs to) (?:(?:his|her|their|my) (?:wife|husband|friend|colleague|son|daughter|mother|father|brother|"
    r"sister|companion)|another (?:[a-z]+)|someone else|mine|ours|yours)"
)
_RELATED_BEFORE = re.compile(
    "(?:老婆|老公|太太|丈夫|妻子|爱人|朋友|同事|儿子|女儿|家人|同行人?|别人)的?(?:客人)?(?:编?号|账号|id)?(?:是|为|[ :])*$|"
    r"(?:wife|husband|friend|colleague|son|daughter|mother|father|brother|sister)'s (?:[a-z]+ )?(?:number|no|id|account)"
    r"(?: is|[ ,:])*$"
)
#: What a day is that no field for a beginning or a visit asks for, unless its own name says so.
_EVENT = re.compile(
    any_of(
        "飞走|飞回|回国|回程|返程|返回|退房|离店|离开|回家|生日|纪念日|结婚|下单|买的|付款|投诉|发票|到期|婚礼|开会",
        r"(?:fl(?:y|ies|ying)|go(?:es|ing)?|head(?:s|ing)?|return(?:s|ing)?|travel(?:s|ling)?) (?:back|home)|"
        r"check(?:ing|s|ed)?[ -]?out|leav(?:e|es|ing)|"
        "birthday|anniversary|wedding|expires?|invoiced?|complained|paid|ordered",
    )
)
_RUN = re.compile(r"\d[\d -]{5,}\d")
_EVENT_FIELD = re.compile(
    "返|退|离|回|生日|return|out|leav|end|birth|depart|travel|出发|出行|到期|expir|paid|order|付款|下单"
)
_NOBODY_THERE = re.compile(
    "(?:不在|没空|没时间|没人|不方便|不行|不可以|不合适|休息|假期|节假日|放假|关门|出差|有事|太晚|太早|约不了|来不了|去不了|来过|去过|已经来|满房|没房|客满)|"
    r"(?<![a-z])(?:can't|cannot|can not|couldn't|won't|not) (?:do|make|be|come|on|work|available|good|possible|"
    r"suit)(?![a-z])|"
    r"(?<![a-z])(?:doesn't|does not|don't|didn't|won't) (?:work|suit|fit)|"
    r"(?<![a-z])(?:unavailable|busy|away|out of (?:town|office)|on leave|day off|closed|(?:a |public |bank )*holiday|"
    r"sold out|fully booked|already (?:came|been)|"
    r"came by|too (?:late|early))(?![a-z])"
)


def without_foreign(norm: str, spec: FieldSpec, found: Sequence[Found]) -> list[Found]:
    """The values of a field with those denied that are somebody else's, out of use, or another day's."""
    if spec.type in ("phone", "account"):
        return [replace(hit, denied=True) if foreign_number(norm, *_digits(norm, hit)) else hit for hit in found]
    if spec.type == "date" and found:
        return _days(norm, spec, found)
    return list(found)


def foreign_number(norm: str, start: int, end: int) -> bool:
    """Whether the words around a number say that it is not the customer's, or not to be used."""
    low = max(0, start - 48)
    before = _OWNER_BEFORE.search(norm, low, start) or _REFUSED_BEFORE.search(norm, low, start)
    return before is not None or _OWNER_AFTER.match(norm, end) is not None or _REFUSED_AFTER.match(norm, end) is not None


def _digits(norm: str, hit: Found) -> Span:
    """The digits alone: what finds an account also covers the words around it."""
    digits = _RUN.search(norm, hit.start, hit.end)
    return digits.span() if digits else (hit.start, hit.end)


def foreign_code(norm: str, start: int, end: int) -> bool:
    """Whether the words around a customer's number say that it is a relative's or a friend's."""
    return _RELATED_BEFORE.search(norm, max(0, start - 40), start) is not None or _RELATED.match(norm, end) is not None


def _days(norm: str, spec: FieldSpec, found: Sequence[Found]) -> list[Found]:
    own = _EVENT_FIELD.search(f"{spec.name} {spec.label.zh} {spec.label.en}".lower()) is not None
    void = [
        (low, high)
        for low, high in clauses(norm)
        if _NOBODY_THERE.search(norm, low, high) or (not own and _EVENT.search(norm, low, high))
    ]
    # One day in the clause: of two the other one may be meant.
    return [
        replace(hit, denied=True)
        if any(low <= hit.start < high and sum(low <= one.start < high for one in found) == 1 for low, high in void)
        else hit
        for hit in found
    ]

"""The words by which people ask for a procedure, and the procedure they ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from graph.fields.words import any_of
from graph.reading.model import SopCard

#: Words that mean the same act. A procedure is asked for by the families that its name, title or description holds.
FAMILIES: dict[str, tuple[str, ...]] = {
    "compensate": (
        *("补偿", "赔偿", "赔付", "补给", "补", "赔"),
        *("make it up to", "make up for it", "make this up to"),
        *("compensate", "compensates", "compensated", "compensating", "compensation", "compensations", "comp"),
    ),
    "refund": (
        *("退款", "退钱", "退费", "退还", "退"),
        *("money back", "give back", "pay back"),
        *("refund", "refunds", "refunded", "refunding", "reimburse", "reimbursement"),
    ),
    "rebook": ("改签", "改单", "改期", "改订", "rebook", "rebooking", "reschedule"),
    "invoice": ("开发票", "发票", "开票", "invoice", "invoices"),
    "call off": ("取消订单", "取消预订", "cancel the order", "cancel the booking", "cancellation"),
}
#: Words that give something without naming a procedure.
WEAK = (
    *("给", "付", "发", "转", "打", "批准", "批", "支付", "返", "改成", "改为", "改到"),
    *("give", "gives", "pay", "pays", "offer", "issue", "send", "approve", "grant", "transfer", "award"),
    *("change it to", "change to", "make it"),
)
_NO_VERB = re.compile(
    "补(?=收|差|交|缴|税|签|录|办|课|丁|货|票|品|充|妆)|赔(?=率|本)|发(?=现|生|票|货|展|烧|车)|打(?=车|扰|听|印|折|电话)|"
    "(?<=[出开散爆])发|转(?=机|乘|告|车)|付(?=款方式|费)|给(?=力)|退(?=伍|休|步|烧|役|出|后|让|回原)"
)
_NOT_BEFORE = re.compile(
    any_of(
        "先别|别|不要|不用|不必|(?<![能可要])不(?:能|可以?|会|想)?|勿|停止|停|暂停|"
        "(?<![程单团动班店发房户家人了被])取消|撤回|撤销|无需|没有?|未",
        "don't|dont|do not|not|no|never|stop|cancel|without|won't|cannot|can't",
    )
    + "(?:"
    + any_of(r"再|给|先|急着|用|要|能|去|客人|他|她|这单|这个| |[a-z]{1,4}-\d{1,8}", "the|any|an?|to|yet|further|more")
    + ")*$"
)


@dataclass(frozen=True)
class Verb:
    """A verb of the text. `family` is empty for a weak one; `denied` where it is negated (先别补)."""

    start: int
    end: int
    word: str
    family: str
    denied: bool = False


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    longest = sorted({word.lower() for word in words}, key=len, reverse=True)
    return re.compile(
        "|".join(rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word) for word in longest)
    )


_FAMILY = {word: family for family, words in FAMILIES.items() for word in words}
_STRONG = _pattern(_FAMILY)
_ANY = _pattern([*_FAMILY, *WEAK])


@lru_cache(maxsize=256)
def _with(extra: tuple[str, ...]) -> re.Pattern[str]:
    return _pattern([*_FAMILY, *WEAK, *extra])


def verbs_in(text: str, extra: Sequence[str] = (), hidden: Sequence[tuple[int, int]] = ()) -> list[Verb]:
    """The verbs of a normalised text in order, but for those inside the `hidden` spans. `extra` counts as strong."""
    pattern = _with(tuple(extra)) if extra else _ANY
    found = []
    for match in pattern.finditer(text):
        start, end = match.span()
        if any(low <= start < high for low, high in hidden) or _NO_VERB.match(text, start):
            continue
        word = match.group()
        family = _FAMILY.get(word) or ("" if word in WEAK else word)
        denied = _NOT_BEFORE.search(text, max(0, start - 32), start) is not None
        found.append(Verb(start, end, word, family, denied))
    return found


@lru_cache(maxsize=256)
def titles_of(sop: SopCard) -> tuple[str, ...]:
    """The titles of a procedure as verbs: 电汇补偿 KL-778."""
    return tuple(dict.fromkeys(title.strip().lower() for title in (sop.title.zh, sop.title.en) if title.strip()))


@lru_cache(maxsize=256)
def families_of(sop: SopCard) -> Mapping[str, int]:
    """The families a procedure goes by, with their weight: 3 for its whole title, 2 where its name or title says so, 1 for
    the description."""
    weights = {_FAMILY.get(title, title): 3 for title in titles_of(sop) if title not in WEAK}
    named = f"{sop.title.zh} {sop.title.en} {sop.name.replace('_', ' ')}"
    for text, weight in ((named, 2), (f"{sop.description.zh} {sop.description.en}", 1)):
        for match in _STRONG.finditer(text.lower()):
            family = _FAMILY[match.group()]
            weights[family] = max(weight, weights.get(family, 0))
    return MappingProxyType(weights)

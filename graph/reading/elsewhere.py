"""Values that a message only tells of: another guest's, an earlier time's, the ones that stood before a change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from graph.fields.codes import Code
from graph.fields.cues import Cue
from graph.fields.found import Found
from graph.fields.words import any_of
from graph.reading.clauses import clauses
from graph.reading.decided import decided
from graph.reading.foreign import foreign_code
from graph.reading.repairs import MARK
from graph.reading.roles import Placed
from graph.reading.spans import Span

#: A message with more values says none of them.
_MOST = 40
#: Somebody else's case.
_OTHERS = re.compile(
    any_of(
        "楼[上下]|对面|旁边|另外?一?个(?:客人|客户|人|单子?|订单)|(?:别|其他|其它|另)的?(?:客人|客户|人家?|订单|单子?|团)|隔壁|上一?[单个位](?:客人|订单)?|"
        "前一?[单个位](?:客人|订单)?|那一?[单位](?:客人|订单)?|那个(?:客人|客户|订单|单子)|人家",
        r"next (?:door|room)|(?:in )?the next room|upstairs|downstairs|across the (?:road|street)|(?:an|the|"
        r"some)?other (?:guest|customer|client|order|case|booking|traveller|one|people|team|agent)s?|"
        r"(?:some(?:one|body) else|other people|others)(?:'s)?|(?:a )?different (?:guest|customer|order|case|booking)|"
        r"(?:couple|guests?|people|family|group|one|party|lot) (?:before|ahead of) (?:them|him|her|this)|"
        r"(?:the )?(?:previous|last) (?:guest|customer|client|order|case|one)|(?:his|her|their|my|"
        r"the) (?:friend|neighbou?r)s?(?:'s)?",
    )
)
#: An earlier time: what was so then is not what is asked for now.
_EARLIER = re.compile(
    any_of(
        "去年|上个?月|上季度|上次|上回|上一次|前一次|那次|那时候?",
        "last (?:year|month|quarter|season)(?:'s)?|last time|the other day|back then|(?:the )?previous time",
    )
)
#: What is always so: a custom, not what is asked for.
_USUAL = re.compile(
    any_of(
        "一般|通常|往往|平时|惯例|每次|大家都|别人都|(?:目前|现在)?每个?[月年](?:花|交|付|要交)|目前[花交付用]|(?:已经)?[用签]了|成立|创办|开业",
        "currently|at present|been (?:with|in|around|open|trading|running|doing)|(?:we|they|"
        "i) pay(?! out)(?= [^,.;]{1,16} (?:now|today|a month|per month|monthly|already))|"
        "normally|usually|generally|typically|always|as a rule|most (?:guests|people|customers)|every(?:one|body)",
    )
)
#: Right behind a value: it was so before.
_WAS = re.compile(
    r" (?:originally|initially|at first|(?:up to|until) now|previously)(?![a-z])|(?: room)? (?:was|were|is|"
    r"had been) (?:booked|planned|reserved|ordered|set)(?![a-z])"
)
#: Something was handed over already. Who is to get it is not asked for any more.
_GIVEN = re.compile(
    "(?:给|赔|补|退|付|发|打|转|收|拿|领)(?:给|偿)?(?:他们|客人|客户|对方|[他她我])?(?:了|过|的(?:是|就是)|"
    "的 ?(?=[$\\d◇]|现金|积分))(?!吧)|"
    r"(?<![a-z])(?<!be )(?<!get )(?<!being )(?:gave|paid(?! with|-)|refunded|compensated|credited|handed|"
    r"issued|were given|was given|had given)(?![a-z])"
)
#: A plan before it was changed, and the words that change it.
_AT_FIRST = re.compile(
    any_of(
        "原来|原定|原本|本来|原先|原订|之前(?:订|定|是|说)|一开始|最初|(?<![以目之])前面(?:订|定|是|说)",
        "had(?! to)|originally|initially|at first|was (?:booked|set|planned|scheduled)|were (?:booked|"
        "planned)|it was|used to be|"
        "had been",
    )
)
#: What stands right behind is not what is wanted.
_NOT_THIS = re.compile(r"(?<![a-z])(?:instead of|rather than)(?: (?:the|an?|in|as|by))? $")
_INTO = re.compile(
    r"[^\d,，。;；]{0,6}?(?:改|换|变|调|挪|移|推|延|提前|升|降)[一-鿿]{0,2}?(?:成|到|为|至)|"
    r"[ ,]*(?:->|=>|→|➜)|[ ,]*(?:is |to be )?(?:changed?|moved?|switched?|pushed|upgraded|"
    r"swapped?) (?:it )?(?:to|for|into)(?![a-z])"
)
_MOVED = re.compile(
    any_of(
        "从|由|把", "(?:change|move|switch|push|swap|upgrade|downgrade|postpone|shift|bring)[a-z]*[^,.;]{0,24}(?: from)?"
    )
    + r"[^\d,，。;；]{0,12}$"
)
_TO = re.compile(r" ?(?:to|into|for)(?![a-z])[^\d,.;]{0,10}$")


def told(norm: str, values: Sequence[Span]) -> list[Span]:
    """The spans of `values` that are only told of. All values of one kind are looked at together."""
    if not values or len(values) > _MOST:
        return []
    elsewhere, before = _marks(norm)
    found: list[Span] = []
    for low, high in clauses(norm) if elsewhere or before else ():
        inside = [value for value in values if low <= value[0] < high]
        if any(low <= mark[0] < high and not _inside(mark, values) for mark in elsewhere):
            found += inside
        elif inside:
            at = min((mark[1] for mark in before if low <= mark[0] < high and not _inside(mark, values)), default=high)
            found += [value for value in inside if value[0] >= at and not _INTO.search(norm, at, value[0])]
    found += [
        value
        for value in values
        if _NOT_THIS.search(norm, max(0, value[0] - 24), value[0]) or _WAS.match(norm, value[1])
    ]
    return [*found, *(first for first, second in pairwise(values) if _replaced(norm, first, second))]


@lru_cache(maxsize=128)
def _marks(norm: str) -> tuple[list[Span], list[Span]]:
    """Where a text speaks of another's case, another time or a custom; and of what was given or stood there before."""
    elsewhere = [mark.span() for pattern in (_OTHERS, _EARLIER, _USUAL) for mark in pattern.finditer(norm)]
    return elsewhere, [mark.span() for pattern in (_GIVEN, _AT_FIRST) for mark in pattern.finditer(norm)]


def codes_told(norm: str, found: Sequence[Code]) -> list[Code]:
    """The codes, with those of another case denied as long as one is left, and a relative's in any case."""
    found = [replace(code, denied=True) if foreign_code(norm, code.start, code.end) else code for code in found]
    void = told(norm, [(code.start, code.end) for code in found])
    if len({code.value for code in found if (code.start, code.end) not in void}) != 1:
        return list(found)
    return [replace(code, denied=True) if (code.start, code.end) in void else code for code in found]


def cues_told(norm: str, found: Sequence[Cue]) -> tuple[Cue, ...]:
    """The cues, with those that are only told of as supposed."""
    void = told(norm, [(cue.start, cue.end) for cue in found])
    if found and (last := decided(norm, settled=True)):
        kept = {cue.value for cue in found if last[0] <= cue.start < last[1] and not (cue.denied or cue.supposed)}
        void += [(cue.start, cue.end) for cue in found if cue.end <= last[0] and len(kept - {None}) == 1]
    return tuple(replace(cue, supposed=True) if (cue.start, cue.end) in void else cue for cue in found)


def amounts_told(norm: str, found: Sequence[Placed]) -> list[Placed]:
    """The amounts, with those that are only told of, or stand before a settlement, as the order's own."""
    void = told(norm, [one.amount.number for one in found])
    last = decided(norm, settled=True)
    if last and sum(last[0] <= one.amount.start < last[1] and one.role in ("", "wanted") for one in found) == 1:
        void += [one.amount.number for one in found if one.amount.end <= last[0]]
    return [replace(one, role="own") if one.amount.number in void else one for one in found]


def found_told(norm: str, found: Sequence[Found]) -> list[Found]:
    """Dates and numbers, with those that are only told of turned down."""
    void = told(norm, [(hit.start, hit.end) for hit in found])
    return [replace(hit, denied=True) if (hit.start, hit.end) in void else hit for hit in found]


def _replaced(norm: str, first: Span, second: Span) -> bool:
    """Whether the second of two values takes the place of the first: 12月1号改到8号, move it from Dec 1 to Dec 8."""
    between = norm[first[1] : second[0]]
    if len(between) > 24:
        return False
    into = _INTO.match(between) or MARK.fullmatch(between)
    return into is not None or (_TO.fullmatch(between) is not None and _MOVED.search(norm, 0, first[0]) is not None)


def _inside(span: Span, values: Sequence[Span]) -> bool:
    return any(low <= span[0] and span[1] <= high for low, high in values)

"""Which procedure a first message comes near, by the words of its title and description: BM25 over concepts and terms."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from graph.fields.dates import dates
from graph.fields.words import Source, any_of
from graph.handbook.terms import tokens
from graph.reading.concepts import ACTS, concepts
from graph.reading.model import SopCard

_TITLE, _DESCRIPTION = 2.5, 1.0
_ACT, _CONCEPT, _TERM, _SIGN = 1.3, 1.0, 0.6, 0.25
_SATURATION = 1.2
#: What further words are worth that say the same stretch of a text once more.
_AGAIN = 0.3
#: What a score is worth of which no concept of the title was spoken of.
_UNCOVERED = 0.6
#: A score that one word by itself must reach, in weights of the rarest one; below it a chance word decides.
LEAST = 0.35
#: The same where no word of the title was said.
_UNTITLED = 0.75
#: How much nearer the first must come than the second to be the one that is meant.
CLEAR = 1.06
MOST_CHOICES = 5
_NEAR = 0.5
#: Among so many procedures it says something that no other comes near.
_MANY = 12
_SHARED = 3
_CLOCK = re.compile(r"\d ?[点時时](?!数)|\d{1,2}:\d{2}|(?<![a-z0-9])\d{1,2} ?(?:am|pm)(?![a-z])|上午|下午|[早晚]上")
#: An amount that is to be given: a compensation, whatever it is called.
_PAYING = re.compile(
    r"(?:(?<![a-z])(?:give|pay|comp|owe|offer|grant|send|approve)(?![a-z])|[给补赔送])[^,，。;；]{0,32}?"
    r"(?:[$€£] ?\d|\d[\d,.]* ?(?:in |of )?(?:usd|dollars?|美元|美金|刀|块|积分|点数|points?|credits?|现金|cash))"
)
#: What any request has.
_ANY_REQUEST = re.compile(
    any_of(
        "处理|办理|申请|客户|客人|顾客|帮忙|帮我|麻烦|需要|想要|问题|服务|想|要|这个|那个|一个|订单",
        "handle|process|request|customer|client|guest|help|service|look|order|thing|wants?|wanted|would like|'d like|"
        "need(?:s|ed)?|someone|somebody",
    )
)
_CODE = re.compile(r"(?<![a-z0-9])[a-z]{1,6}-?\d{3,}(?![a-z0-9])")
#: How much of a title, and of the text, must speak of the same. With few procedures, or an order named, less is known of
#: what else is talked about, or more of what this is.
_OF_TITLE, _OF_TITLE_FEW, _OF_TITLE_CODED = 0.35, 0.55, 0.3
_OF_TEXT, _OF_TEXT_CODED = 0.25, 0.1
_CHANCE = frozenset({"#date", "#time", "#email"})
_MAIL = re.compile(r"[a-z0-9._+-]+@[a-z0-9-]+\.")


#: Title and description in both languages, and the words by which the values of its fields are said.
_Described = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Ranked:
    """A procedure with how near the words come to it; `clear` where none other comes nearly as near."""

    sop: SopCard
    score: float
    clear: bool = False


def rank(norm: str, sops: Sequence[SopCard], today: date | None = None) -> list[Ranked]:
    """The procedures that a normalised text comes near, the nearest first; none where it speaks of none of them."""
    index = _index(
        tuple((sop.title.zh, sop.title.en, sop.description.zh, sop.description.en, _values_of(sop)) for sop in sops)
    )
    said = _said(norm, today)
    scores = [index.score(said, place) for place in range(len(sops))]
    order = sorted((place for place in range(len(sops)) if scores[place] > 0), key=lambda place: -scores[place])
    if not order:
        return []
    best = scores[order[0]]
    second = scores[order[1]] if len(order) > 1 else 0.0
    alone = len(sops) >= _MANY and second < _NEAR * best
    least = LEAST if alone or index.titled(said.words, order[0]) else _UNTITLED
    telling = index.telling(said.words, order[0]) and (alone or not index.generic(said.words, order[0]))
    meant = index.meant(said, order[0], coded=_CODE.search(norm) is not None)
    clear = best >= least * index.rarest and best >= CLEAR * second and telling and meant
    kept = [place for place in order if scores[place] >= _NEAR * best]
    return [Ranked(sops[place], scores[place], place == order[0] and clear) for place in kept]


@dataclass(frozen=True)
class Said:
    """What a text speaks of: all of it, and by stretches of the text, each with what it can be taken for."""

    words: frozenset[str]
    stretches: tuple[frozenset[str], ...]


class _Index:
    """The bags of all procedures: each word with its weight there, and how telling it is among them."""

    def __init__(self, titled: Sequence[_Described]) -> None:
        self._bags: list[dict[str, float]] = []
        self._titles: list[set[str]] = []
        for zh, en, about_zh, about_en, _ in titled:
            bag: dict[str, float] = {}
            for words, weight in ((zh, _TITLE), (en, _TITLE), (about_zh, _DESCRIPTION), (about_en, _DESCRIPTION)):
                for word in _said(Source(words.replace("_", " ")).norm, None).words:
                    bag[word] = max(bag.get(word, 0.0), weight)
            if "#compensate" in bag:
                bag["#paying"] = _TITLE
            self._bags.append(bag)
            titles = (_said(Source(words).norm, None).words for words in (zh, en))
            self._titles.append({word for words in titles for word in words if word[0] == "#"})
        self._parts = [[_parts(words) for words in (zh, en)] for zh, en, *_ in titled]
        #: What may be said of a procedure beside its topic: the values of its fields.
        self._values = [_said(Source(values).norm, None).words for *_, values in titled]
        self._spread = Counter(word for bag in self._bags for word in bag)
        self._weights = {word: self._telling(seen) for word, seen in self._spread.items()}
        self.rarest = self._telling(1)

    def _telling(self, seen: int) -> float:
        return math.log(1 + (len(self._bags) - seen + 0.5) / (seen + 0.5))

    def _weight(self, word: str) -> float:
        return self._weights.get(word, self.rarest)

    def score(self, said: Said, place: int) -> float:
        """How near a text comes. Each stretch of it counts once, by the word or the concept that tells most there."""
        bag, title = self._bags[place], self._titles[place]
        total = 0.0
        for each in said.stretches:
            parts = sorted((self._part(word, bag, title) for word in each & bag.keys()), reverse=True)
            total += sum(parts[:1]) + _AGAIN * sum(parts[1:])
        whole = sum(self._weight(word) for word in title)
        covered = sum(self._weight(word) for word in title & said.words)
        return total * (_UNCOVERED + (1 - _UNCOVERED) * covered / whole) if whole else total

    def _part(self, word: str, bag: Mapping[str, float], title: Collection[str]) -> float:
        kind = _CONCEPT if word[0] == "#" else _SIGN if len(word) == 1 else _TERM
        if word[1:] in ACTS and word in title:
            kind = _ACT
        return kind * self._weight(word) * bag[word] * (_SATURATION + 1) / (bag[word] + _SATURATION)

    def meant(self, said: Said, place: int, *, coded: bool) -> bool:
        """Whether enough of the title was spoken of, and not much else. `coded`: an order was named."""
        parts = [kept for kept in self._parts[place] if kept]
        titled = max((self._covered(said, each) for each in parts), default=1.0)
        known = self._bags[place].keys() | self._values[place]
        spoken = {each: _length(each) for each in said.stretches}
        hits = sum(length for each, length in spoken.items() if each & known)
        share = hits / max(sum(spoken.values()), 1.0)
        least = _OF_TITLE_CODED if coded else _OF_TITLE if len(self._bags) >= _MANY else _OF_TITLE_FEW
        return titled >= least and share >= (_OF_TEXT_CODED if coded else _OF_TEXT)

    def _covered(self, said: Said, parts: Sequence[frozenset[str]]) -> float:
        """How much of a title's parts was spoken of: 0 to 1. Who says address said half of hotel."""
        weights = [max(self._weight(word) for word in part) for part in parts]
        best = [max((len(part & each) / len(part) for each in said.stretches), default=0.0) for part in parts]
        return sum(weight * share for weight, share in zip(weights, best, strict=True)) / sum(weights)

    def telling(self, said: frozenset[str], place: int) -> bool:
        """Whether more is shared than a day, a time or an address, which any talk may hold."""
        return bool((said & self._bags[place].keys()) - _CHANCE)

    def titled(self, said: frozenset[str], place: int) -> bool:
        """Whether a concept of the title was spoken of."""
        return bool(said & self._titles[place])

    def generic(self, said: frozenset[str], place: int) -> bool:
        """Whether all that is shared with a title is an act that several titles share: change, add."""
        shared = said & self._titles[place]
        return bool(shared) and all(
            word[1:] in ACTS and sum(word in title for title in self._titles) >= _SHARED for word in shared
        )


@lru_cache(maxsize=256)
def _values_of(sop: SopCard) -> str:
    choices = [choice for spec in sop.fields for choice in spec.choices]
    words = [word for choice in choices for word in (*choice.cues.zh, *choice.cues.en, choice.label.zh, choice.label.en)]
    return " . ".join([*words, *(word for spec in sop.fields for word in (spec.label.zh, spec.label.en))])


def _parts(words: str) -> list[frozenset[str]]:
    """The parts of a title, each with the concepts it can be taken for."""
    stretches = _said(Source(words.replace("_", " ")).norm, None).stretches
    parts = [frozenset(word for word in each if word[0] == "#") for each in stretches]
    return [part for part in parts if part]


def _length(stretch: frozenset[str]) -> float:
    """How much a stretch says: a concept or an English word is one, two Chinese signs half, for those overlap."""
    if any(word[0] == "#" for word in stretch):
        return 1.0
    lone = max(stretch, key=len)
    return 0.0 if len(lone) == 1 or " " in lone else 1.0 if lone.isascii() else 0.5


@lru_cache(maxsize=16)
def _index(titled: tuple[_Described, ...]) -> _Index:
    return _Index(titled)


def _said(norm: str, today: date | None) -> Said:
    """What a text speaks of: `#concepts`, and the terms that handbooks are searched by."""
    marked: list[tuple[int, int, set[str]]] = []
    for one in sorted(concepts(norm), key=lambda each: each.start):
        if marked and one.start < marked[-1][1]:
            low, high, names = marked[-1]
            marked[-1] = (low, max(high, one.end), names | {f"#{one.concept}"})
        else:
            marked.append((one.start, one.end, {f"#{one.concept}"}))
    stretches = [frozenset(names | _terms(norm[low:high])) for low, high, names in marked]
    found = {name for _, _, names in marked for name in names}
    apart = {f"#{name}" for name, there in _apart(norm, today) if there} - found
    if "#paying" in apart:
        apart |= {"#compensate"} - found
    inside = frozenset().union(*stretches) if stretches else frozenset()
    terms = _terms(_ANY_REQUEST.sub(" ", norm))
    stretches += [frozenset({word}) for word in (terms | apart) - inside]
    return Said(frozenset(terms | found | apart), tuple(stretches))


def _apart(norm: str, today: date | None) -> Iterator[tuple[str, bool]]:
    """What is spoken of by a form rather than by a word."""
    yield "date", bool(dates(norm, today or date(2000, 1, 1)))
    yield "time", _CLOCK.search(norm) is not None
    yield "email", _MAIL.search(norm) is not None
    yield "paying", _PAYING.search(norm) is not None


def _terms(words: str) -> set[str]:
    return {word for word in tokens(words, singles=True) if not word.isdecimal() and not word.startswith("#")}

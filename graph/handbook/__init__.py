"""The agents' handbook: sections read from Markdown, found by question, quoted by sentence.

Search is BM25 over both languages of a section, so that a question in either finds it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Self

from graph.errors import SopMistakes
from graph.handbook.sections import Passage, parse
from graph.handbook.terms import CHINESE, terms_of, tokens
from graph.model import Lang

__all__ = ["Handbook", "Passage", "best_sentence"]

MAIN_FILE = "policy.md"
NOT_A_HANDBOOK = "README.md"

HEADING_WEIGHT = 3
"""How many times a heading's words are counted beside those of the text."""
ASKED_WEIGHT = 2
"""The same for the other wordings under a heading; each word counts once."""
MIN_FIT = 1.12
"""Least score times coverage, in weights of a word that one section alone has; below it a chance word decides."""
MIN_COVERAGE = 0.55
"""Least share of a question's weight that a hit must contain; below it the question is about something else."""
NEAR_BEST = 0.5
"""A further hit must reach this share of the best one's score."""

_K1, _B = 1.2, 0.6

_SENTENCE_END = re.compile(
    r"\n\s*\n"
    r"|(?<=[。！？!?])(?=[^”’」』）\")\s])"
    r"|(?<=[.!?][\"”’)])\s+"
    r"|(?<=[.!?])\s+(?=[\"“'(]?[A-Z\u3400-\u9fff])"
)



class Handbook:
    """All sections of all handbooks, searchable."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        """Index the passages; the order given is kept among equal scores."""
        self.passages = tuple(passages)
        self._bags = [_bag(passage) for passage in self.passages]
        self._mean = sum(bag.total() for bag in self._bags) / max(len(self._bags), 1)
        self._spread = Counter(term for bag in self._bags for term in bag)
        self._rarest = self._weight("")

    @classmethod
    def load(cls, directory: Path) -> Self:
        """Read `policy.md` and every further `*.md` (but README.md) of the directory.

        Blocking; meant for the start of a process. Raises SopMistakes with all mistakes found.
        """
        names = sorted(p.name for p in directory.glob("*.md") if p.name not in {MAIN_FILE, NOT_A_HANDBOOK})
        passages: list[Passage] = []
        mistakes: list[str] = []
        for name in (MAIN_FILE, *names):
            try:
                source = (directory / name).read_text(encoding="utf-8")
                passages += parse(name, source)
            except FileNotFoundError:
                mistakes.append(f"{name}:1: not found in {directory}; a handbook of this name must exist")
            except UnicodeDecodeError as error:
                line = error.object.count(b"\n", 0, error.start) + 1
                mistakes.append(f"{name}:{line}: not UTF-8 text; save the file as UTF-8")
            except SopMistakes as error:
                mistakes += error.mistakes
        if mistakes:
            raise SopMistakes(mistakes)
        return cls(passages)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The English words of all passages, as they are spelled there."""
        texts = (f"{each.heading.en} {each.text.en}" for each in self.passages)
        return frozenset(word for text in texts for word in re.findall(r"[a-z]{4,}", text.lower()))

    @property
    def terms(self) -> list[list[str]]:
        """The terms of each passage, each as often as it counts: what an index is made of."""
        return [sorted(bag.elements()) for bag in self._bags]

    def find(self, question: str, limit: int = 3, among: Sequence[int] | None = None) -> list[Passage]:
        """The passages that answer the question, best first; none when none fits well enough. `among`: the places that an
        index found, so that only these are looked at."""
        terms = terms_of(question)
        topical = self._topical(terms)
        asked = sum(map(self._weight, topical))
        if not asked:
            return []
        least = MIN_FIT * self._rarest * asked
        hits: list[Passage] = []
        best = 0.0
        places = range(len(self._bags)) if among is None else [place for place in among if place < len(self._bags)]
        scores = {place: self._score(terms, self._bags[place]) for place in places}
        for index in sorted(scores, key=lambda i: (-scores[i], i)):
            score, bag = scores[index], self._bags[index]
            covered = sum(self._weight(term) for term in topical if term in bag)
            if score < NEAR_BEST * best or covered < MIN_COVERAGE * asked or score * covered < least:
                # If even the leader does not fit, a runner-up is a guess: better to find nothing.
                break
            best = best or score
            hits.append(self.passages[index])
        return hits[: max(limit, 0)]

    def _weight(self, term: str) -> float:
        """How telling a term is: the rarer, the more. One never seen counts as the rarest."""
        seen = max(self._spread[term], 1)
        return math.log(1 + (len(self._bags) - seen + 0.5) / (seen + 0.5))

    def _topical(self, terms: Sequence[str]) -> list[str]:
        """The terms a hit should contain: not word pairs, and none unseen that are figures or seams between words."""
        seen = set("".join(t for t in terms if t in self._spread and CHINESE.match(t)))
        return [t for t in terms if " " not in t and (t in self._spread or not (t.isdecimal() or seen & set(t)))]

    def _score(self, terms: Iterable[str], bag: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * bag.total() / self._mean)
        return sum(self._weight(t) * bag[t] * (_K1 + 1) / (bag[t] + norm) for t in terms if bag[t])


def best_sentence(passage: Passage, question: str, lang: Lang) -> str:
    """The sentence of the passage, in that language, that answers the question best; the first if none stands out."""
    sentences = [s.strip() for s in _SENTENCE_END.split(passage.text.in_(lang)) if s.strip()]
    bags = [set(terms_of(sentence)) for sentence in sentences]
    spread = Counter(term for bag in bags for term in bag)
    asked = set(terms_of(question))

    def worth(bag: set[str]) -> float:
        # What every sentence says tells none of them apart, so a shared term weighs less.
        return sum(1 / spread[term] for term in bag & asked)

    # A section opens with its answer: a later sentence must be clearly closer to be quoted instead.
    lead = worth(bags[0]) + 1.5
    best = max(range(len(sentences)), key=lambda i: (worth(bags[i]), -i))
    return sentences[best] if worth(bags[best]) > lead else sentences[0]


def _bag(passage: Passage) -> Counter[str]:
    bag: Counter[str] = Counter()
    for part, weight in ((passage.heading, HEADING_WEIGHT), (passage.text, 1)):
        for text in dict.fromkeys((part.zh, part.en)):
            for token in tokens(text, singles=True):
                bag[token] += weight
    for token in set(tokens(passage.asked, singles=True)):
        bag[token] += ASKED_WEIGHT
    return bag

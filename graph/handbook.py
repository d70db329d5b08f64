"""The agents' handbook: sections read from Markdown, found by question, quoted by sentence.

A file is chapters (`# zh / en`) of sections (`## zh / en`) of paragraphs in either language. Lines
that open with `>` hold other words people use for the section: they are searched and never shown.
Search is BM25 over pairs of Chinese characters and lightly stemmed English words, both languages
of a section in one bag, so a question may mix them.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from graph.errors import SopMistakes
from graph.model import Lang, Text

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

_CJK = re.compile(r"[\u3400-\u9fff]")
_CODE = re.compile(r"\b[a-z]{1,4}-?\d+\b")  # "KL-778" names an order, not a topic
_CHUNK = re.compile(r"[\u3400-\u9fff]+|[a-z]+|\d+|[.;!?。；！？]")
_HEADING = re.compile(r"^(#+)(?:\s+(.*?))?\s*#*\s*$")
_SENTENCE_END = re.compile(
    r"\n\s*\n"
    r"|(?<=[。！？!?])(?=[^”’」』）\")\s])"
    r"|(?<=[.!?][\"”’)])\s+"
    r"|(?<=[.!?])\s+(?=[\"“'(]?[A-Z\u3400-\u9fff])"
)

# Longest first: 可不可以 must go before 可以.
_STOP_ZH = re.compile(
    "可不可以|要不要|是不是|有没有|能不能|会不会|该不该|为什么|怎么样|什么时候|什么样|怎么办|需不需要|"
    "请问|客人|一直|行不行|如何|怎么|怎样|什么|多少|哪些|哪个|哪里|几个|是否|可以|应该|需要|如果|已经|我们|他们|这个|那个|一下|"
    "一个|的话|但是|还是|或者|以及|就是|[吗呢吧啊呀么的了着我你您他她它们这那是在和与及或也都就还能会要该把被让给对跟谁几哪得请]"
)
_STOP_EN = re.compile(
    "a|an|the|this|that|these|those|i|me|my|we|us|our|you|your|he|she|it|its|they|them|their|one|s|t|re|"
    "ve|ll|d|m|is|am|are|was|were|be|been|being|do|does|did|done|have|has|had|having|can|could|may|"
    "might|must|shall|should|will|would|need|let|get|got|to|of|in|on|at|for|from|by|with|into|about|as|"
    "than|then|so|if|or|and|but|nor|what|when|where|which|who|whom|whose|why|how|there|here|any|some|no|"
    "not|yes|please|know|want|just|still|also|too|very|much|many|more|most|all|every|each|"
    "only|same|such|thing|way|up|out|off|over|make|made|use|work|go|give|given|put|take|happen|possible|"
    "allowed|customer|customers|guest|next|now|yet|often|don|doesn|didn|isn|won|ok"
)
_SAME = {"paid": "pay", "sent": "send", "late": "delay", "driver": "car", "dollar": "usd"}
_DOLLAR_ZH = re.compile("美元|美金|美刀")
_SUFFIXES = ("ation", "ating", "ated", "ate", "ment", "ing", "ion", "al", "ie", "ied", "ed", "er", "ly", "e", "y")


class Passage(BaseModel):
    """One section of a handbook: where it stands, and what it says."""

    model_config = ConfigDict(frozen=True)

    file: str
    chapter: Text
    heading: Text
    text: Text
    asked: str = ""
    """Other words people use for it: searched, never shown."""


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
                passages += _parse(name, source)
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

    def find(self, question: str, limit: int = 3) -> list[Passage]:
        """The passages that answer the question, best first; none when none fits well enough."""
        terms = _terms(question)
        topical = self._topical(terms)
        asked = sum(map(self._weight, topical))
        if not asked:
            return []
        least = MIN_FIT * self._rarest * asked
        hits: list[Passage] = []
        best = 0.0
        scores = [self._score(terms, bag) for bag in self._bags]
        for index in sorted(range(len(scores)), key=lambda i: (-scores[i], i)):
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
        seen = set("".join(t for t in terms if t in self._spread and _CJK.match(t)))
        return [t for t in terms if " " not in t and (t in self._spread or not (t.isdecimal() or seen & set(t)))]

    def _score(self, terms: Iterable[str], bag: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * bag.total() / self._mean)
        return sum(self._weight(t) * bag[t] * (_K1 + 1) / (bag[t] + norm) for t in terms if bag[t])


def best_sentence(passage: Passage, question: str, lang: Lang) -> str:
    """The sentence of the passage, in that language, that answers the question best; the first if none stands out."""
    sentences = [s.strip() for s in _SENTENCE_END.split(passage.text.in_(lang)) if s.strip()]
    bags = [set(_terms(sentence)) for sentence in sentences]
    spread = Counter(term for bag in bags for term in bag)
    asked = set(_terms(question))

    def worth(bag: set[str]) -> float:
        # What every sentence says tells none of them apart, so a shared term weighs less.
        return sum(1 / spread[term] for term in bag & asked)

    # A section opens with its answer: a later sentence must be clearly closer to be quoted instead.
    lead = worth(bags[0]) + 1.5
    best = max(range(len(sentences)), key=lambda i: (worth(bags[i]), -i))
    return sentences[best] if worth(bags[best]) > lead else sentences[0]


def _terms(text: str) -> list[str]:
    """Distinct search terms in order: character pairs, word stems, numbers, and pairs of neighbouring stems."""
    return list(dict.fromkeys(_tokens(text)))


def _tokens(text: str, singles: bool = False) -> Iterator[str]:
    """Tokens in order. A question asks for a lone character ("谁批？"), so what is searched has `singles` too."""
    plain = _STOP_ZH.sub(" ", _DOLLAR_ZH.sub(" usd ", _CODE.sub(" ", unicodedata.normalize("NFKC", text).lower())))
    before = ""
    for chunk in _CHUNK.findall(plain):
        if _CJK.match(chunk):
            yield from (chunk[i : i + 2] for i in range(max(len(chunk) - 1, 1)))
            if singles and len(chunk) > 1:
                yield from chunk
            before = ""
        elif not chunk.isalnum():
            before = ""
        elif not _STOP_EN.fullmatch(chunk):
            stem = _stem(chunk)
            yield stem
            # Word order decides between "refund after compensating" and "compensate after a refund".
            if before:
                yield f"{before} {stem}"
            before = stem


def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    if word.endswith("s") and len(word) > 3 and not word.endswith("ss"):
        word = word[:-1]
    word = _SAME.get(word, word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word.isalpha() else word


def _bag(passage: Passage) -> Counter[str]:
    bag: Counter[str] = Counter()
    for part, weight in ((passage.heading, HEADING_WEIGHT), (passage.text, 1)):
        for text in dict.fromkeys((part.zh, part.en)):
            for token in _tokens(text, singles=True):
                bag[token] += weight
    for token in set(_tokens(passage.asked, singles=True)):
        bag[token] += ASKED_WEIGHT
    return bag


def _parse(file: str, source: str) -> list[Passage]:
    """The sections of one file. Raises SopMistakes with every mistake in it."""
    passages: list[Passage] = []
    mistakes: list[str] = []
    chapter: Text | None = None
    section: tuple[int, Text, Text] | None = None
    body: list[str] = []
    seen: dict[Text, int] = {}

    def close() -> None:
        if section is None:
            return
        line, inside, heading = section
        asked = "; ".join(row[1:].strip() for row in body if row.startswith(">"))
        if text := _by_language("\n".join(row for row in body if not row.startswith(">"))):
            passages.append(Passage(file=file, chapter=inside, heading=heading, text=text, asked=asked))
        else:
            mistakes.append(f"{file}:{line}: section “{heading.zh}” is empty; write its text or remove the heading")

    for number, line in enumerate(source.splitlines(), start=1):
        mark = _HEADING.match(line)
        if mark is None:
            body.append(line)
            if section is None and line.strip():
                where = "under a chapter" if chapter else "before any heading"
                mistakes.append(f"{file}:{number}: text {where}; it must stand under a section heading “## …”")
            continue
        close()
        section, body = None, []
        level, title = len(mark[1]), _split_title(mark[2] or "")
        if title is None:
            mistakes.append(f"{file}:{number}: heading without words; write “{mark[1]} 中文 / English” or one of them")
        elif level == 1:
            chapter = title
        elif level > 2:
            mistakes.append(f"{file}:{number}: heading “{mark[1]}”; allowed are “#” (chapter) and “##” (section)")
        elif chapter is None:
            mistakes.append(f"{file}:{number}: section before any chapter; write “# …” above it")
        else:
            section = (number, chapter, title)
            if (first := seen.setdefault(title, number)) != number:
                mistakes.append(f"{file}:{number}: heading “{title.zh}” is already used in line {first}; rename one")
    close()
    if not passages and not mistakes:
        mistakes.append(f"{file}:1: no section; write “# chapter”, then “## section” and its text")
    if mistakes:
        raise SopMistakes(mistakes)
    return passages


def _split_title(title: str) -> Text | None:
    parts = [part.strip() for part in title.split(" / ", 1) if part.strip(" /")]
    return Text(zh=parts[0], en=parts[-1]) if parts else None


def _by_language(body: str) -> Text | None:
    """Paragraphs sorted by the writing that prevails in each."""
    found: dict[Lang, list[str]] = {"zh": [], "en": []}
    for paragraph in re.split(r"\n\s*\n", body):
        if text := " ".join(paragraph.split()):
            chinese = len(_CJK.findall(text)) >= len(re.findall(r"[A-Za-z]+", text))
            found["zh" if chinese else "en"].append(text)
    zh, en = "\n\n".join(found["zh"]), "\n\n".join(found["en"])
    return Text(zh=zh or en, en=en or zh) if zh or en else None

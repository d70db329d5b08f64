"""Finding a scenario's word groups in what was said: Chinese by signs, English by words "
"with their endings and slips."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_CHINESE = re.compile(r"[㐀-鿿]")
_LATIN = re.compile(r"[a-z][a-z']*")
_BETWEEN = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")
_GAP = "…"
_WIDE = r"[^,，。？！?!;；\n]{0,8}?"
_MISTYPED = {
    **{"祥情": "详情", "帐": "账", "己完成": "已完成", "己经": "已经", "自赢": "自营", "自莹": "自营"},
    **{"登计": "登记", "发漂": "发票", "店辅": "店铺", "修该": "修改", "提共": "提供"},
}
_DENIED = re.compile(
    r"(?:不用|不需要|无需|不必|不要|别|没法|无法|不能|不可以|不是|并非|没有?|还没|未|改不了|"
    r"\b(?:not|no|never|without|non|cannot)\b|n't\b|\b(?:dont|doesnt|didnt|isnt|cant|wasnt|hasnt|havent|neednt)\b)"
    r"(?:\s*(?:再|去|自己|直接|通过|是|能|在|被|经|需|need(?:ed)?|to|have|been|be|it|yet|a|the|really|yourself|got|from|any|by))*"
    r"\s*$"
)


@dataclass(frozen=True)
class Hit:
    """A word of a group that was said: where it stands, and whether it was denied."""

    start: int
    end: int
    denied: bool


def normal(text: str) -> str:
    """What was said in one writing: widths and capitals folded, no spaces between Chinese "
    "signs, common slips put right."""
    folded = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    folded = _BETWEEN.sub("", folded)
    for wrong, right in _MISTYPED.items():
        folded = folded.replace(wrong, right)
    return folded


class Lexicon:
    """The word groups of a scenario, ready to be looked for."""

    def __init__(self, words: Mapping[str, Iterable[str]]) -> None:
        self._groups = {name: re.compile("|".join(map(_pattern, _longest(said)))) for name, said in words.items()}
        self._known = frozenset(word for said in words.values() for each in said for word in _LATIN.findall(each.lower()))

    def put_right(self, text: str) -> str:
        """`normal`, and English words one slip away from a word of the scenario put right."""
        return _LATIN.sub(lambda found: self._corrected(found[0]), normal(text))

    def hits(self, group: str, text: str) -> list[Hit]:
        """Where the words of a group stand in a text that was put right."""
        return [
            Hit(found.start(), found.end(), _DENIED.search(text[max(0, found.start() - 24) : found.start()]) is not None)
            for found in self._groups[group].finditer(text)
        ]

    def says(self, cues: Sequence[str], text: str, *, denied: bool = False) -> bool:
        """Whether one of the cues is said in full. Words that are denied count only with `denied`."""
        return any(self._whole(cue, text, denied) for cue in cues)

    def _whole(self, cue: str, text: str, denied: bool) -> bool:
        for group in cue.split():
            hits = self.hits(group.removeprefix("!"), text)
            found = any(denied or not hit.denied for hit in hits)
            if found == group.startswith("!"):
                return False
        return True

    def _corrected(self, word: str) -> str:
        """The one word of the scenario that this is a slip of; a letter too many or too few outweighs a wrong one."""
        forms = {word, _stem(word), *(word + ending for ending in ("d", "s", "es", "ed", "ing"))}
        if len(word) < 5 or forms & self._known:
            return word
        for slip in (_lost_or_doubled, _mistyped):
            near = {known for known in self._known if len(known) >= 5 and slip(word, known)}
            if near:
                return near.pop() if len(near) == 1 else word
        return word


def _longest(words: Iterable[str]) -> list[str]:
    return sorted(words, key=len, reverse=True)


def _pattern(word: str) -> str:
    """A word as a pattern. `…` in it stands for up to eight signs of the same clause."""
    return _WIDE.join(_plain(normal(part)) for part in word.split(_GAP))


def _plain(part: str) -> str:
    if _CHINESE.search(part) or not _LATIN.search(part):
        return re.escape(part)
    return r"(?<![a-z])" + r"\s+".join(map(_inflected, part.split())) + r"(?![a-z])"


def _inflected(word: str) -> str:
    if not re.fullmatch(r"[a-z]{3,}", word):
        return re.escape(word)
    if word.endswith("e"):
        return rf"{word[:-1]}(?:e|es|ed|ing|er)"
    if word.endswith("y"):
        return rf"{word[:-1]}(?:y|ys|ies|ied|ying)"
    return rf"{word}(?:{word[-1]}?(?:ed|ing|er)|s|es|'s)?"


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "er"):
        if word.endswith(ending):
            return word.removesuffix(ending)
    return word


def _lost_or_doubled(word: str, known: str) -> bool:
    """Whether one letter was left out, put in, or swapped with its neighbour."""
    if word == known or abs(len(word) - len(known)) > 1:
        return False
    rest, other = _after_the_same(word, known)
    if len(word) == len(known):
        return rest[:2] == other[1::-1] and rest[2:] == other[2:]
    if len(known) < 6:
        return False
    return rest[1:] == other or rest == other[1:]


def _mistyped(word: str, known: str) -> bool:
    """Whether one letter of a long word is another."""
    if word == known or len(word) != len(known) or len(word) < 8:
        return False
    rest, other = _after_the_same(word, known)
    return rest[1:] == other[1:]


def _after_the_same(word: str, known: str) -> tuple[str, str]:
    start = next((at for at, (a, b) in enumerate(zip(word, known, strict=False)) if a != b), min(len(word), len(known)))
    return word[start:], known[start:]

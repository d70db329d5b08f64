"""Many patterns looked for in one text: at each place only those are tried that can begin with the sign there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_BEHIND = re.compile(r"(?:\(\?<[!=][^()]*\))+")
_OPTIONAL = ("?", "*", "{")
_DIGITS = frozenset("0123456789")


class Lexicon:
    """Names, each with its patterns. Finds for each name what one pattern of all its alternatives would find."""

    def __init__(self, patterns: Mapping[str, Sequence[str]]) -> None:
        self.names = tuple(patterns)
        self._by_head: dict[str, list[tuple[int, re.Pattern[str]]]] = {}
        #: What may begin with any sign.
        self._loose: list[tuple[int, re.Pattern[str]]] = []
        for index, listed in enumerate(patterns.values()):
            heads = [heads_of(one) for one in listed]
            if any(head is None for head in heads):
                self._loose.append((index, re.compile("|".join(listed))))
                continue
            for sign in sorted(frozenset().union(*filter(None, heads))):
                able = [one for one, head in zip(listed, heads, strict=True) if head and sign in head]
                self._by_head.setdefault(sign, []).append((index, re.compile("|".join(able))))

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where each name is spoken of: start, end, name. The finds of one name do not overlap."""
        ends = [0] * len(self.names)
        for at, sign in enumerate(text):
            for index, pattern in self._by_head.get(sign, ()):
                if at >= ends[index] and (found := pattern.match(text, at)):
                    ends[index] = found.end()
                    yield at, found.end(), self.names[index]
        for index, pattern in self._loose:
            for found in pattern.finditer(text):
                yield found.start(), found.end(), self.names[index]


def heads_of(pattern: str) -> frozenset[str] | None:
    """The signs that a find of this pattern can begin with; None where that is not plain to see."""
    behind = _BEHIND.match(pattern)
    rest = pattern[behind.end() :] if behind else pattern
    if rest.startswith("(?:"):
        end = _closing(rest)
        found = [heads_of(part) for part in _alternatives(rest[3:end])]
        known = [heads for heads in found if heads is not None]
        return None if len(known) < len(found) or rest.startswith(_OPTIONAL, end + 1) else frozenset().union(*known)
    if rest.startswith("["):
        end = rest.index("]")
        signs, after = rest[1:end], rest[end + 1 :]
        return None if set(signs) & set("-^\\") or after.startswith(_OPTIONAL) else frozenset(signs)
    if rest.startswith(r"\d"):
        return None if rest.startswith(_OPTIONAL, 2) else _DIGITS
    if not rest or rest[0] in r"\.()|^$*+?{" or rest.startswith(_OPTIONAL, 1):
        return None
    return frozenset(rest[0])


def _closing(pattern: str) -> int:
    """Where the group ends that a pattern begins with."""
    depth = 0
    for at, sign in enumerate(pattern):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at
    raise ValueError(f"a group is not closed: {pattern}")


def _alternatives(body: str) -> list[str]:
    parts, depth = [""], 0
    for sign in body:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts

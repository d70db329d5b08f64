"""Text made comparable: one width, one case, one dash, simplified signs, with a way back to the words as written."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from opencc import OpenCC

READ_AT_MOST = 4000
_PLACES_AT_MOST = 20
_DASHES = "‐‑‒–—―−﹣"
#: A comma between digits as wide as itself: １，０００.
_WIDE_THOUSANDS = re.compile("[０-９]，[０-９]{3}(?![０-９])")
_QUOTES = {"’": "'", "‘": "'", "“": '"', "”": '"'}


class Source:
    """A text as read: `norm` is NFKC, lower case, in simplified signs, with single spaces; `quote` gives the
    original words of a span.

    No more than `READ_AT_MOST` signs are read: a message that says more is not a message to a desk.
    """

    def __init__(self, original: str) -> None:
        self.original = original[:READ_AT_MOST]
        self.norm, self._at = _normal(self.original)

    def quote(self, start: int, end: int) -> str:
        """The original words from `start` to `end` of `norm`, without the spaces around them."""
        if start >= end:
            return ""
        return self.original[self._at[start] : self._at[end - 1] + 1].strip()

    def find(self, words: str) -> list[tuple[int, int]]:
        """Where `words` stand in the text, whatever their width, case and spacing: the first places, or none."""
        wanted = Source(words).norm.strip().replace("\n", " ")
        if not wanted:
            return []
        text = self.norm.replace("\n", " ")
        found: list[tuple[int, int]] = []
        at = text.find(wanted)
        while at >= 0 and len(found) < _PLACES_AT_MOST:
            found.append((at, at + len(wanted)))
            at = text.find(wanted, at + len(wanted))
        return found


@lru_cache(maxsize=128)
def _normal(original: str) -> tuple[str, tuple[int, ...]]:
    """The comparable form of a text, and where each of its signs comes from. One message is looked at many times."""
    signs: list[str] = []
    places: list[int] = []
    for index, sign in enumerate(original):
        for plain in "," if sign == "，" and _WIDE_THOUSANDS.match(original, max(0, index - 1)) else _plain(sign):
            if plain == " " and signs and signs[-1] in " \n":
                continue
            if plain == "\n" and signs and signs[-1] == " ":
                signs[-1] = "\n"
                continue
            if plain == "\n" and signs and signs[-1] == "\n":
                continue
            signs.append(plain)
            places.append(index)
    return "".join(signs), tuple(places)


@lru_cache(maxsize=1)
def _converter() -> OpenCC:
    return OpenCC("t2s")


@lru_cache(maxsize=8192)
def simplified(sign: str) -> str:
    """The simplified form of a traditional Chinese sign; any other as it is."""
    return str(_converter().convert(sign)) if "\u3400" <= sign <= "\u9fff" else sign


@lru_cache(maxsize=8192)
def _plain(sign: str) -> str:
    if sign in _DASHES:
        return "-"
    if sign == "，":  # not a thousands separator, which NFKC would make of it
        return sign
    if sign in _QUOTES:
        return _QUOTES[sign]
    if sign in "\r\n\u2028\u2029\u0085\v\f":
        return "\n"
    if unicodedata.category(sign) in ("Cf", "Cc") and sign != "\t":
        return ""
    plain = unicodedata.normalize("NFKC", sign).lower()
    return "".join(" " if part.isspace() else simplified(part) for part in plain)


def any_of(zh: str = "", en: str = "") -> str:
    """A pattern for any of some words, `|` between them: Chinese anywhere, English as whole words."""
    parts = [zh] if zh else []
    if en:
        parts.append(rf"(?<![a-z])(?:{en})(?![a-z])")
    return f"(?:{'|'.join(parts)})"

"""A start by name: `start refund KL-901 …`, 发起退款 …. The name or title of a procedure, then what is said for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graph.fields.words import Source
from graph.reading.model import SopCard
from graph.reading.talk import asking

_START = re.compile(r"\s*(?:start|begin|启动|发起|开始)(?![a-z])[\s:：]*", re.IGNORECASE)
#: What puts it off or takes it back is no start: start refund once the guest agrees.
_NOT_NOW = re.compile(
    r"(?:if|when|once|after|only|unless|until|later|tomorrow|not|never)(?![a-z])|如果|要是|等|先别|之后|以后|明天",
    re.IGNORECASE,
)
_BETWEEN = " \t\n\u3000,，:：;；。"
_END = re.compile(r"[\s,，:：;；。]+")


class Named(NamedTuple):
    """The procedure that was named, and the words after its name."""

    sop: SopCard
    words: str


def explicit(text: str, sops: Sequence[SopCard]) -> Named | None:
    """What a text starts by name; None where it does not begin with `start` and a name, or is asked or put off."""
    verb = _START.match(text)
    found = named(text[verb.end() :], sops) if verb is not None else None
    if found is None or asking(Source(found.words).norm) or _NOT_NOW.match(found.words):
        return None
    return found


def named(words: str, sops: Sequence[SopCard]) -> Named | None:
    """The procedure whose name or title the words begin with, however it is written. The longest name counts."""
    best: tuple[int, SopCard] | None = None
    for sop in sops:
        for name in (sop.name, sop.name.replace("_", " "), sop.title.zh, sop.title.en):
            end = _begins(words, name)
            if end and (best is None or end > best[0]):
                best = end, sop
    return Named(best[1], words[best[0] :].lstrip(_BETWEEN)) if best is not None else None


def spelled(name: str, words: str) -> str:
    """The words with the procedure named before them, as `explicit` reads it."""
    return f"start {name} {words}".rstrip()


def _begins(words: str, name: str) -> int:
    """How many characters of the words are this name; 0 where they do not begin with it, as a whole word."""
    wanted = Source(name.strip()).norm.casefold()
    head = words[: len(name.strip())]
    if not wanted or Source(head).norm.casefold() != wanted:
        return 0
    rest = words[len(head) :]
    # Chinese has no spaces: 发起退款KL-901 names the procedure, 退款到账 is another word.
    apart = not rest or _END.match(rest) or (not name.strip()[-1].isascii() and rest[0].isascii())
    return len(head) if apart else 0

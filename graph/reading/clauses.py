"""Clauses: the stretches of a message that say one thing each."""

from __future__ import annotations

import re

#: Stands for each sign of a code, an amount or a way where the words around them are looked at.
HIDDEN = "◇"
#: A message of more clauses is no message to a desk.
MOST = 200
_BREAK = re.compile(
    rf"[。;；!！?？\n，()\[\]【】→➜|]|[-=]>|(?<= )/(?= )|/(?=[一-鿿])|(?<=[一-鿿])/|"
    rf",(?!\d{{3}}(?!\d))|(?<=[a-z0-9){HIDDEN}])(?<! no)(?<! nr)\.(?= |$)|"
    r"(?<= )- (?=[a-z一-鿿])|"
    rf"但是|但|不过|可是|"
    rf"然后|同时|"
    r"(?<![a-z])(?:but|however|although|though|so|therefore)(?![a-z])"
)


def clauses(text: str) -> list[tuple[int, int]]:
    """The spans of the clauses of a normalised text, without the spaces around them; empty ones are left out."""
    spans, start = [], 0
    for low, high in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        words = text[start:low]
        if words.strip():
            lead = len(words) - len(words.lstrip())
            spans.append((start + lead, start + len(words.rstrip())))
        start = high
    return spans

"""Numbers as English spells them: forty, two hundred and fifty, 1.5 million."""

from __future__ import annotations

import re
from decimal import Decimal

_SMALL = {
    word: value
    for value, word in enumerate(
        [
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
            *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        ]
    )
}
_TENS = {
    word: 10 * (place + 2)
    for place, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
}
_SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SCALE = "|".join(_SCALES)
_WORD = "|".join(sorted([*_SMALL, *_TENS, *_SCALES], key=len, reverse=True))
#: Words that make a number inexact, or one that we do not read.
_SPOILER = (
    r"half|halves|quarters?|few|several|couple|hundreds|thousands|millions|dozens?|dozs?|lakh|crore|bln|tln|point|"
    r"firsts|thirds?|(?!months?)[a-z]{2,10}ths?"
)
_START = (
    rf"{_NUMBER} ?(?:{_SCALE})|(?:an? )?(?:half|quarters?|few|several|couple)(?: of)?(?: an?)? (?:{_WORD})|an? "
    rf"(?:{_SCALE})|{_WORD}"
)
#: That one, the last one: a thing that was named before.
_THINGS = ("that", "this", "the", "which", "each", "every", "any", "no", "last", "first", "next", "other")
_THING = "".join(rf"(?<!{word} )" for word in _THINGS)
_NO_THING = rf"(?:{_THING}|(?!one(?! ?(?:{_SCALE}))))"
_MORE = rf"(?: and(?: an?)? | an? |[ -])(?:{_WORD}|{_SPOILER})(?![a-z0-9])"
SPELLED = rf"(?<![a-z0-9]){_NO_THING}(?:{_START})(?:{_MORE})*(?![a-z0-9])"
_WORDS = {*_SMALL, *_TENS, *_SCALES}


def english_number(words: str) -> Decimal | None:
    """The exact value of a spelled number; None where it is not one well-formed number."""
    tokens = [token for token in re.split(r"[ -]+", words.replace(",", "")) if token != "and"]
    if tokens[0] in ("a", "an"):
        tokens[0] = "one"
    elif tokens[0] in _SCALES:
        tokens.insert(0, "one")
    if any(token not in _WORDS and not token[0].isdigit() for token in tokens):
        return None
    total, group, below = Decimal(0), Decimal(0), 10**15
    room = 10**3  # what the next word must be smaller than
    for place, token in enumerate(tokens):
        if token == "hundred":
            if not group or group >= 100:
                return None
            group, room = group * 100, 100
        elif token in _SCALES:
            if not group or _SCALES[token] >= below:
                return None
            total, group, below, room = total + group * _SCALES[token], Decimal(0), _SCALES[token], 10**3
        else:
            value = Decimal(_SMALL.get(token, _TENS.get(token, token)))
            if place and value >= room:
                return None
            group, room = group + value, 10 if token in _TENS else 1
    return total + group

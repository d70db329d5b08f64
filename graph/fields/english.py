"""Numbers as English spells them: forty, two hundred and fifty, 1.5 million."""

from __future__ import annotations

import re
from decimal import Decimal

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * (place + 2)
    for place, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
#: Words that make a number one that is not exact, or not to be read by us.
POISON = (
    "half halves quarter quarters third thirds few several couple hundreds thousands millions dozen dozens lakh crore "
    "bln tln point minus negative"
).split()
_WORDS = [*_SMALL, *_TENS, *_SCALES]
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_POISON = "|".join(sorted(POISON, key=len, reverse=True))
SPELLED = re.compile(
    rf"(?<![a-z0-9.,])(?:{_NUMBER} ?(?:{'|'.join(_SCALES)})|(?:an? )?(?:{_POISON})(?: of)?(?: an?)? (?:{_WORD})|an? (?:{'|'.join(_SCALES)})|{_WORD})"
    rf"(?:(?: and | an? |[ -])(?:{_WORD}|{_POISON}))*(?![a-z0-9])"
)


def english_number(words: str) -> Decimal | None:
    """The exact value of a spelled number; None where it is not one well-formed number."""
    tokens = re.split(r"[ -]+", words.replace(",", ""))
    tokens = [token for token in tokens if token != "and"]
    if any(token in POISON for token in tokens):
        return None
    if tokens[0] in ("a", "an"):
        tokens[0] = "one"
    total, group, last = Decimal(0), Decimal(0), 10**15
    room = 10**3  # what the next word must be smaller than
    for token in tokens:
        if token in _SCALES:
            scale = _SCALES[token]
            if scale == 100:
                if not group or group >= 100:
                    return None
                group, room = group * 100, 100
                continue
            if not group or scale >= last:
                return None
            total, group, last, room = total + group * scale, Decimal(0), scale, 10**3
            continue
        value = Decimal(_SMALL[token] if token in _SMALL else _TENS[token] if token in _TENS else token)
        if value >= room and not (token[0].isdigit() and not total and not group):
            return None
        group, room = group + value, 10 if token in _TENS else 1
    return total + group

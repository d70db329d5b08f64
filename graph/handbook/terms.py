"""Words as search counts them: pairs of Chinese characters, lightly stemmed English words, without the stop words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from graph.fields.words import simplified

CHINESE = re.compile(r"[\u3400-\u9fff]")
_CODE = re.compile(r"\b[a-z]{1,4}-?\d+\b")  # "KL-778" names an order, not a topic
_CHUNK = re.compile(r"[\u3400-\u9fff]+|[a-z]+|\d+|[.;!?。；！？]")
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


def terms_of(text: str) -> list[str]:
    """Distinct search terms in order: character pairs, word stems, numbers, and pairs of neighbouring stems."""
    return list(dict.fromkeys(tokens(text)))


def tokens(text: str, singles: bool = False) -> Iterator[str]:
    """Tokens in order. A question asks for a lone character ("谁批？"), so what is searched has `singles` too."""
    folded = "".join(map(simplified, unicodedata.normalize("NFKC", text).lower()))
    plain = _STOP_ZH.sub(" ", _DOLLAR_ZH.sub(" usd ", _CODE.sub(" ", folded)))
    before = ""
    for chunk in _CHUNK.findall(plain):
        if CHINESE.match(chunk):
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

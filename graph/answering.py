"""Questions: answered from the handbook, quoted and named; what it does not hold is said to be missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from graph.errors import ModelUnavailable
from graph.handbook import Handbook, best_sentence
from graph.handbook.sections import Passage as Section
from graph.handbook.terms import terms_of
from graph.llm import Llm
from graph.model import Lang, Passage, Reply, Text
from graph.phrases import both
from graph.prompts import answer_messages
from graph.reading.guard import grounded
from graph.summary import is_prose

_NO = re.compile(
    r"\s*(?:不|没(?!问题)|禁止|无法|no\b|not\b|never\b|you (?:can(?:no|')t|may not)|it (?:can(?:no|')t|is not))",
    re.IGNORECASE,
)
_YES = re.compile(r"\s*(?:可以|能|行|对|是的|没问题|yes\b|sure\b|of course\b|you (?:can|may)\b(?! not))", re.IGNORECASE)


def agrees(said: str, quote: str) -> bool:
    """Whether an answer does not say yes where the handbook says no, or the other way round."""
    says_no, quote_no = bool(_NO.match(said)), bool(_NO.match(quote))
    says_yes, quote_yes = bool(_YES.match(said)), bool(_YES.match(quote))
    return not (quote_no and says_yes and not says_no) and not (quote_yes and says_no and not says_yes)


class Sections(Protocol):
    """The index of the handbook's sections; see `graph.store.sections`."""

    async def near(self, terms: Sequence[str]) -> list[int]: ...


async def answer(
    question: str, lang: Lang, to: str, handbook: Handbook, llm: Llm | None, sections: Sections | None = None
) -> tuple[Reply, int]:
    """The reply to a question, and how many calls of the model it took. Its words come from the passages found: as a
    model puts them, if all it says stands there, else as they are written. `sections` finds the candidates; without it
    every section is looked at."""
    found = handbook.find(question, among=await sections.near(terms_of(question)) if sections is not None else None)
    if not found:
        return Reply(kind="no_policy", to=to), 0
    best = found[0]
    quote = best_sentence(best, question, lang)
    words, calls, told = best.text.in_(lang), 0, False
    if llm is not None:
        passages = "\n\n".join(f"{each.heading.in_(lang)}\n{each.text.in_(lang)}" for each in found)
        try:
            said = (await llm.words(answer_messages(question, passages, lang))).strip()
            calls = 1
        except ModelUnavailable as error:
            said, calls = "", error.calls
        if said and is_prose(said) and grounded(said, [passages]) and agrees(said, quote):
            words, told = said, True
    return Reply(kind="policy", to=to, text=both(words), quote=quote, source=_place(best), prose=told), calls


def passage_on(words: str, handbook: Handbook) -> Passage | None:
    """What the handbook says on these words; None when nothing fits."""
    found = handbook.find(words, 1) if words.strip() else []
    if not found:
        return None
    zh, en = (best_sentence(found[0], words, lang) for lang in ("zh", "en"))
    return Passage(source=_place(found[0]), quote=both(zh, en))


def _place(found: Section) -> Text:
    return both(f"{found.chapter.zh} › {found.heading.zh}", f"{found.chapter.en} › {found.heading.en}")

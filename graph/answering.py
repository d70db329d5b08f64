"""Questions: answered from the handbook, quoted and named; what it does not hold is said to be missing."""

from __future__ import annotations

from graph.errors import ModelUnavailable
from graph.handbook import Handbook, best_sentence
from graph.llm import Llm
from graph.model import Lang, Reply
from graph.phrases import both
from graph.prompts import answer_messages
from graph.reading.guard import grounded


async def answer(question: str, lang: Lang, to: str, handbook: Handbook, llm: Llm | None) -> tuple[Reply, int]:
    """The reply to a question, and how many calls of the model it took. Its words come from the passages found: as a
    model puts them, if all it says stands there, else as they are written."""
    found = handbook.find(question)
    if not found:
        return Reply(kind="no_policy", to=to), 0
    best = found[0]
    quote = best_sentence(best, question, lang)
    words, calls = best.text.in_(lang), 0
    if llm is not None:
        passages = "\n\n".join(f"{each.heading.in_(lang)}\n{each.text.in_(lang)}" for each in found)
        try:
            said = (await llm.words(answer_messages(question, passages, lang))).strip()
            calls = 1
        except ModelUnavailable as error:
            said, calls = "", error.calls
        if said and grounded(said, [passages]):
            words = said
    source = both(
        f"{best.chapter.zh} › {best.heading.zh}",
        f"{best.chapter.en} › {best.heading.en}",
    )
    return Reply(kind="policy", to=to, text=both(words), quote=quote, source=source), calls

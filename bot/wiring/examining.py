"""The exam of the desk as it is configured: its procedures and fields, with the model that is named or without one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.settings import Settings
from bot.wiring.engine import open_model
from bot.wiring.vocabulary import SHIPPED, load_library
from graph.errors import Misconfigured
from graph.exam import Candidate, Report, read_cases, sit
from graph.opening import cards

#: Where the shipped utterances are, beside the procedures.
SHIPPED_EXAM = SHIPPED / "exam"


async def examine(settings: Settings, model: str | None, files: Sequence[Path]) -> Report:
    """The report of the desk on these files, or on those that are shipped. SopMistakes names every line that is wrong."""
    cases = [case for path in files or sorted(SHIPPED_EXAM.glob("*.jsonl")) for case in read_cases(path)]
    library = load_library(settings.sopdesk_sops)
    if model is None:
        return await sit(Candidate(cards(library), library.words.fields), cases)
    if settings.openai_api_key is None:
        raise Misconfigured(
            f"OPENAI_API_KEY is not set, so the model {model!r} cannot be asked; any word will do where the endpoint of "
            "OPENAI_BASE_URL needs no key. Without --model the exam is sat by the code alone"
        )
    named = settings.model_copy(update={"sopdesk_model": model})
    async with open_model(named) as llm:
        return await sit(Candidate(cards(library), library.words.fields, llm, model), cases)

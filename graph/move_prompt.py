"""The prompt for words that code cannot place while a case waits, beside the model of its reply."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import field_validator

from graph.fields import FieldSpec
from graph.prompts import FIELDS, RULES, ExtractReply, Messages, as_data, field_line


class MoveReply(ExtractReply):
    """Reply to MOVE."""

    move: str = ""

    @field_validator("move", mode="before")
    @classmethod
    def _known_move(cls, raw: object) -> str:
        return raw if isinstance(raw, str) else ""


MOVE = f"""\
You translate what a customer-service agent writes while a case waits for something else. You decide nothing.
Answer with one JSON object: {{{{"move": "correct" | "cancel" | "question" | "hand_over" | "other", "fields": {FIELDS}}}}}
- "correct": the message says that one of the fields below is to have another value; "fields" holds the new values.
- "cancel": it drops the whole case. "hand_over": a colleague is to go on with it.
- "question": it asks how something is done or whether it may be. "other": anything else.
{RULES}

Fields:
{{fields}}"""


def move_messages(text: str, fields: Sequence[FieldSpec]) -> Messages:
    """Ask what words mean that were said while a case waits for something else."""
    listed = "\n".join(f"- {field_line(spec)}" for spec in fields)
    return [("system", MOVE.format(fields=listed)), ("human", as_data("message", text))]

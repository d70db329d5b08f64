"""Asking a model which of the offered actions comes next."""

from __future__ import annotations

from pydantic import BaseModel

from graph.context import Pick, Situation
from graph.errors import ModelUnavailable
from graph.llm import Llm
from graph.prompts import ChooseReply, choose_messages


class Picked(BaseModel):
    """A model's pick as it is kept for a replay; None where it gave no answer."""

    pick: Pick | None


async def ask_pick(llm: Llm, situation: Situation) -> Picked:
    """One call. What is no answer of the asked shape counts as none: the file's order decides then."""
    try:
        reply = await llm.json(choose_messages(situation), ChooseReply)
    except ModelUnavailable:
        return Picked(pick=None)
    return Picked(pick=Pick(action=reply.action, arguments=reply.arguments))

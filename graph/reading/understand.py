"""A first message, or an answer: a model is asked once at most, and code has the last word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

from graph.errors import ModelUnavailable
from graph.fields import FieldSpec
from graph.fields.words import READ_AT_MOST
from graph.metering import metered
from graph.model import Fact, Text
from graph.prompts import ExtractReply, PlanReply, extract_messages, plan_messages
from graph.reading.alone import read_alone
from graph.reading.explicit import Named, explicit
from graph.reading.judging import judge
from graph.reading.model import Reading, SopCard, Understood
from graph.reading.sight import sight
from graph.reading.stray import strayed
from graph.reading.verbs import titles_of
from graph.reading.verify import verify, verify_sight

if TYPE_CHECKING:
    from graph.llm import Llm

_NOTHING: Mapping[str, Fact] = MappingProxyType({})


async def understand(text: str, sops: Sequence[SopCard], llm: Llm | None, *, today: date | None = None) -> Understood:
    """What a first message wants: a procedure with its fields, or a question, or neither. A model is asked once at most."""
    if (start := explicit(text, sops)) is not None:
        return await _started(start, llm, today)
    text = text[:READ_AT_MOST]
    reply, calls = await _planned(text, sops, llm)
    judged = judge(text, sops, reply, today)
    sop = judged.sop
    if sop is None:
        question = text.strip() if judged.mode == "question" else ""
        return Understood(mode=judged.mode, reading=Reading(model_calls=calls), question=question, choices=judged.choices)
    seen = judged.seen or sight(text, sop.fields, titles_of(sop), today=today)
    reading = verify_sight(seen, reply.fields if reply else {})
    return Understood(mode="sop", sop=sop.name, reading=reading.model_copy(update={"model_calls": calls}))


async def _started(start: Named, llm: Llm | None, today: date | None) -> Understood:
    """A procedure that was named outright: only its fields are to be read."""
    sop, text = start.sop, start.words[:READ_AT_MOST]
    if not text:
        return Understood(mode="sop", sop=sop.name)
    reply, calls = await _planned(text, [sop], llm)
    reading = verify(text, reply.fields if reply else {}, sop.fields, verbs=titles_of(sop), today=today)
    return Understood(mode="sop", sop=sop.name, reading=reading.model_copy(update={"model_calls": calls}))


async def _planned(text: str, sops: Sequence[SopCard], llm: Llm | None) -> tuple[PlanReply | None, int]:
    """What a model makes of a first message, and how many calls that took."""
    if llm is None or not sops:
        return None, 0
    try:
        with metered() as meter:
            reply = await llm.json(plan_messages(text, sops), PlanReply)
    except ModelUnavailable as error:
        return None, error.calls
    return reply, max(meter.calls, 1)


def asks_for(text: str, sops: Sequence[SopCard]) -> str:
    """The procedure that a text asks for beyond doubt, by code alone; empty where it asks for none."""
    sop = judge(text[:READ_AT_MOST], sops, None, None).sop
    return sop.name if sop is not None else ""


async def extract(
    text: str,
    fields: Sequence[FieldSpec],
    prompt: Text | None,
    llm: Llm | None,
    *,
    known: Mapping[str, Fact] = _NOTHING,
    told: Sequence[FieldSpec] = (),
    today: date | None = None,
    talking: bool = False,
) -> Reading:
    """What an answer says of the fields that were asked for. A model is asked once at most, not where it goes beyond.

    `known` are the facts of the case, `told` the fields that people tell it: another value for one of them is not an
    answer, and not taken silently. `talking`: see `strayed`.
    """
    text = text[:READ_AT_MOST]
    if (beyond := strayed(text, fields, known, told, today, talking=talking)) is not None:
        return beyond
    if llm is None:
        return read_alone(text, fields, asked=True, today=today)
    try:
        with metered() as meter:
            reply = await llm.json(extract_messages(text, fields, prompt), ExtractReply)
        calls = max(meter.calls, 1)
    except ModelUnavailable as error:
        return read_alone(text, fields, asked=True, today=today).model_copy(update={"model_calls": error.calls})
    return verify(text, reply.fields, fields, asked=True, today=today).model_copy(update={"model_calls": calls})

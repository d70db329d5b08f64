"""A first message, or an answer: one call of the model at most, and code has the last word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from graph.errors import ModelUnavailable
from graph.fields import FieldSpec
from graph.fields.words import READ_AT_MOST, Source
from graph.model import Fact, Text
from graph.prompts import ExtractReply, PlanReply, extract_messages, plan_messages
from graph.reading.alone import read_alone
from graph.reading.fillers import substance
from graph.reading.intent import intent, politely
from graph.reading.model import Mode, Reading, SopCard, Understood
from graph.reading.sight import Sight, sight
from graph.reading.spans import rest_of
from graph.reading.stray import strayed
from graph.reading.talk import asking
from graph.reading.verbs import families_of
from graph.reading.verify import verify

if TYPE_CHECKING:
    from graph.llm import Llm

_NOTHING: Mapping[str, Fact] = MappingProxyType({})
_CHAT = re.compile(
    r"(?:hi|hello|hey|thanks?(?: you)?(?: very much| a lot)?|good (?:morning|afternoon|evening)|bye|goodbye|cheers|hi "
    r"there|hello there|你好|您好|谢谢.{0,3}|多谢|早上好|早|下午好|晚上好|在吗|在么|辛苦了?|再见|收到)[ ,，.。!！~?？]*"
)


async def understand(text: str, sops: Sequence[SopCard], llm: Llm | None) -> Understood:
    """What a first message wants: which procedure with which fields, or a question, or neither. One model call at most."""
    text = text[:READ_AT_MOST]
    reply, calls = None, 0
    if llm is not None and sops:
        try:
            reply, calls = await llm.json(plan_messages(text, sops), PlanReply), 1
        except ModelUnavailable as error:
            calls = error.calls
    mode, sop = _judged(text, sops, reply)
    if sop is None:
        question = text.strip() if mode == "question" else ""
        return Understood(mode=mode, reading=Reading(model_calls=calls), question=question)
    reading = verify(text, reply.fields if reply else {}, sop.fields)
    return Understood(mode="sop", sop=sop.name, reading=reading.model_copy(update={"model_calls": calls}))


async def extract(
    text: str,
    fields: Sequence[FieldSpec],
    prompt: Text | None,
    llm: Llm | None,
    *,
    known: Mapping[str, Fact] = _NOTHING,
    told: Sequence[FieldSpec] = (),
) -> Reading:
    """What an answer says of the fields that were asked for. One model call at most; none where it goes beyond them.

    `known` are the facts of the case, `told` the fields that people tell it: another value for one of them is not an
    answer, and not taken silently.
    """
    text = text[:READ_AT_MOST]
    if (beyond := strayed(text, fields, known, told)) is not None:
        return beyond
    if llm is None:
        return read_alone(text, fields, asked=True)
    try:
        reply, calls = await llm.json(extract_messages(text, fields, prompt), ExtractReply), 1
    except ModelUnavailable as error:
        return read_alone(text, fields, asked=True).model_copy(update={"model_calls": error.calls})
    return verify(text, reply.fields, fields, asked=True).model_copy(update={"model_calls": calls})


def _judged(text: str, sops: Sequence[SopCard], reply: PlanReply | None) -> tuple[Mode, SopCard | None]:
    """The mode, and the procedure where there is one. The model may only choose among what the words allow."""
    norm = Source(text).norm.strip()
    views = [(sop, sight(text, sop.fields)) for sop in sops]
    if asking(norm) and not (politely(norm) and any(_hard(seen) or _score(sop, seen) for sop, seen in views)):
        return "question", None
    if reply is not None and reply.mode == "question":
        return "question", None
    if reply is not None and reply.mode in ("unclear", "chat"):
        return ("chat" if _CHAT.fullmatch(norm) else "unclear"), None
    meant = [(sop, seen, intent(seen, families_of(sop))) for sop, seen in views]
    allowed = [(sop, seen) for sop, seen, wish in meant if wish.may]
    if reply is not None and reply.mode == "sop":
        chosen = next((view for view in allowed if view[0].name == reply.sop), None)
        if chosen and (_hard(chosen[1]) or _score(*chosen)):
            return "sop", chosen[0]
    if sop := _best([(sop, seen) for sop, seen, wish in meant if wish.asks]):
        return "sop", sop
    return ("chat" if _CHAT.fullmatch(norm) else "unclear"), None


def _best(views: Sequence[tuple[SopCard, Sight]]) -> SopCard | None:
    """The one procedure that the words ask for: by its verb with a field, by its title alone, or by a code with a field."""
    scored = []
    for sop, seen in views:
        score, found = _score(sop, seen), _count(seen)
        verbs = [(verb.start, verb.end) for verb in seen.verbs]
        rest = rest_of(seen.source.norm, 0, len(seen.source.norm), verbs)
        titled = score >= 2 and not found and not substance(rest)
        if (score and found) or titled or (_coded(seen) and found >= 2):
            scored.append((score, found, sop))
    if not scored:
        return None
    best = max(scored, key=lambda one: one[:2])
    return best[2] if sum(one[:2] == best[:2] for one in scored) == 1 else None


def _score(sop: SopCard, seen: Sight) -> int:
    weights = families_of(sop)
    return max((weights.get(verb.family, 0) for verb in seen.verbs if verb.family and not verb.denied), default=0)


def _count(seen: Sight) -> int:
    """How many fields, free text aside, the words touch."""
    amounts = sum(any(one.sure and one.role in ("wanted", "") for one in found) for found in seen.amounts.values())
    cues = sum(any(cue.value is not None for cue in found) for found in seen.cues.values())
    return amounts + cues + sum(bool(found) for found in seen.codes.values())


def _coded(seen: Sight) -> bool:
    return any(seen.codes.values())


def _hard(seen: Sight) -> bool:
    """Evidence that does not come by chance: a code, or an amount with its currency."""
    return _coded(seen) or any(one.sure and one.amount.currency for found in seen.amounts.values() for one in found)

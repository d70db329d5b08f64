"""Whether words of a bystander look as if they were meant for the bot. In doubt they are not: people talk in threads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graph.fields import FieldSpec
from graph.fields.words import Source
from graph.model import Fact, Request
from graph.reading.alone import read_alone
from graph.reading.stray import strayed
from graph.reading.talk import says_yes

_DECISION = re.compile(
    r"(?:我|可以|那就|这个|这单|先|了|吧|的|，|,|。|!|！| )*(?:批准?|通过|驳回|拒绝|不批|不通过|不同意)"
    r"(?:了|吧|这单|这个|。|!|！| )*|"
    r"(?:i |we |it |it's |please |let's )*(?:approved?|rejected?|declined?|denied|deny)(?: it| this| that)?[.! ]*"
)


def decides(text: str) -> bool:
    """Whether words read like a decision, which only a button takes: 同意, 批准, rejected."""
    return says_yes(text) is not None or _DECISION.fullmatch(Source(text).norm.strip()) is not None


def answers(text: str, request: Request, known: Mapping[str, Fact], fields: Mapping[str, FieldSpec]) -> bool:
    """Whether words would answer the request. Any sentence could be a reason, so free text counts for nothing here."""
    if request.kind == "confirm":
        return says_yes(text) is not None
    asked = [fields[name] for name in request.missing if name in fields and fields[name].type != "text"]
    if request.kind != "ask" or not asked or strayed(text, asked, known, ()) is not None:
        return False
    return bool(read_alone(text, asked, asked=True).fields)

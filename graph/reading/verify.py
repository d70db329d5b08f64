"""A model's claims, checked against the words by code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from graph.fields import FieldSpec, parse
from graph.fields.codes import Code
from graph.fields.cues import Cue
from graph.fields.showing import discreet
from graph.fields.typed import amount_fact, found_fact, text_fact
from graph.model import Fact, Problem
from graph.prompts import Claim
from graph.reading.alone import read_sight
from graph.reading.model import Reading
from graph.reading.sight import Sight, sight
from graph.reading.spans import Span, claimed

__all__ = ["verify", "verify_sight"]


def verify(
    text: str,
    claims: Mapping[str, Claim],
    fields: Sequence[FieldSpec],
    *,
    verbs: Sequence[str] = (),
    asked: bool = False,
    today: date | None = None,
) -> Reading:
    """The claims that the words bear out, merged with what code reads alone.

    A claim counts only if its quote stands in the text and code derives the same value from it there. Where both say
    something and it differs, nothing is taken and a person is asked. What code found wrong (a range, two orders)
    stays wrong whatever the model says.
    """
    return verify_sight(sight(text, fields, verbs, asked, today), claims)


def verify_sight(seen: Sight, claims: Mapping[str, Claim]) -> Reading:
    """The same for a text that was looked at already."""
    alone = read_sight(seen)
    facts, problems = dict(alone.fields), list(alone.problems)
    troubled = {problem.field for problem in problems}
    for spec in seen.fields:
        claim = claims.get(spec.name)
        if claim is None or spec.name in troubled:
            continue
        spans = seen.source.find(claim.quote)
        read = next((fact for span in spans if (fact := _borne_out(seen, spec, claim, span))), None)
        own = facts.get(spec.name)
        if read is None:
            continue
        if own is None or spec.type == "text":
            facts[spec.name] = read
        elif own.value != read.value:
            del facts[spec.name]
            problems.append(_disagreement(spec, own, read))
    return Reading(fields=facts, problems=problems)


def _borne_out(seen: Sight, spec: FieldSpec, claim: Claim, span: Span) -> Fact | None:
    """The fact that code reads inside the quote, if it is what was claimed."""
    if spec.type == "text":
        where = claimed(seen.source.norm, span, seen.taken())
        said = text_fact(spec, seen.source.quote(*where)) if where else None
        return said if isinstance(said, Fact) else None
    wanted = parse(spec, claim.value, today=seen.today)
    if not isinstance(wanted, Fact):
        return None
    return next((fact for fact in _inside(seen, spec, span) if isinstance(fact, Fact) and fact.value == wanted.value), None)


def _inside(seen: Sight, spec: FieldSpec, span: Span) -> list[Fact | Problem]:
    low, high = span
    quote = seen.source.quote
    match spec.type:
        case "money":
            return [
                amount_fact(spec, seen.source, one.amount)
                for one in seen.amounts[spec.name]
                if one.likely
                and one.role not in ("own", "denied")
                and low <= one.amount.number[0]
                and one.amount.number[1] <= high
            ]
        case "code" | "choice":
            named = [cue for cue in seen.cues.get(spec.name, ()) if not cue.supposed]
            found: Sequence[Code | Cue] = seen.codes.get(spec.name, []) or named
            return [
                Fact(type=spec.type, value=hit.value, quote=quote(hit.start, hit.end), sensitive=spec.sensitive)
                for hit in found
                if hit.value is not None and not hit.denied and low <= hit.start and hit.end <= high
            ]
        case "account":
            return []  # its phrase is what code reads, or none
        case _:
            return [
                found_fact(spec, hit, quote(hit.start, hit.end))
                for hit in seen.others[spec.name]
                if not hit.denied and low <= hit.start and hit.end <= high
            ]


def _disagreement(spec: FieldSpec, own: Fact, read: Fact) -> Problem:
    candidates = [str(own.value), str(read.value)]
    return discreet(spec, Problem(field=spec.name, code="several", quote=read.quote or "", candidates=candidates))

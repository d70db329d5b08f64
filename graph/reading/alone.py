"""Reading by code alone: patterns, cues and numbers find what they can; the rest stays unsaid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from graph.fields.showing import canonical_money, discreet
from graph.fields.spec import FieldSpec
from graph.fields.typed import account_fact, amount_fact, choice_fact, found_fact, text_fact
from graph.model import Fact, Problem
from graph.reading.labels import named_before, names_alone
from graph.reading.model import Reading
from graph.reading.roles import Placed
from graph.reading.short import short_text
from graph.reading.sight import Sight, account_phrase, sight
from graph.reading.spans import free_text, whole

_NAME = 60
"""A text of at most so many signs is a name: it need not tell anything, only be all that is left."""


def read_alone(
    text: str,
    fields: Sequence[FieldSpec],
    *,
    verbs: Sequence[str] = (),
    asked: bool = False,
    today: date | None = None,
) -> Reading:
    """What code finds by itself.

    `verbs` are further words of the procedure; `asked` says that the text answers a question for `fields`.
    """
    return read_sight(sight(text, fields, verbs, asked, today))


def read_sight(seen: Sight) -> Reading:
    """Decide each field from what was seen."""
    facts: dict[str, Fact] = {}
    problems: list[Problem] = []
    for spec in seen.fields:
        read = _read(seen, spec)
        if isinstance(read, Fact):
            facts[spec.name] = read
        elif read is not None:
            problems.append(discreet(spec, read))
    return Reading(fields=facts, problems=problems)


def _read(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    match spec.type:
        case "code":
            return _code(seen, spec)
        case "choice":
            return choice_fact(spec, seen.source, seen.cues[spec.name])
        case "money":
            return money(seen, spec)
        case "text":
            return _text(seen, spec)
        case "account":
            return _account(seen, spec)
        case _:
            return _other(seen, spec)


def _code(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    found = [code for code in seen.codes[spec.name] if not code.denied]
    values = list(dict.fromkeys(code.value for code in found))
    if not found:
        if seen.asked and len(seen.fields) == 1 and re.search(r"\d", seen.source.norm):
            quote = seen.source.original.strip()[:60]
            return Problem(field=spec.name, code="pattern", quote=quote, limit=spec.pattern or "")
        return None
    if len(values) > 1:
        quote = seen.source.quote(found[0].start, found[-1].end)
        return Problem(field=spec.name, code="several", quote=quote[:120], candidates=values)
    quote = seen.source.quote(found[0].start, found[0].end)
    return Fact(type="code", value=values[0], quote=quote, sensitive=spec.sensitive)


def money(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    """The amount that is to be paid: the one a verb governs, else the only one that is stated as money.

    A number that only its place speaks for must be the only one that could be meant; next to any other there
    must be none that the same verb governs.
    """
    open_ = [one for one in seen.amounts[spec.name] if one.role not in ("own", "denied")]
    said = [one for one in open_ if one.sure]
    said = [one for one in said if one.role == "wanted"] or said
    if not said:
        return _not_sure(seen, spec, open_)
    clauses = {one.clause for one in said}
    alone = all(one.bare for one in said)
    rivals = [one for one in open_ if not one.sure and (alone or (one.role == "wanted" and one.clause in clauses))]
    said = [*said, *rivals]
    reads = [amount_fact(spec, seen.source, one.amount) for one in said]
    if problem := next((read for read in reads if isinstance(read, Problem)), None):
        return problem
    values = list(dict.fromkeys(str(read.value) for read in reads if isinstance(read, Fact)))
    if len(values) > 1:
        quote = seen.source.quote(said[0].amount.start, said[-1].amount.end)
        return Problem(field=spec.name, code="several", quote=quote[:120], candidates=values)
    return reads[0]


def _not_sure(seen: Sight, spec: FieldSpec, found: Sequence[Placed]) -> Fact | Problem | None:
    """An answer with a number that stands where no amount would: taken behind the field's own name, else offered."""
    named = [one for one in found if named_before(seen.source.norm, one.amount.start, spec, seen.fields)]
    if len(named) == 1:
        return amount_fact(spec, seen.source, named[0].amount)
    if not found or not seen.asked:
        return None
    quote = seen.source.quote(found[0].amount.start, found[-1].amount.end)
    values = [one.amount.value for one in found if one.amount.value and not one.amount.code]
    candidates = list(dict.fromkeys(canonical_money(value) for value in values))
    return Problem(field=spec.name, code="unreadable", quote=quote[:120], candidates=candidates)


def _text(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    norm = seen.source.norm
    alone = seen.asked and len(seen.fields) == 1
    span = short_text(norm, seen.taken(), seen.fields) if seen.asked and spec.max_length <= _NAME else None
    if span is None and alone:
        span = whole(norm)
    elif span is None and not (seen.asked and spec.max_length <= _NAME):
        span = free_text(norm, seen.taken(), asked=seen.asked)
    if span is None or names_alone(norm[slice(*span)], spec, seen.fields, asked=seen.asked):
        return None
    return text_fact(spec, seen.source.quote(*span))


def _account(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    every = seen.others[spec.name]
    found = [hit for hit in every if not hit.denied]
    text = seen.source.original.strip()
    if len(found) < len(every):
        return account_fact(spec, seen.source.quote(found[0].start, found[-1].end), found) if found else None
    if seen.asked and len(seen.fields) == 1:
        return account_fact(spec, text, found) if found or re.search(r"\d", text) else None
    if not found:
        return None
    start, end = account_phrase(seen, found)
    return account_fact(spec, seen.source.quote(start, end), found)


def _other(seen: Sight, spec: FieldSpec) -> Fact | Problem | None:
    found = [hit for hit in seen.others[spec.name] if not hit.denied]
    values = list(dict.fromkeys(str(hit.value) for hit in found))
    if not found:
        return None
    quote = seen.source.quote(found[0].start, found[-1].end)
    if len(values) > 1:
        return Problem(field=spec.name, code=found[0].code or "several", quote=quote[:120], candidates=values)
    return found_fact(spec, found[0], seen.source.quote(found[0].start, found[0].end))

"""One value typed for one field: a form's input or a button's value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from graph.fields.account import without_others
from graph.fields.amounts import Amount, amounts
from graph.fields.codes import codes
from graph.fields.cues import Cue, cues
from graph.fields.found import Found
from graph.fields.showing import canonical_money, discreet
from graph.fields.simple import find
from graph.fields.spec import FieldSpec
from graph.fields.words import Source
from graph.model import Fact, Problem

_ROUND = re.compile(
    r"(?:那就|那|就|给|补|赔|退|付|要|吧|了|的|好|金额|是|为|整|请|谢谢|一共|共|(?<![a-z])(?:ok|please|thanks|amount|is|"
    r"of|the|total|"
    r"pay|give|make it)(?![a-z])|[ \n,，.。:!！;；()（）])*"
)


def parse(spec: FieldSpec, raw: str, *, today: date | None = None) -> Fact | Problem:
    """What was typed for this very field, in canonical form; a Problem names what is wrong with it. With `today`, a date
    may be said from it: 明天."""
    read = _typed(spec, raw, today)
    return discreet(spec, read) if isinstance(read, Problem) else read


def _typed(spec: FieldSpec, raw: str, today: date | None) -> Fact | Problem:
    source = Source(raw)
    if not source.norm.strip():
        return Problem(field=spec.name, code="unreadable", quote="")
    match spec.type:
        case "money":
            return _money(spec, source)
        case "choice":
            return _choice(spec, source, raw)
        case "text":
            return text_fact(spec, source.original.strip())
        case "code":
            return _code(spec, source)
        case "account":
            return account_fact(spec, source.original.strip(), find(source.norm, spec))
        case _:
            return _simple(spec, source, today)


def amount_fact(spec: FieldSpec, source: Source, amount: Amount) -> Fact | Problem:
    """An amount of the text as a fact of this field, or what stands against it. Bounds are checked."""
    quote = source.quote(amount.start, amount.end)
    if amount.code or amount.value is None:
        code = amount.code or "unreadable"
        values = amount.candidates or (() if amount.value is None or code != "approximate" else (amount.value,))
        return Problem(
            field=spec.name,
            code=code,
            quote=quote,
            candidates=[canonical_money(value) for value in values],
            limit=(spec.currency or "") if code == "currency" else "2" if code == "decimals" else "",
        )
    fact = Fact(
        type="money",
        value=canonical_money(amount.value),
        currency=spec.currency or amount.currency or "USD",
        quote=quote,
        sensitive=spec.sensitive,
    )
    return check_bounds(spec, fact) or fact


def text_fact(spec: FieldSpec, words: str) -> Fact | Problem:
    """Free text as it was said."""
    if len(words) > spec.max_length:
        return Problem(field=spec.name, code="too_long", quote=words[:60], limit=str(spec.max_length))
    return Fact(type="text", value=words, quote=words, sensitive=spec.sensitive)


def account_fact(spec: FieldSpec, words: str, found: Sequence[Found]) -> Fact | Problem:
    """An account as it was said, bank and holder included, if it holds the pattern, and no second one."""
    if len({hit.value for hit in found}) > 1:
        return Problem(field=spec.name, code="several", quote=words[:60])
    if not found:
        return Problem(field=spec.name, code="pattern", quote=words[:60], limit=spec.pattern or "")
    if len(words) > spec.max_length:
        return Problem(field=spec.name, code="too_long", quote=words[:60], limit=str(spec.max_length))
    value = without_others(words)
    return Fact(type="account", value=value, quote=value if value in words else words, sensitive=spec.sensitive)


def check_bounds(spec: FieldSpec, fact: Fact) -> Problem | None:
    """What stands against a number: negative, zero where there must be some, below `min`, above `max`. Else None."""
    if fact.type not in ("money", "integer", "percent"):
        return None
    number, quote = fact.decimal(), fact.quote or str(fact.value)
    write = canonical_money if spec.type == "money" else str
    if number < 0:
        return Problem(field=spec.name, code="negative", quote=quote)
    if spec.type == "money" and number == 0:
        return Problem(field=spec.name, code="zero", quote=quote)
    if spec.min is not None and number < spec.min:
        return Problem(field=spec.name, code="too_little", quote=quote, limit=write(spec.min))
    if spec.max is not None and number > spec.max:
        return Problem(field=spec.name, code="too_much", quote=quote, limit=write(spec.max))
    return None


def _money(spec: FieldSpec, source: Source) -> Fact | Problem:
    found = amounts(source.norm, spec.currency or "USD")
    whole = Problem(field=spec.name, code="unreadable", quote=source.original.strip()[:60])
    if not found:
        return whole
    around = source.norm[: found[0].start] + "\n" + source.norm[found[-1].end :]
    values = {(amount.value, amount.code) for amount in found}
    if len(values) > 1:
        several = [canonical_money(amount.value) for amount in found if amount.value is not None and not amount.code]
        return Problem(field=spec.name, code="several", quote=whole.quote, candidates=list(dict.fromkeys(several)))
    read = amount_fact(spec, source, found[0])
    if isinstance(read, Fact) and not _ROUND.fullmatch(around):
        return whole
    return read


def _choice(spec: FieldSpec, source: Source, raw: str) -> Fact | Problem:
    quote = source.original.strip()
    if choice := spec.choice(raw.strip()):
        return Fact(type="choice", value=choice.value, quote=quote, sensitive=spec.sensitive)
    return choice_fact(spec, source, cues(source.norm, spec)) or Problem(
        field=spec.name, code="not_a_choice", quote=quote[:60], candidates=[choice.value for choice in spec.choices]
    )


def choice_fact(spec: FieldSpec, source: Source, found: Sequence[Cue]) -> Fact | Problem | None:
    """The one choice that was named; a Problem for two, or for one that was only turned down; None for none."""
    named = [cue for cue in found if cue.value is not None]
    wanted = [cue for cue in named if not (cue.denied or cue.supposed)]
    values = list(dict.fromkeys(str(cue.value) for cue in wanted))
    if len(values) == 1:
        return Fact(
            type="choice",
            value=values[0],
            quote=source.quote(wanted[0].start, wanted[0].end),
            sensitive=spec.sensitive,
        )
    if values:
        quote = source.quote(wanted[0].start, wanted[-1].end)
        return Problem(field=spec.name, code="several", quote=quote, candidates=values)
    if other := _other_of_two(spec, named):
        return Fact(
            type="choice", value=other, quote=source.quote(named[0].start, named[-1].end), sensitive=spec.sensitive
        )
    if named:
        return Problem(field=spec.name, code="denied", quote=source.quote(named[0].start, named[-1].end))
    return None


def _other_of_two(spec: FieldSpec, named: Sequence[Cue]) -> str | None:
    """What is said by turning down one of yes and no, or of `x` and `not_x`: 没到, hasn't arrived. Of other pairs neither
    is said by it."""
    values = sorted(choice.value for choice in spec.choices)
    denied = {str(cue.value) for cue in named if cue.denied and not cue.supposed}
    opposed = values == ["no", "yes"] or (len(values) == 2 and any(one.startswith("not_") for one in values))
    if not opposed or len(denied) != 1 or len(denied) < len({cue.value for cue in named}):
        return None
    return next(value for value in values if value not in denied)


def _code(spec: FieldSpec, source: Source) -> Fact | Problem:
    quote = source.original.strip()
    if spec.pattern is None:
        return Fact(type="code", value=source.norm.strip().upper(), quote=quote, sensitive=spec.sensitive)
    values = list(dict.fromkeys(code.value for code in codes(source.norm, spec) if not code.denied))
    if len(values) == 1:
        return Fact(type="code", value=values[0], quote=quote, sensitive=spec.sensitive)
    if values:
        return Problem(field=spec.name, code="several", quote=quote[:60], candidates=values)
    return Problem(field=spec.name, code="pattern", quote=quote[:60], limit=spec.pattern)


def _simple(spec: FieldSpec, source: Source, today: date | None) -> Fact | Problem:
    quote = source.original.strip()
    text = source.norm.strip()
    if spec.type == "percent" and re.fullmatch(r"\d+(?:\.\d+)?", text):
        text += "%"
    found = [hit for hit in find(text, spec, today) if not hit.denied]
    values = list(dict.fromkeys(str(hit.value) for hit in found))
    if len(values) > 1:
        return Problem(field=spec.name, code="several", quote=quote[:60], candidates=values)
    if not found or text[: found[0].start].strip() or text[found[0].end :].strip():
        code = "pattern" if spec.type == "phone" else "negative" if re.fullmatch(r"-\d+%?", text) else "unreadable"
        return Problem(field=spec.name, code=code, quote=quote[:60], limit=spec.pattern or "")
    return found_fact(spec, found[0], quote)


def found_fact(spec: FieldSpec, hit: Found, quote: str) -> Fact | Problem:
    """A date, telephone number, whole number or percent as a fact, or what stands against it; bounds are checked."""
    if hit.code is not None:
        return Problem(field=spec.name, code=hit.code, quote=quote[:60], candidates=[str(hit.value)])
    fact = Fact(type=spec.type, value=hit.value, quote=quote, sensitive=spec.sensitive)
    return check_bounds(spec, fact) or fact

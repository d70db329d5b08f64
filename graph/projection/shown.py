"""Facts, fields and routes as people see them: formatted and masked."""

from __future__ import annotations

from graph.fields import Choice, FieldSpec, masked_quote, shown
from graph.model import ChoiceView, ClosedRequest, Fact, FactView, FieldView, Route, Text, TrailEntry
from graph.phrases import both, catalogue, fact_money, last_four, masked, without_numbers, word
from graph.state import RunState


def fact_view(name: str, fact: Fact, spec: FieldSpec | None, run: RunState) -> FactView:
    """One line of the facts."""
    by = fact.by or ""
    person = people(str(fact.value), run) if name == "approved_by" else None
    return FactView(
        name=name,
        label=spec.label if spec else _fact_label(name),
        text=_field_text(spec, fact) if spec else both(person) if person else _shown(fact),
        quote=without_numbers(masked_quote(spec, fact.quote)) if spec and fact.quote else "",
        by=run.names.get(by, "" if by.startswith("tool:") else by),
        at=fact.at or "",
    )


def people(ids: str, run: RunState) -> str:
    """The names of persons written one after the other, as those who approved are."""
    return ", ".join(run.names.get(each, each) for each in ids.split(", "))


def _field_text(spec: FieldSpec, fact: Fact) -> Text:
    text = shown(spec, fact)
    return both(without_numbers(text.zh), without_numbers(text.en)) if spec.type == "text" else text


def safe_entry(entry: TrailEntry) -> TrailEntry:
    """A line of the trail whose words hold no number as long as an account's."""
    values = {name: without_numbers(value) if isinstance(value, str) else value for name, value in entry.values.items()}
    reason = without_numbers(entry.reason)
    if not entry.context and reason == entry.reason and values == entry.values:
        return entry
    return entry.model_copy(update={"values": values, "reason": reason, "context": {}})


def _fact_label(name: str) -> Text:
    return catalogue().get(f"facts.{name}") or both(name)


def _shown(fact: Fact) -> Text:
    if fact.sensitive and isinstance(fact.value, str):
        return masked(fact.value)
    if fact.type == "money":
        return both(fact_money(fact))
    if isinstance(fact.value, dict):
        parts = [_shown(inner) for inner in fact.value.values() if inner.type not in ("record", "list")]
        return both(" · ".join(part.zh for part in parts), " · ".join(part.en for part in parts))
    if isinstance(fact.value, list):
        return both(str(len(fact.value)))
    return word(without_numbers(str(fact.value)))


def field_view(spec: FieldSpec, fact: Fact | None) -> FieldView:
    """A field as a form shows it, with its present value unless that is sensitive."""
    current = "" if fact is None or spec.sensitive else str(fact.value)
    return FieldView(
        name=spec.name,
        label=spec.label,
        type=spec.type,
        unit=spec.currency or "",
        sensitive=spec.sensitive,
        choices=[ChoiceView(value=each.value, label=each.label, cue=_cue(each)) for each in spec.choices],
        current=current,
        max_length=spec.max_length,
    )


def masked_route(route: Route) -> Route:
    """The route with no more than the last four signs of its account."""
    return route if route.account is None else route.model_copy(update={"account": last_four(route.account)})


def masked_closed(closed: ClosedRequest) -> ClosedRequest:
    """A closed request without whole accounts."""
    routes = [masked_route(route) for route in closed.request.routes]
    return closed.model_copy(update={"request": closed.request.model_copy(update={"routes": routes})})


def _cue(choice: Choice) -> Text | None:
    """The word by which people name the choice, for examples."""
    cues = choice.cues
    return Text(zh=cues.zh[0], en=cues.en[0]) if cues.zh and cues.en else None

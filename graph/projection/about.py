"""What a run, or a request of it, is about: order, customer, reason, and the headline."""

from __future__ import annotations

from collections.abc import Mapping

from graph.engine import Engine
from graph.fields import FieldSpec
from graph.model import About, Fact, Headline, Text
from graph.phrases import fact_money, text, without_numbers
from graph.state import RunState
from graph.steps.drill import scenario_name


def about(facts: Mapping[str, Fact], fields: Mapping[str, FieldSpec], title: Text, amount: str = "amount") -> About:
    """Read off the facts; what is not known stays empty. `amount` names the fact that the headline's amount is; without one
    it deals with no money."""
    order = facts.get("order")
    return About(
        headline=_headline(facts, fields, title, facts.get(amount)).model_copy(update={"priced": bool(amount)}),
        order=word(facts.get("order_id")),
        customer=word(order.at_path("customer") if order else None),
        product=word(order.at_path("product") if order else None),
        order_amount=_money(order.at_path("amount") if order else None),
        reason=without_numbers(word(facts.get("reason"))),
    )


def about_run(run: RunState, engine: Engine) -> About:
    """What a run is about as it stands. Practice deals with no money, and is called by its scenario."""
    sop, words = engine.sop_of(run), engine.library.words
    found = about(run.facts, words.fields, sop.noun, sop.amount)
    if not sop.internal:
        return found
    scenario = words.scenarios.get(scenario_name(run.notes))
    title = text("coach.practice", title=scenario.title) if scenario else sop.noun
    return found.model_copy(update={"headline": Headline(amount=None, way=None, title=title, priced=False)})


def _headline(
    facts: Mapping[str, Fact], fields: Mapping[str, FieldSpec], title: Text, amount: Fact | None
) -> Headline:
    way, spec = facts.get("comp_type"), fields.get("comp_type")
    choice = spec.choice(str(way.value)) if way is not None and spec is not None else None
    return Headline(
        amount=_money(amount) or None,
        way=(choice.short or choice.label) if choice else None,
        title=title,
    )


def word(fact: Fact | None) -> str:
    """A plain value as a word; empty when it is not known."""
    return "" if fact is None or fact.value is None else str(fact.value)


def _money(fact: Fact | None) -> str:
    return fact_money(fact) if fact is not None and fact.type == "money" else ""

"""Buttons under a question: what is pressed comes out as the event that was offered."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from blocks import Surroundings, decode, reply_card
from bot import acts
from graph.model import Actor, Event, Lang, Reply, Text
from tests.unit.blocks import views as v

LI = Actor(id="U0LI", name="李")
NOW = datetime(2026, 9, 4, tzinfo=UTC)


def values_of(node: object) -> list[str]:
    """The values of all buttons in blocks, in order."""
    if isinstance(node, list):
        return [value for each in node for value in values_of(each)]
    if not isinstance(node, dict):
        return []
    own = [str(node["value"])] if node.get("type") == "button" and "value" in node else []
    return own + [value for each in node.values() for value in values_of(each)]


def pressed(reply: Reply, number: int, lang: Lang = "zh") -> Event:
    """What happens when this button of the reply's card is pressed."""
    card = reply_card(reply, v.t1(lang), Surroundings(), lang)
    event = acts.pressed(decode(values_of(card.blocks)[number]), "click:C1:1.0:t1", LI, NOW)
    assert event is not None
    return event


@pytest.mark.parametrize(("number", "kind"), [(0, "queue"), (1, "apart")])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_another_request_is_carried_by_both_buttons(number: int, kind: str, lang: Lang) -> None:
    """Whole, with its own id and who made it."""
    values = {"request": "KL-901 补 20 积分 <@U1> & co", "of": "msg:T:C:1.0", "by": "U0LI", "case": "C-7K3F"}
    event = pressed(Reply(kind="note", code="another", to="U0LI", values=values), number, lang)
    assert (event.kind, event.text, event.request) == (kind, values["request"], None)
    assert event.values == {"of": "msg:T:C:1.0", "by": "U0LI"}


def test_an_offered_correction_is_carried_with_its_words() -> None:
    """As the correction form would send it."""
    values = {"set.amount": "200", "quote.amount": "200 美元", "set.comp_type": "credit", "quote.comp_type": "积分"}
    said = Text(zh="是要更正吗", en="Is it?")
    event = pressed(Reply(kind="note", code="meant_correct", to="U0LI", text=said, values=values), 0)
    assert (event.kind, event.values) == ("correct", {"amount": "200", "comp_type": "credit"})
    assert event.quotes == {"amount": "200 美元", "comp_type": "积分"}


@pytest.mark.parametrize("value", ["", "[]", "nonsense", '{"amount": 5}', '{"amount": ["1"]}'])
def test_a_press_that_nobody_made_corrects_nothing(value: str) -> None:
    """Values by hand that are none of ours."""
    press = decode(json.dumps(["amend", "T:C:1.0", "C-1", "", "", value]))
    event = acts.pressed(press, "e", LI, NOW)
    assert event is not None and event.values == {}


def test_all_orders_of_a_sentence_are_carried_by_one_button() -> None:
    """The first answers, the others follow; a value by hand that holds none answers nothing."""
    press = decode('["both","T:C:1.0","C-1","C-1/load_order/1","order_id","KL-778 KL-502 KL-315"]')
    event = acts.pressed(press, "e", LI, NOW)
    assert event is not None
    assert (event.kind, event.values, event.also) == ("answer", {"order_id": "KL-778"}, ("KL-502", "KL-315"))
    empty = acts.pressed(decode('["both","T:C:1.0","C-1","r","order_id",""]'), "e", LI, NOW)
    assert empty is not None and (empty.values, empty.also) == ({"order_id": ""}, ())

"""The step kinds `ask` and `confirm`: what is missing is asked for until it is there, what is known never."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graph.model import Fact, Goto, Next, Problem, Stay
from graph.steps.ask import Ask, AskSpec
from graph.steps.confirm import Confirm, ConfirmSpec
from tests.unit.graph.builders import LI, START, ZHOU, FakeServices, context, money, step_event, waiting_for, word

ASK = AskSpec.model_validate(
    {"id": "collect", "kind": "ask", "fields": ["amount", "reason", "comp_type"], "prompt": "金额、原因、方式"}
)
ACCOUNT = AskSpec.model_validate({"id": "bank", "kind": "ask", "fields": ["bank_account"], "prompt": "账户"})
CONFIRM = ConfirmSpec.model_validate(
    {"id": "sure", "kind": "confirm", "fields": ["amount", "comp_type"], "on_no": {"goto": "collect", "reset": ["amount"]}}
)
KNOWN = {"amount": money("80"), "reason": word("迟到"), "comp_type": Fact(type="choice", value="cash")}


def but(*names: str) -> dict[str, Fact]:
    """All but these facts."""
    return {name: fact for name, fact in KNOWN.items() if name not in names}


async def test_what_is_known_is_not_asked() -> None:
    """On it goes."""
    move = await Ask().run(ASK, KNOWN, context())
    assert isinstance(move, Next)
    assert move.trail[0].what == "known"


@pytest.mark.parametrize("empty", [None, ""])
async def test_only_what_is_missing_is_asked(empty: str | None) -> None:
    """An empty value is missing; what stood against a field in the opening sentence is said with it."""
    facts = but("amount") | {"comp_type": Fact(type="choice", value=empty)}
    heard = [Problem(field="amount", code="currency", quote="80 欧元"), Problem(field="reason", code="too_long")]
    request = waiting_for(await Ask().run(ASK, facts, context(FakeServices(heard_of=heard))))
    assert (request.kind, request.missing) == ("ask", ["amount", "comp_type"])
    assert request.problems == [heard[0]]


async def test_an_answer_in_words_fills_several_fields() -> None:
    """Each with its quote, who said it and when."""
    request = waiting_for(await Ask().run(ASK, but("amount", "comp_type"), context()))
    move = await Ask().answered(
        ASK, but("amount", "comp_type"), request, step_event("message", text="300 美元，退回卡里"), context()
    )
    assert isinstance(move, Next)
    assert {name: fact.value for name, fact in move.set.items()} == {"amount": "300", "comp_type": "cash"}
    assert move.set["amount"].quote and move.set["amount"].by == LI.id and move.set["amount"].at == START.isoformat()
    assert move.closed is not None
    assert (move.closed.ending, move.closed.answer) == ("answered", "300.00 USD，现金，原路退")


async def test_half_an_answer_is_kept_and_the_rest_asked_anew() -> None:
    """With the reason first."""
    request = waiting_for(await Ask().run(ASK, but("amount", "comp_type"), context()))
    move = await Ask().answered(
        ASK, but("amount", "comp_type"), request, step_event("message", text="80 欧元，积分"), context()
    )
    assert isinstance(move, Stay)
    assert {name: fact.value for name, fact in move.set.items()} == {"comp_type": "credit"}
    assert (move.request.missing, [each.code for each in move.request.problems]) == (["amount"], ["currency"])


async def test_a_form_or_a_button_answers_without_being_read() -> None:
    """Values by field; blank ones, unknown ones and known ones are passed over."""
    request = waiting_for(await Ask().run(ASK, but("amount", "comp_type"), context()))
    values = {"amount": " 300 ", "comp_type": "credit", "reason": "other", "nonsense": "x"}
    move = await Ask().answered(
        ASK, but("amount", "comp_type"), request, step_event("answer", ZHOU, values=values), context(actor=ZHOU)
    )
    assert isinstance(move, Next)
    assert {name: fact.value for name, fact in move.set.items()} == {"amount": "300", "comp_type": "credit"}
    assert move.set["amount"].by == ZHOU.id


async def test_a_wrong_value_of_a_form_is_asked_anew() -> None:
    """And nothing is set."""
    request = waiting_for(await Ask().run(ASK, but("amount"), context()))
    for raw in ("-5", "lots", " "):
        move = await Ask().answered(ASK, but("amount"), request, step_event("answer", values={"amount": raw}), context())
        assert isinstance(move, Stay)
        assert (move.set, move.request.missing) == ({}, ["amount"])


async def test_a_sensitive_answer_is_whole_in_the_facts_and_nowhere_else() -> None:
    """Neither the trail nor the closed request shows it."""
    request = waiting_for(await Ask().run(ACCOUNT, {}, context()))
    event = step_event("message", text="中国银行 6222 0000 1234，户名王女士")
    move = await Ask().answered(ACCOUNT, {}, request, event, context())
    assert isinstance(move, Next)
    assert move.set["bank_account"].value == "中国银行 6222 0000 1234，户名王女士"
    assert move.set["bank_account"].sensitive
    shown = f"{move.trail} {move.closed}"
    assert "1234" in shown
    assert "6222" not in shown and "王女士" not in shown


async def test_a_confirmation_shows_the_facts_and_waits() -> None:
    """With what it is about."""
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context()))
    assert (request.kind, request.reads) == ("confirm", ["amount", "comp_type"])


@pytest.mark.parametrize(
    "event",
    [
        step_event("message", text="对"),
        step_event("message", text="yes, go on"),
        step_event("answer", values={"confirm": "yes"}),
    ],
    ids=["zh", "en", "button"],
)
async def test_a_yes_goes_on(event: object) -> None:
    """Typed or pressed."""
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context()))
    move = await Confirm().answered(CONFIRM, KNOWN, request, event, context())  # type: ignore[arg-type]  # an event, by parametrize
    assert isinstance(move, Next)
    assert move.closed is not None and move.closed.answer == "yes"


@pytest.mark.parametrize("text", ["不对", "no", "对，但是不是这个", "什么", "嗯不"])
async def test_anything_else_is_no_yes(text: str) -> None:
    """Also a sentence that says both: it leads where `on_no` says, and forgets what that names."""
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context()))
    move = await Confirm().answered(CONFIRM, KNOWN, request, step_event("message", text=text), context())
    assert isinstance(move, Goto)
    assert (move.to, move.again, move.drop) == ("collect", True, ["amount"])
    assert move.closed is not None and move.closed.answer == "no"


async def test_another_value_corrects() -> None:
    """Only what depends on it runs again."""
    services = FakeServices(corrected_to="collect")
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context(services)))
    move = await Confirm().answered(CONFIRM, KNOWN, request, step_event("message", text="60 美元"), context(services))
    assert isinstance(move, Goto)
    assert (move.to, move.again, move.drop, move.set["amount"].value) == ("collect", False, [], "60")
    assert move.trail[0].what == "correct"


async def test_the_same_value_again_corrects_nothing() -> None:
    """It is a no like any other."""
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context()))
    move = await Confirm().answered(CONFIRM, KNOWN, request, step_event("message", text="80 美元"), context())
    assert isinstance(move, Goto)
    assert (move.again, move.set) == (True, {})


async def test_a_no_that_leads_nowhere_asks_again() -> None:
    """Should `on_no` know only other codes."""
    spec = ConfirmSpec.model_validate(
        {"id": "sure", "kind": "confirm", "fields": ["amount"], "on_no": {"later": {"goto": "x"}}}
    )
    request = waiting_for(await Confirm().run(spec, KNOWN, context()))
    move = await Confirm().answered(spec, KNOWN, request, step_event("message", text="不"), context())
    assert isinstance(move, Goto)
    assert (move.to, move.drop) == ("sure", [])


@pytest.mark.parametrize(
    ("minutes", "text", "code"), [(-1, "对", "said_before"), (1, "对", None), (-1, "不对", None), (0, "对", None)]
)
async def test_a_typed_yes_counts_only_after_the_question(minutes: int, text: str, code: str | None) -> None:
    """What was said before it was put answered something else."""
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context()))
    event = step_event("message", text=text, said_at=START + timedelta(minutes=minutes))
    reply = Confirm().refusal(CONFIRM, KNOWN, request, event, context())
    assert (reply.code if reply else None) == code


async def test_a_yes_without_its_own_time_counts() -> None:
    """A pressed button, or a place that has no such time."""
    request = waiting_for(await Confirm().run(CONFIRM, KNOWN, context()))
    assert Confirm().refusal(CONFIRM, KNOWN, request, step_event("message", text="对"), context()) is None
    assert Ask().refusal(ASK, KNOWN, request, step_event("message", text="x"), context()) is None

"""The step kind `offer`: one of what was found is taken, by name or by place, and nothing that was not named."""

from __future__ import annotations

import pytest

from graph.model import Fact, Next, Request, Stay
from graph.steps.offer import Offer, OfferSpec
from tests.unit.graph.builders import LI, START, context, step_event, waiting_for, word

OFFER = OfferSpec.model_validate(
    {
        "id": "recommend",
        "kind": "offer",
        "of": "found.plans",
        "remark": "found.note",
        "value": "plan_id",
        "label": "title",
        "note": "reason",
        "save_as": "plan",
        "prompt": {"zh": "选一个方案", "en": "Take a plan"},
        "none": {"zh": "没有合适的", "en": "Nothing fits"},
        "without": {"label": {"zh": "先留联系方式", "en": "Contact me first"}, "cues": ["联系我", "call me"]},
    }
)


def plan(plan_id: str, title: str) -> Fact:
    """A plan as the tool gives it."""
    return Fact(type="record", value={"plan_id": word(plan_id), "title": word(title), "reason": word("好")})


PLANS = [plan("BW-300", "商务宽带 300M"), plan("BW-200L", "直播宽带 200M"), plan("BW-200", "云备份专线 200M")]


def facts(plans: list[Fact]) -> dict[str, Fact]:
    """What is known after the call."""
    return {"found": Fact(type="record", value={"plans": Fact(type="list", value=plans)})}


async def waiting(plans: list[Fact] = PLANS) -> Request:
    """The request that lays these out."""
    return waiting_for(await Offer().run(OFFER, facts(plans), context()))


async def say(text: str) -> object:
    """What a sentence leads to."""
    return await Offer().answered(OFFER, facts(PLANS), await waiting(), step_event("message", text=text), context())


async def test_all_that_was_found_is_laid_out() -> None:
    """Value, name and note of each, in the order of the list."""
    request = await waiting()
    assert next((each.value, each.label, each.note) for each in request.offers) == ("BW-300", "商务宽带 300M", "好")
    assert (request.kind, len(request.offers), request.remark) == ("ask", 3, "")
    assert request.without is not None


async def test_an_empty_list_waits_for_a_correction() -> None:
    """It says that there is nothing, and offers nothing to press."""
    request = await waiting([])
    assert (request.offers, request.without) == ([], None)
    assert request.prompt is not None and request.prompt.en == "Nothing fits"


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("第二个", "BW-200L"),
        ("2", "BW-200L"),
        ("就要第一款吧", "BW-300"),
        ("the third one please", "BW-200"),
        ("option 2", "BW-200L"),
        ("最后一个", "BW-200"),
        ("BW-200L", "BW-200L"),
        ("要 bw-200", "BW-200"),
        ("商务宽带 300M 这个", "BW-300"),
        ("不要第一个，要第二个", "BW-200L"),
        ("not BW-300 but BW-200", "BW-200"),
    ],
)
async def test_one_is_taken_by_name_or_place(said: str, taken: str) -> None:
    """The whole record becomes the fact, with the words, who said them and when."""
    move = await say(said)
    assert isinstance(move, Next)
    fact = move.set["plan"]
    assert fact.at_path("plan_id") == word(taken)
    assert (fact.by, fact.at, fact.quote) == (LI.id, START.isoformat(), said)
    assert move.closed is not None and move.closed.answer


@pytest.mark.parametrize(
    ("said", "code", "candidates"),
    [
        ("第一个和第二个", "several", ["BW-300", "BW-200L"]),
        ("不要第一个", "denied", []),
        ("还有别的吗", "unreadable", []),
        ("第九个", "unreadable", []),
        ("200", "unreadable", []),
        ("200M 的", "unreadable", []),
        ("给我 3 年", "unreadable", []),
    ],
)
async def test_nothing_is_taken_that_was_not_named(said: str, code: str, candidates: list[str]) -> None:
    """The list is laid out anew with what was wrong."""
    move = await say(said)
    assert isinstance(move, Stay)
    [problem] = move.request.problems
    assert (problem.code, problem.candidates) == (code, candidates)
    assert move.set == {}


async def test_a_button_takes_its_own() -> None:
    """And one that carries anything else takes nothing."""
    request = await waiting()
    pressed = step_event("answer", values={"offer": "BW-200"})
    move = await Offer().answered(OFFER, facts(PLANS), request, pressed, context())
    assert isinstance(move, Next) and move.set["plan"].at_path("plan_id") == word("BW-200")
    forged = step_event("answer", values={"offer": "BW-1"})
    assert isinstance(await Offer().answered(OFFER, facts(PLANS), request, forged, context()), Stay)


@pytest.mark.parametrize("said", ["先联系我吧", "just call me", "先留联系方式"])
async def test_going_on_without_takes_nothing(said: str) -> None:
    """In words or by button; a denied wish is none."""
    move = await say(said)
    assert isinstance(move, Next) and move.set == {}
    pressed = step_event("answer", values={"offer": "-"})
    assert isinstance(await Offer().answered(OFFER, facts(PLANS), await waiting(), pressed, context()), Next)
    assert isinstance(await say("别联系我"), Stay)

"""Sitting the exam: the desk as it is against the shipped utterances, and marks that tell right from wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.wiring.examining import SHIPPED_EXAM
from bot.wiring.vocabulary import SHIPPED, load_library
from graph.errors import SopMistakes
from graph.exam import Candidate, Case, Report, read_cases, sit
from graph.exam.comparing import compare
from graph.exam.marks import Figures
from graph.llm import Llm
from graph.opening import cards
from tests.unit.graph.reading.house import COMPENSATION, FIELDS, saying

ASKED = {"sop": "compensation", "asked": ["amount", "comp_type"]}


def _case(**said: object) -> Case:
    return Case.model_validate({"file": "f", "line": 1, **said})


async def _report(*cases: Case, llm: Llm | None = None) -> Report:
    return await sit(Candidate([COMPENSATION], FIELDS, llm, "scripted" if llm else None), cases)


def _all(report: Report, field: str = "all") -> Figures:
    return next(each for each in report.figures if (each.lang, each.field) == ("all", field))


async def test_the_desk_passes_its_own_exam_without_a_model() -> None:
    """At least 95 % of what is said is found, at most 1 % of what is not is filled, and nine of ten routes are right."""
    files = sorted(SHIPPED_EXAM.glob("*.jsonl"))
    cases = [case for path in files for case in read_cases(path)]
    library = load_library(SHIPPED)
    report = await sit(Candidate(cards(library), library.words.fields), cases)
    every = _all(report)
    assert len(cases) >= 400 and {each.lang for each in report.figures} == {"all", "zh", "en"}
    assert every.recall is not None and every.recall >= 0.95
    assert every.false_fills is not None and every.false_fills <= 0.01
    assert every.accuracy is not None and every.accuracy >= 0.9
    assert max(len(case.context.sops or ()) for case in cases) == 40


async def test_marks_tell_found_missed_wrong_and_filled_apart() -> None:
    """Each field is marked by what was wanted and what was read; the reader's reason stands beside a miss."""
    report = await _report(
        _case(text="80 刀，积分", context=ASKED, want={"amount": 80, "comp_type": "credit"}),
        _case(text="80 刀，积分", context=ASKED, want={"amount": "90", "comp_type": None}),
        _case(text="50 到 80，积分", context=ASKED, want={"amount": "50", "comp_type": ["cash", "credit"]}),
    )
    assert [(each.field, each.verdict, each.why) for each in report.misses] == [
        ("amount", "wrong", ""),
        ("comp_type", "filled", ""),
        ("amount", "missed", "range"),
    ]
    assert (_all(report).said, _all(report).found, _all(report).filled) == (5, 3, 1)


async def test_a_model_is_examined_through_the_same_door() -> None:
    """With a model each utterance takes one call; a guess that the words do not bear out changes nothing."""
    guesses = saying({"comp_type": {"value": "cash", "quote": "80 刀"}})
    report = await _report(_case(text="80 刀", context=ASKED, want={"amount": "80", "comp_type": None}), llm=guesses)
    assert report.misses == [] and report.calls == 1 and report.model == "scripted"


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("给 KL-778 补 80 刀", "compensation"),
        ("给 KL-778 补 80 刀", "发起补偿"),
        ("退款要几天？", "question"),
        ("你好", "small_talk"),
        ("嗯那个", None),
    ],
)
async def test_routes_go_by_name_title_or_mode(text: str, route: str | None) -> None:
    """A procedure may be named or titled; question, small talk and unclear are routes, too."""
    cases = [_case(text=text, route=route)]
    assert (await _report(*cases)).misses == []


async def test_what_the_desk_does_not_have_is_named_with_its_line() -> None:
    """An unknown field whose name tells no type, or a procedure without a title, is a mistake of its line."""
    with pytest.raises(SopMistakes) as error:
        await _report(_case(text="x", want={"colour": None}), _case(text="x", route="b", context={"sops": ["b"]}))
    assert "f:1: 'colour' is no field of this desk" in str(error.value) and "'b' has no title" in str(error.value)


async def test_two_runs_are_compared_by_figures_and_misses() -> None:
    """What the second run has right and the first had not is better; the other way round it is worse."""
    text, spoilt = "80 刀", saying({"amount": {"value": "80", "quote": "80"}})
    first = await _report(_case(text=text, context=ASKED, want={"amount": "90", "comp_type": None}))
    second = await _report(_case(text=text, context=ASKED, want={"amount": "80", "comp_type": "cash"}), llm=spoilt)
    held = compare(first, second)
    assert [mark.field for mark in held.better] == ["amount"] and [mark.field for mark in held.worse] == ["comp_type"]
    assert (held.figures[0][0].recall, held.figures[0][1].recall) == (0.0, 0.5)


def test_the_shipped_utterances_are_where_the_command_looks() -> None:
    """They stand beside the procedures, and half of the said ones are Chinese."""
    counts = {path.name: len(read_cases(Path(path))) for path in SHIPPED_EXAM.glob("said.*.jsonl")}
    assert sum(counts.values()) >= 200 and abs(counts["said.zh.jsonl"] - counts["said.en.jsonl"]) <= 10

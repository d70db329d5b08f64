"""The coach's cards."""

from __future__ import annotations

import pytest

from blocks import (
    Card,
    brief_card,
    customer_card,
    decode,
    scenarios_card,
    score_card,
    scores_card,
    turns_card,
)
from bot.practice_report import as_csv, report_card
from graph.model import (
    CaseRow,
    DrillRow,
    DrillTurn,
    DrillView,
    Headline,
    Lang,
    RequestView,
    RunView,
    ScenarioRow,
    StepView,
    Text,
)
from graph.phrases import both
from tests.unit.blocks.views import LI

LONG = Text(zh="流程" * 2000, en="path " * 800)
STEP = StepView(id="drill", kind="drill", label=both("drill"), state="now")
DRILL = DrillView(
    scenario="invoice_change",
    title=Text(zh="发票修改", en="Invoice change"),
    goal=Text(zh="先问类型", en="find out the type first"),
    over=True,
    score=90,
    path=Text(zh="Q1 订单类型 → Q2 多问，−10 → 结束", en="Q1 order type → Q2 needless, −10 → end"),
    turns=[DrillTurn(line=Text(zh="第 1 轮：<!here>", en="Turn 1: <!here>"), reason=both("*why*"))],
    slips=[Text(zh="第 2 轮：多余追问", en="Turn 2: needless question")],
    hints=1,
    why=Text(zh="结束", en="Ended"),
)


def view(lang: Lang = "zh") -> RunView:
    """A case that is practice."""
    return RunView(
        case="C-7K3F",
        thread="T1:C1:1.000001",
        sop="practice",
        version="abcd",
        lang=lang,
        status="done",
        opener=LI,
        owner=LI,
        opened_at="2026-09-04T06:00:00+00:00",
        updated_at="2026-09-04T06:00:00+00:00",
        headline=Headline(amount=None, way=None, title=DRILL.title, priced=False),
        drill=DRILL,
    )


def row(score: int, at: str, slips: dict[str, int]) -> CaseRow:
    """A drill that has ended."""
    drill = DrillRow(
        scenario="invoice_change",
        title=DRILL.title,
        trainee="U0LI",
        name="=cmd()",
        score=score,
        reason="solution_accepted",
        slips=slips,
    )
    return CaseRow(
        case="C-1",
        thread="T1:C1:1.000001",
        status="done",
        headline=Headline(amount=None, way=None, title=DRILL.title, priced=False),
        updated_at=at,
        drill=drill,
    )


def words(card: Card) -> str:
    """All that a card says."""
    return str(card.blocks)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_score_card_says_it_all_without_its_picture(lang: Lang) -> None:
    """Points, path and slips stand in words; the picture's alternative text says the path, too."""
    card = score_card(view(lang), DRILL, "F0PICTURE")
    assert card.text.startswith("90/100")
    assert DRILL.path is not None
    assert DRILL.path.in_(lang) in card.text
    image = next(block for block in card.blocks if block["type"] == "image")
    assert (image["slack_file"], "Q1" in str(image["alt_text"])) == ({"id": "F0PICTURE"}, True)
    assert DRILL.slips[0].in_(lang) in words(card)
    assert "image" not in words(score_card(view(lang), DRILL, None))


def test_again_begins_the_same_scenario_in_the_same_thread() -> None:
    """The primary button carries scenario and thread."""
    buttons = next(block for block in score_card(view(), DRILL, None).blocks if block["type"] == "actions")["elements"]
    assert isinstance(buttons, list)
    first = buttons[0]
    assert isinstance(first, dict)
    press = decode(str(first["value"]))
    assert (press.do, press.value, press.thread) == ("practise", "invoice_change", "T1:C1:1.000001")
    assert first["style"] == "primary"


def test_buttons_stand_only_under_what_waits_for_an_answer() -> None:
    """Once the trainee has answered, the customer's words stay and the buttons go."""
    request = RequestView(id="C/drill/1", kind="drill", step=STEP, made_at="2026-09-04T06:00:00+00:00", open=True)
    asked = request.model_copy(update={"prompt": both("改发票")})
    assert "提示（扣分）" in words(customer_card(view(), asked))
    answered = customer_card(view(), asked.model_copy(update={"open": False}))
    assert ("改发票" in words(answered), "提示" in words(answered)) == (True, False)


def test_what_is_long_is_cut_and_what_is_foreign_escaped() -> None:
    """Cards keep to Slack's limits, and no text becomes a mention."""
    drill = DRILL.model_copy(update={"path": LONG, "goal": LONG, "title": LONG, "slips": [LONG] * 30})
    for card in (score_card(view(), drill, "F0"), brief_card(view(), drill), turns_card(DRILL, "zh")):
        assert len(card.text) <= 150
        assert len(card.blocks) <= 50
        assert "<!here>" not in words(card)


def test_lists_and_reports() -> None:
    """Scenarios can be started, scores are listed, a report shows trend and commonest slips, a CSV every drill."""
    listed = scenarios_card([ScenarioRow(name="invoice_change", title=DRILL.title, goal=DRILL.goal)], "en", unknown="<x>")
    assert "Invoice change" in words(listed)
    rows = [
        row(90, "2026-09-05T06:00:00+00:00", {"wrong_branch": 1}),
        row(50, "2026-09-04T06:00:00+00:00", {"wrong_branch": 2}),
    ]
    assert "90/100" in words(scores_card(rows, "zh"))
    report = words(report_card(rows, "zh"))
    assert "50 → 90" in report
    assert "走错分支 ×3" in report
    assert "还没有" in words(report_card(rows, "zh", "U0OTHER"))
    lines = as_csv(rows).splitlines()
    assert lines[1].startswith("C-1,2026-09-04T06:00:00+00:00,U0LI,'=cmd(),invoice_change,50,solution_accepted")

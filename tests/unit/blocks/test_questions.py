"""Ask, confirm and hold cards."""

import pytest

from blocks import ask_card, confirm_card, hold_card
from graph.model import ChoiceView, FieldView, Lang, Problem, RequestView, Text
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import elements, labels, lines, presses, require_sendable


def _ask(lang: Lang, *fields: FieldView, problems: tuple[Problem, ...] = (), **changes: object) -> RequestView:
    return v.request("ask", step_id="collect", id_="r1/collect/1", fields=fields, problems=problems).model_copy(
        update=changes
    )


@pytest.mark.parametrize(
    ("lang", "said", "buttons", "small"),
    [
        (
            "zh",
            "<@U0LI> 还缺：金额（USD）、方式",
            ["现金，原路退", "积分", "填表单…"],
            "也可直接回复：“300 美元，退回卡里”",
        ),
        (
            "en",
            "<@U0LI>, still missing: amount (USD), way",
            ["Cash, back to card", "Credit", "Fill in form…"],
            "Or just reply: “$300, back to card”",
        ),
    ],
)
def test_what_is_missing_is_asked_with_choices_and_a_form(lang: Lang, said: str, buttons: list[str], small: str) -> None:
    """The agent is called, choices are buttons, a form takes the rest, and a reply in words will do."""
    asked = _ask(lang, v.AMOUNT, v.WAY)
    card = ask_card(v.t1(lang, asked), asked, v.AROUND)
    require_sendable(card)
    assert lines(card) == [said, small]
    assert labels(card) == buttons
    assert card.text == f"{said} · KL-778 C-7K3F"
    choice = presses(card)[0]
    assert (choice.do, choice.field, choice.value, choice.request) == ("answer", "comp_type", "cash", "r1/collect/1")


def test_a_secret_is_asked_by_form_alone() -> None:
    """Where only sensitive fields are missing the form is the one primary button, and nobody is invited to reply."""
    asked = v.account_request()
    card = ask_card(v.t1_account("zh"), asked, v.AROUND)
    assert labels(card) == ["填表单…*"]
    assert lines(card)[1:] == ["表单内容频道看不到"]


def test_the_prompt_of_the_procedure_is_shown() -> None:
    """The author's own words say why it is asked."""
    asked = _ask("en", v.ACCOUNT, prompt=Text(zh="余额不够", en="The balance is too small"))
    assert "The balance is too small" in lines(ask_card(v.t1("en", asked), asked, v.AROUND))


@pytest.mark.parametrize(
    ("problem", "zh", "en"),
    [
        (
            Problem(field="amount", code="currency", quote="80 欧元", limit="USD"),
            "没记下金额：“80 欧元”不是 USD",
            "Amount not taken: “80 欧元” is not USD",
        ),
        (
            Problem(field="comp_type", code="several", candidates=["cash", "credit"]),
            "现金、积分都提了，选一个",
            "Cash and credit both named; pick one",
        ),
        (
            Problem(field="comp_type", code="several"),
            "没记下方式：提了不止一个，选一个",
            "Way not taken: more than one named; pick one",
        ),
        (
            Problem(field="amount", code="several", candidates=["50", "80", "90"]),
            "50.00 USD、80.00 USD、90.00 USD都提了，选一个",
            "50.00 USD, 80.00 USD, 90.00 USD named; pick one",
        ),
        (
            Problem(field="elsewhere", code="several", candidates=["a", "b"]),
            "a、b都提了，选一个",
            "A and b both named; pick one",
        ),
    ],
)
def test_a_re_ask_opens_with_the_reason(problem: Problem, zh: str, en: str) -> None:
    """Why something was not taken comes first, on the card and in the push."""
    for lang, said in (("zh", zh), ("en", en)):
        asked = _ask("zh", v.AMOUNT, v.WAY, problems=(problem,))
        card = ask_card(v.t1("zh" if lang == "zh" else "en", asked), asked, v.AROUND)
        assert lines(card)[0] == said
        assert card.text.startswith(said)


def test_what_was_said_of_a_secret_is_not_repeated() -> None:
    """A rejected account number does not come back into the channel."""
    problem = Problem(field="bank_account", code="pattern", quote="6222 0000 12", candidates=["622200"])
    asked = _ask("zh", v.ACCOUNT, problems=(problem,))
    card = ask_card(v.t1("zh", asked), asked, v.AROUND)
    assert lines(card)[0] == "没记下客人收款账户：“所填内容”格式不对"
    assert "6222" not in card.model_dump_json()


def test_named_values_are_offered_as_buttons() -> None:
    """Two amounts named become two buttons."""
    problem = Problem(field="amount", code="several", candidates=["50", "80"])
    asked = _ask("zh", v.AMOUNT, problems=(problem,))
    card = ask_card(v.t1("zh", asked), asked, v.AROUND)
    assert labels(card) == ["50.00 USD", "80.00 USD", "填表单…"]
    assert [press.value for press in presses(card)] == ["50", "80", ""]


def test_more_than_five_choices_become_a_menu() -> None:
    """Six choices are listed in a menu whose options carry the answers."""
    many = v.WAY.model_copy(
        update={"choices": [ChoiceView(value=f"w{n}", label=Text(zh=f"方式{n}", en=f"way {n}")) for n in range(6)]}
    )
    asked = _ask("zh", many)
    card = ask_card(v.t1("zh", asked), asked, v.AROUND)
    assert labels(card)[0] == "⋯ 方式0 方式1 方式2 方式3 方式4 方式5"
    assert [press.value for press in presses(card)][:6] == [f"w{n}" for n in range(6)]


def test_a_field_without_an_example_is_just_asked() -> None:
    """For a text no example is made up; other currencies than dollars are named."""
    asked = _ask("en", v.REASON)
    assert lines(ask_card(v.t1("en", asked), asked, v.AROUND))[-1] == "Or just reply here"
    euros = _ask("en", v.AMOUNT.model_copy(update={"unit": "EUR"}))
    assert lines(ask_card(v.t1("en", euros), euros, v.AROUND))[-1] == "Or just reply: “300 EUR”"


@pytest.mark.parametrize(
    ("ending", "answer", "said"),
    [
        ("answered", "现金", "李 14:14：现金"),
        ("answered", "", "李 14:14 的回答没有用上，重新问"),
        ("expired", "", "14:14 前没有回答"),
        ("withdrawn", "", "李 14:14 撤回了这一问"),
    ],
)
def test_an_answered_question_has_no_buttons(ending: str, answer: str, said: str) -> None:
    """Once over, the card says who, when and what, and can no longer be pressed."""
    closed = v.ended("answered", ("U0LI", "李"), answer=answer).model_copy(update={"ending": ending})
    asked = _ask("zh", v.WAY, open=False, closed=closed)
    card = ask_card(v.t1("zh", asked), asked, v.AROUND)
    require_sendable(card)
    assert lines(card)[-1] == said
    assert labels(card) == []
    assert not answer or answer not in card.text


def test_who_answers_for_the_agent_is_told_so() -> None:
    """A lead's answer names both."""
    closed = v.ended("answered", ("U0ZHOU", "周"), answer="现金").model_copy(update={"acting_for": "李"})
    asked = _ask("zh", v.WAY, open=False, closed=closed)
    assert lines(ask_card(v.t1("zh", asked), asked, v.AROUND))[-1] == "周（代李） 14:14：现金"


def test_a_question_that_is_over_without_a_record_has_no_buttons() -> None:
    """A request that is neither open nor closed by anybody shows its fields alone."""
    asked = _ask("zh", v.WAY, open=False)
    card = ask_card(v.t1("zh", asked), asked, v.AROUND)
    assert (labels(card), lines(card)) == ([], ["已答：方式"])


@pytest.mark.parametrize(
    ("lang", "question", "buttons", "then"),
    [
        ("zh", "将补偿 80.00 USD 现金给王女士（KL-778），对吗？", ["对，继续*", "更正…"], "之后由主管批准"),
        (
            "en",
            "80.00 USD cash to 王女士 (KL-778). Right?",
            ["Yes, go on*", "Correct…"],
            "Next: approval by a supervisor",
        ),
    ],
)
def test_a_confirmation_says_what_will_happen(lang: Lang, question: str, buttons: list[str], then: str) -> None:
    """Amount, way, for whom, the routes and who approves next; yes is the primary button."""
    asked = v.request("confirm", routes=tuple(v.SHORT_ROUTES), next_level="supervisor")
    card = confirm_card(v.t1(lang, asked), asked, v.AROUND)
    require_sendable(card)
    assert lines(card)[0] == question
    assert lines(card)[2] == then
    assert labels(card) == buttons
    assert card.text == f"{question} C-7K3F"


def test_a_confirmation_without_money_or_approval() -> None:
    """Without an amount the title is confirmed, with the facts; `auto` says that nobody approves."""
    facts = v.quotes()[2:]
    asked = v.request("confirm", next_level="auto", prompt=Text(zh="请核对", en="Please check")).model_copy(
        update={"quotes": facts, "problems": [Problem(field="amount", code="zero")]}
    )
    said = lines(confirm_card(v.t1("zh", asked, amount=None, way=None), asked, v.AROUND))
    assert said == [
        "没记下amount：“所填内容”是零",
        "补偿，金额未定 · 王女士 · KL-778，对吗？",
        "请核对",
        "原因 商户漏发接送",
        "之后不用审批，直接办理",
        "直接回复别的内容即为更正",
    ]


def test_a_confirmation_without_a_customer_names_the_order() -> None:
    """For an order whose customer is not known the question still has the amount."""
    asked = v.request("confirm")
    view = v.t1("en", asked, way=None).model_copy(update={"customer": ""})
    assert lines(confirm_card(view, asked, v.AROUND))[0] == "80.00 USD for KL-778. Right?"


@pytest.mark.parametrize(
    ("ending", "answer", "said"),
    [
        ("answered", "yes", "李 14:14 已确认"),
        ("answered", "no", "李 14:14：不对"),
        ("answered", "90", "李 14:14：90"),
        ("withdrawn", "", "李 14:14 撤回了这一问"),
    ],
)
def test_a_confirmation_that_is_over_says_who_said_what(ending: str, answer: str, said: str) -> None:
    """The buttons go, and the answer stands."""
    closed = v.ended("answered", ("U0LI", "李"), answer=answer).model_copy(update={"ending": ending})
    asked = v.request("confirm", closed=closed)
    card = confirm_card(v.t1("zh", asked), asked, v.AROUND)
    assert (lines(card)[-1], labels(card)) == (said, [])


def test_a_closed_confirmation_without_a_record_shows_the_question() -> None:
    """A confirm that is over without anybody's word has no buttons."""
    asked = v.request("confirm").model_copy(update={"open": False})
    assert labels(confirm_card(v.t1("zh", asked), asked, v.AROUND)) == []


def test_a_hold_offers_a_retry_until_it_is_over() -> None:
    """The step, since when, the code, and Retry; afterwards no button."""
    held = v.request("hold", step_id="load_order", error="timeout")
    card = hold_card(v.t1("en", held), held, v.AROUND)
    require_sendable(card)
    assert lines(card) == [
        "The back office does not answer: Order lookup since 14:02; resumes by itself",
        "Error code timeout",
    ]
    assert labels(card) == ["Retry"]
    assert elements(card)[0].accessibility_label == "Retry, KL-778"
    over = held.model_copy(update={"open": False, "closed": v.ended("resumed")})
    assert labels(hold_card(v.t1("en", over), over, v.AROUND)) == []
    assert lines(hold_card(v.t1("en", over), over, v.AROUND)) == ["The back office is back: Order lookup"]


def test_a_parked_payment_calls_the_leads() -> None:
    """An unknown result is not retried; the leads settle it where that is offered."""
    parked = v.request("park", step_id="submit")
    card = hold_card(v.t1("zh", parked), parked, v.AROUND)
    assert lines(card) == ["提交：提交结果不明，不重试；等 <@U0ZHOU>"]
    assert labels(card) == []
    offering = v.AROUND.model_copy(update={"offers": frozenset({"settle"}), "leads": ""})
    settled = hold_card(v.t1("zh", parked), parked, offering)
    assert labels(settled) == ["已付…", "未付…"]
    assert lines(settled) == ["提交：提交结果不明，不重试；等 组长"]

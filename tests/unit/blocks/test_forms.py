"""Forms: what they ask, what they carry, and what comes back."""

import pytest

from blocks import (
    amount_form,
    cancel_form,
    changed_values,
    correct_form,
    details_form,
    form_errors,
    form_values,
    hand_over_form,
    handbook_form,
    new_case_form,
    question_form,
    reason_of,
    reject_form,
    settle_form,
)
from graph.model import ChoiceView, FieldView, Lang, Problem, Route, Text, TrailEntry
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import Form, form_of

DAY = FieldView(name="day", label=Text(zh="日期", en="day"), type="date", current="2026-12-01")


def _words(form: Form) -> list[str]:
    return [part.words() for block in form.blocks for part in (block.text, *block.elements) if part]


def test_the_details_form_asks_for_what_is_missing() -> None:
    """Headline first; choices as radio buttons, money as text; the press comes back with request and case."""
    view = v.t4_collect("zh")
    form = form_of(details_form(view, view.requests[0], "zh"))
    assert (form.title.words(), form.callback_id) == ("补充信息", "sop.form")
    assert (form.submit and form.submit.words(), form.close and form.close.words()) == ("提交", "返回")
    assert (form.press().do, form.press().request, form.press().case) == ("form", "r1/collect/1", "C-7K3F")
    assert _words(form)[0] == "*补偿，金额未定*\nKL-502 · C-7K3F"
    inputs = form.inputs()
    assert list(inputs) == ["amount", "comp_type"]
    amount, way = inputs["amount"], inputs["comp_type"]
    assert amount.label and amount.label.words() == "金额（USD）"
    assert amount.element and amount.element.type == "plain_text_input"
    assert way.element and way.element.type == "radio_buttons"
    assert [option.words() for option in way.element.options] == ["现金，原路退", "积分"]


def test_errors_stand_at_the_top_and_under_their_field() -> None:
    """A form shown again says what was wrong, and fills in the one value that was named."""
    problem = Problem(field="amount", code="approximate", quote="两百多", candidates=["200"])
    asked = v.request("ask", step_id="collect", id_="r1/collect/1", fields=(v.AMOUNT, v.ACCOUNT), problems=(problem,))
    view = v.t1("zh", asked)
    wrong = form_of(details_form(view, asked, "zh", {"amount": "要一个数"}))
    assert "要一个数" in _words(wrong)
    amount = wrong.inputs()["amount"]
    assert amount.hint and amount.hint.words() == "要一个数"
    assert amount.element and amount.element.initial_value == "200"
    again = form_of(details_form(view, asked, "zh"))
    assert "没记下金额：“两百多”不是确数，请说一个准数" in _words(again)
    assert _words(again)[-1] == "表单内容频道看不到"


def test_several_named_values_are_hinted() -> None:
    """Two amounts named: none is filled in, both are shown."""
    problem = Problem(field="amount", code="several", candidates=["50", "80"])
    asked = v.request("ask", fields=(v.AMOUNT, DAY), problems=(problem,))
    inputs = form_of(details_form(v.t1("en", asked), asked, "en")).inputs()
    assert inputs["amount"].hint and inputs["amount"].hint.words() == "Named: 50.00 USD, 80.00 USD"
    assert inputs["amount"].element and inputs["amount"].element.initial_value is None
    assert inputs["day"].element and inputs["day"].element.type == "datepicker"


def test_more_than_ten_choices_become_a_menu() -> None:
    """Radio buttons up to ten, a menu beyond; a value too long for Slack is left out."""
    many = [ChoiceView(value=f"w{n}", label=Text(zh=f"方式{n}", en=f"way {n}")) for n in range(11)]
    field = v.WAY.model_copy(update={"choices": many, "current": "w3"})
    asked = v.request("ask", fields=(field,))
    element = form_of(details_form(v.t1("zh", asked), asked, "zh")).inputs()["comp_type"].element
    assert element and element.type == "static_select"
    assert element.initial_option and element.initial_option.value == "w3"
    long = field.model_copy(update={"choices": [ChoiceView(value="x" * 151, label=Text(zh="长", en="long"))]})
    asked = v.request("ask", fields=(long,))
    element = form_of(details_form(v.t1("zh", asked), asked, "zh")).inputs()["comp_type"].element
    assert element and element.type == "plain_text_input"


def test_the_correction_is_prefilled_except_for_secrets() -> None:
    """Known values stand in the form; a secret is empty, and empty keeps it. A pending request is announced to fall."""
    view = v.t1_approval("zh")
    known = [
        v.AMOUNT.model_copy(update={"current": "80"}),
        v.WAY.model_copy(update={"current": "cash"}),
        v.ACCOUNT.model_copy(update={"current": "尾号 1234"}),
    ]
    view = view.model_copy(update={"correctable": known})
    form = form_of(correct_form(view, "zh"))
    assert "未决申请会撤回" in _words(form)
    inputs = form.inputs()
    amount, way, account = (inputs[name] for name in ("amount", "comp_type", "bank_account"))
    assert amount.element and amount.element.initial_value == "80"
    assert way.element and way.element.initial_option and way.element.initial_option.value == "cash"
    assert account.element and account.element.initial_value is None
    assert account.hint and account.hint.words() == "现为尾号 1234；留空则不变"
    assert all(block.optional for block in inputs.values())
    sent = {"amount": "90", "comp_type": "cash", "bank_account": "6222000012345", "other": "x"}
    assert changed_values(view, sent) == {"amount": "90", "bank_account": "6222000012345"}


def test_a_case_with_nothing_to_correct_says_so() -> None:
    """Without fields there is nothing to submit."""
    form = form_of(correct_form(v.t1_done("en"), "en"))
    assert form.submit is None
    assert "There is nothing to correct" in _words(form)


def test_cancelling_says_whether_money_moved() -> None:
    """Nothing submitted: no money moved. Submitted: what was, and that it is not taken back."""
    form = form_of(cancel_form(v.t1_approval("zh"), "zh"))
    assert "钱没有动" in _words(form)
    assert list(form.inputs()) == ["reason"]
    route = Route(kind="gateway", amount="60", currency="USD")
    paid = TrailEntry(step="submit", what="call", at="2026-11-30T14:00:00Z", routes=[route])
    view = v.t1_approval("en").model_copy(update={"trail": [paid]})
    assert "Already submitted, not taken back: 60.00 USD back to card" in _words(form_of(cancel_form(view, "en")))
    head = view.headline.model_copy(update={"priced": False})
    bare = form_of(cancel_form(view.model_copy(update={"headline": head}), "en"))
    assert not any("submitted" in words for words in _words(bare))


def test_a_rejection_needs_a_reason_which_the_agent_reads() -> None:
    """Typed and required; with saved reasons either will do, and the typed one goes first."""
    view = v.t1_approval("zh")
    form = form_of(reject_form(view, view.requests[0], "zh"))
    assert (form.title.words(), form.callback_id) == ("驳回申请", "sop.reject")
    reason = form.inputs()["reason"]
    assert (reason.optional, reason.hint and reason.hint.words()) == (False, "坐席会看到原文")
    saved = form_of(reject_form(view, view.requests[0], "en", [Text(zh="超过上限", en="above the limit")]))
    assert list(saved.inputs()) == ["saved", "reason"]
    assert saved.inputs()["reason"].optional
    assert reason_of({"reason": "typed", "saved": "kept"}) == "typed"
    assert reason_of({"saved": "kept"}) == "kept"
    assert reason_of({}) == ""


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_other_forms_of_decisions(lang: Lang) -> None:
    """Another amount, a question, a settled payment, a hand-over: each asks for what it needs and carries its deed."""
    view = v.t1_approval(lang)
    asked = view.requests[0]
    forms = {
        "another_amount": (amount_form(view, asked, lang), ["amount", "reason"]),
        "ask_requester": (question_form(view, asked, lang), ["question"]),
        "paid": (settle_form(view, asked, lang, "paid"), ["remark"]),
        "unpaid": (settle_form(view, asked, lang, "unpaid"), ["remark"]),
        "hand_over": (hand_over_form(view, lang), ["to", "note"]),
        "new_case": (new_case_form(lang, [("C0DESK", "cs-desk")]), ["text", "channel"]),
        "handbook": (handbook_form(lang), ["text"]),
    }
    for do, (made, names) in forms.items():
        form = form_of(made)
        assert form.press().do == do
        assert list(form.inputs()) == names
    hint = form_of(forms["another_amount"][0]).inputs()["amount"].hint
    assert hint and "80.00 USD" in hint.words()


def test_an_amount_form_without_an_amount_and_a_case_form_without_channels() -> None:
    """What is not known is not asked about."""
    view = v.t1_approval("en", amount=None)
    amount = form_of(amount_form(view, view.requests[0], "en")).inputs()["amount"]
    assert (amount.label and amount.label.words(), amount.hint) == ("Amount approved", None)
    assert list(form_of(new_case_form("en")).inputs()) == ["text"]


def test_submitted_values_are_read_by_field() -> None:
    """Text, choices, people and dates come back as words; what was left empty is left out."""
    state = {
        "values": {
            "amount": {"value": {"type": "plain_text_input", "value": " 80 "}},
            "comp_type": {"value": {"type": "radio_buttons", "selected_option": {"value": "cash", "text": {}}}},
            "to": {"value": {"type": "users_select", "selected_user": "U0CHEN"}},
            "day": {"value": {"type": "datepicker", "selected_date": "2026-12-01"}},
            "note": {"value": {"type": "plain_text_input", "value": None}},
            "foreign": {"other": {"type": "plain_text_input", "value": "x"}},
        }
    }
    assert form_values(state) == {"amount": "80", "comp_type": "cash", "to": "U0CHEN", "day": "2026-12-01"}


@pytest.mark.parametrize("state", [None, {}, {"values": []}, {"values": {"a": {"value": {"value": "x" * 3001}}}}])
def test_a_state_that_is_none_is_refused(state: object) -> None:
    """What Slack would never send is a ValueError."""
    with pytest.raises(ValueError, match="validation error"):
        form_values(state)


def test_errors_go_back_by_block() -> None:
    """A refused submission names the block, which is the field."""
    assert form_errors({"amount": "要一个数"}) == {"amount": "要一个数"}


def test_a_press_too_long_opens_no_form() -> None:
    """A form that could not come back is an error."""
    view = v.t1_approval("zh").model_copy(update={"thread": "x" * 300})
    with pytest.raises(ValueError, match="thread"):
        cancel_form(view, "zh")

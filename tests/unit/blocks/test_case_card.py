"""The case card at each pause and at the end."""

import pytest

from blocks import Surroundings, case_card
from graph.model import Lang, RunView, Text
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import header_of, labels, lines, presses, require_sendable

OPEN_ZH = ["已知信息", "执行记录", "更正…", "⋯ 转交… 取消工单…"]
OPEN_EN = ["Facts", "Trail", "Correct…", "⋯ Hand over… Cancel case…"]


def _with(lang: Lang, kind: str, **changes: object) -> RunView:
    asked = v.request("hold", step_id="load_order").model_copy(update={"kind": kind, **changes})
    return v.t1(lang, asked, now="load_order")


CASES = [
    (v.t1_account("zh"), "80.00 USD 现金补偿 · 等坐席回答", "等 <@U0LI>，自 14:02：客人收款账户", OPEN_ZH),
    (v.t4_collect("zh"), "补偿，金额未定 · 等坐席回答", "等 <@U0LI>，自 14:02：金额（USD）、方式", OPEN_ZH),
    (
        v.t4_collect("en"),
        "Compensation, amount open · waiting for an answer",
        "waiting for <@U0LI> since 14:02: amount (USD), way",
        OPEN_EN,
    ),
    (
        v.t1_approval("zh"),
        "80.00 USD 现金补偿 · 等主管批准",
        "等 <#C0SUP>，自 14:02 · <https://example.slack.com/archives/C0SUP/p1|看申请>",
        OPEN_ZH,
    ),
    (
        v.t1_approval("en"),
        "80.00 USD cash compensation · waiting for a supervisor",
        "waiting for <#C0SUP> since 14:02 · <https://example.slack.com/archives/C0SUP/p1|See request>",
        OPEN_EN,
    ),
    (
        v.t1_approval("zh", error="nobody"),
        "80.00 USD 现金补偿 · 等主管批准",
        "名单里没有能批的人，请 <@U0ZHOU> 处理",
        OPEN_ZH,
    ),
    (
        v.t1_approval("en", level="auditor", id="other"),
        "80.00 USD cash compensation · waiting for an auditor",
        "waiting for auditor since 14:02",
        OPEN_EN,
    ),
    (_with("zh", "hold"), "80.00 USD 现金补偿 · 等后台恢复", "查订单，自 14:02，恢复后自动继续", ["重试", *OPEN_ZH]),
    (
        _with("en", "hold"),
        "80.00 USD cash compensation · waiting for the back office",
        "Order lookup since 14:02; resumes by itself",
        ["Retry", *OPEN_EN],
    ),
    (_with("zh", "park"), "80.00 USD 现金补偿 · 需要人工", "提交结果不明，不重试；等 <@U0ZHOU>", OPEN_ZH),
    (_with("zh", "confirm"), "80.00 USD 现金补偿 · 等坐席确认", "等 <@U0LI>，自 14:02：确认", OPEN_ZH),
    (_with("en", "wait"), "80.00 USD cash compensation · waiting", "Order lookup since 14:02", OPEN_EN),
    (v.t1("zh", status="working"), "80.00 USD 现金补偿 · 办理中", "主管批准", OPEN_ZH),
    (
        v.t1_done("zh"),
        "80.00 USD 现金补偿 · 已完成",
        "60.00 USD 原路退，20.00 USD 手工转尾号 1234",
        ["已知信息", "执行记录"],
    ),
    (
        v.t1_done("en"),
        "80.00 USD cash compensation · done",
        "60.00 USD back to card, 20.00 USD by hand to account ending 1234",
        ["Facts", "Trail"],
    ),
    (v.t2_stopped("zh"), "20.00 USD 积分补偿 · 已停止", "规则 order_paid · KL-901 未支付", ["已知信息", "执行记录"]),
    (
        v.t1_cancelled("zh"),
        "80.00 USD 现金补偿 · 已取消",
        "李 14:10 取消 · “客人撤诉”",
        ["已知信息", "执行记录"],
    ),
]


@pytest.mark.parametrize(("view", "head", "second", "buttons"), CASES)
def test_each_state_has_its_headline_its_line_and_its_buttons(
    view: RunView, head: str, second: str, buttons: list[str]
) -> None:
    """A case card opens with money and state, says what it waits for, and offers only what can be done now."""
    card = case_card(view, v.AROUND)
    require_sendable(card)
    assert header_of(card) == head
    assert lines(card)[1] == second
    assert labels(card) == buttons
    assert card.text.startswith(head)
    assert card.text.endswith("C-7K3F")


def test_the_steps_stand_in_four_lines() -> None:
    """Done with what was found, skipped with the reason, now and next."""
    view = v.t1_approval("zh").model_copy(update={"steps": v.steps("approval", ("bank_info",))})
    assert lines(case_card(view, v.AROUND))[2:6] == [
        "*已完成*  查订单 · 资格核对 · 补充金额、原因、方式 · 网关余额 60.00 USD",
        "*跳过*  补充客人收款账户（不需要手工转账）",
        "*现在*  主管批准",
        "*接下来*  提交 · 订单备注",
    ]


def test_a_stopped_case_says_where_it_stopped() -> None:
    """The step that stood against it is named; what would have come next is not."""
    said = lines(case_card(v.t2_stopped("en"), v.AROUND))
    assert "*Stopped at*  Eligibility" in said
    assert not any(line.startswith("*Next*") for line in said)


def test_many_steps_are_counted_after_ten() -> None:
    """The eleventh step and on become a number."""
    view = v.t1("zh").model_copy(update={"steps": [v.step("submit", "done")] * 17})
    assert lines(case_card(view, v.AROUND))[1].endswith(" · 还有 7 条")


def test_a_queued_case_names_the_one_before_it() -> None:
    """A case that waits for another one says so."""
    card = case_card(v.t1("zh", status="working").model_copy(update={"behind": "C-1AAA"}), Surroundings())
    assert header_of(card).endswith("· 排队")
    assert "在 C-1AAA 之后" in lines(card)


def test_a_parked_payment_is_settled_only_where_the_engine_can() -> None:
    """Paid and Not paid appear with the offer to settle, and never a retry."""
    offering = v.AROUND.model_copy(update={"offers": frozenset({"settle"})})
    assert labels(case_card(_with("zh", "park"), offering))[:2] == ["已付…", "未付…"]
    assert "重试" not in labels(case_card(_with("zh", "park"), v.AROUND))


def test_without_money_no_amount_is_called_open() -> None:
    """A procedure without an amount is called by its title alone."""
    view = v.t1("en", amount=None, way=None)
    head = view.headline.model_copy(update={"title": Text(zh="改地址", en="address change"), "priced": False})
    assert header_of(case_card(view.model_copy(update={"headline": head}), v.AROUND)) == "address change · working"


def test_buttons_carry_the_case() -> None:
    """Every press names thread and case; Retry names its request, too."""
    view = _with("zh", "hold")
    pressed = presses(case_card(view, v.AROUND))
    assert {press.thread for press in pressed} == {view.thread}
    assert {press.case for press in pressed} == {"C-7K3F"}
    assert [press.do for press in pressed] == ["retry", "facts", "trail", "correct", "hand_over", "cancel"]
    assert pressed[0].request == view.requests[0].id


def test_an_unknown_owner_is_named_not_pinged() -> None:
    """On the command line people have names; no mention is made of them."""
    view = v.t4_collect("zh")
    local = view.owner.model_copy(update={"id": "li"})
    assert lines(case_card(view.model_copy(update={"owner": local}), v.AROUND))[1].startswith("等 @李，")

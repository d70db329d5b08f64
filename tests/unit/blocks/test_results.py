"""Result cards, facts and trail, lists of cases, App Home."""

import pytest

from blocks import Surroundings, case_list, facts_card, home, result_card, trail_card
from graph.model import CaseRow, Headline, Lang, ResultView, Route, RunView, Status, TrailEntry
from graph.phrases import say
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import elements, form_of, labels, lines, plain_dates, presses, require_sendable

CREDIT_ROUTE = Route(kind="credit", amount="1200.5", currency="USD")


@pytest.mark.parametrize(
    ("lang", "said", "to_do", "button", "foot"),
    [
        (
            "zh",
            "80.00 USD 现金补偿已提交（王女士 KL-778）：60.00 原路退，20.00 待转",
            "待办 <@U0LI>：转 20.00 USD 到尾号 1234，全号见后台",
            "执行记录",
            "单号 RA2609010002 · 批准 王 · 备注 N-0001 · C-7K3F",
        ),
        (
            "en",
            "80.00 USD cash compensation submitted (王女士 KL-778): 60.00 back to card, 20.00 to transfer",
            "To do, <@U0LI>: transfer 20.00 USD to account ending 1234; full number in the back office",
            "Trail",
            "No. RA2609010002 · Approved by 王 · Note N-0001 · C-7K3F",
        ),
    ],
)
def test_a_result_says_what_was_done_and_what_is_left(lang: Lang, said: str, to_do: str, button: str, foot: str) -> None:
    """The money first, then the agent's own to-do with the masked account; the push has no account at all."""
    card = result_card(v.t1_done(lang), v.AROUND)
    require_sendable(card)
    assert lines(card) == [said, to_do, foot]
    assert labels(card) == [button]
    assert card.text == f"{said} C-7K3F"
    assert "1234" not in card.text


def _done(lang: Lang, result: ResultView | None) -> RunView:
    return v.t1_done(lang).model_copy(update={"result": result})


def test_nothing_left_to_do() -> None:
    """Without a transfer by hand the agent is told that nothing is left; the system's approval is named as such."""
    result = ResultView(summary="办好了。", routes=[CREDIT_ROUTE], approver="System")
    said = lines(result_card(_done("zh", result), v.AROUND))
    assert said == [
        "80.00 USD 现金补偿已提交（王女士 KL-778）：1,200.50 积分",
        "办好了。",
        "无需再做",
        "按档位自动批准 · C-7K3F",
    ]


def test_a_result_without_money_or_account() -> None:
    """No routes: completed. A transfer whose account is unknown points to the back office."""
    assert lines(result_card(_done("en", None), v.AROUND))[0] == "80.00 USD cash compensation completed (王女士 KL-778)"
    unknown = [Route(kind="manual_transfer", amount="20", currency="USD")]
    said = lines(result_card(_done("en", ResultView(summary="", routes=unknown)), v.AROUND))
    assert said[1] == "To do, <@U0LI>: transfer 20.00 USD by hand; account in the back office"


@pytest.mark.parametrize(
    ("account", "shown"),
    [
        ("中国银行 6222 0000 1234，户名王女士", "尾号 1234"),
        ("1234", "尾号 1234"),
        ("尾号 1234", "尾号 1234"),
        ("12345", "已隐藏"),
    ],
)
def test_an_account_is_masked_however_it_comes(account: str, shown: str) -> None:
    """Whole, masked before, or too short to hide anything: never more than four signs are shown."""
    routes = [Route(kind="manual_transfer", amount="20", currency="USD", account=account)]
    card = result_card(_done("zh", ResultView(summary="", routes=routes)), v.AROUND)
    assert lines(card)[1] == f"待办 <@U0LI>：转 20.00 USD 到{shown}，全号见后台"
    assert "6222" not in card.model_dump_json()


@pytest.mark.parametrize(
    ("lang", "said", "why"),
    [
        (
            "zh",
            "20.00 USD 积分补偿已停止：KL-901 未支付，钱没有动",
            "规则 order_paid。下一步：核对是否真的未支付",
        ),
        (
            "en",
            "20.00 USD credit compensation stopped: KL-901 is unpaid; no money moved",
            "Rule order_paid. Next: check whether it really is unpaid",
        ),
    ],
)
def test_a_stopped_case_says_why_and_that_no_money_moved(lang: Lang, said: str, why: str) -> None:
    """The rule's own words, and what the agent can do next."""
    card = result_card(v.t2_stopped(lang), v.AROUND)
    require_sendable(card)
    assert lines(card)[:2] == [said, why]
    assert card.text == f"{said} C-7K3F"


@pytest.mark.parametrize(
    ("lang", "said"), [("zh", "王 14:14 关闭：“另走线下”"), ("en", "王 14:14, 关闭: “另走线下”")]
)
def test_a_case_that_a_review_closed_says_who_and_why(lang: Lang, said: str) -> None:
    """In place of what is left to do."""
    who = {"closed_by": "王", "closed_at": "2026-11-30T14:14:00Z", "closed_as": "关闭", "remark": "另走线下"}
    view = v.t1_done(lang).model_copy(update={"result": ResultView(summary="", **who)})
    card = result_card(view, v.AROUND)
    require_sendable(card)
    assert said in lines(card)
    assert say("cards.result_nothing", lang) not in lines(card)


@pytest.mark.parametrize(("lang", "label"), [("zh", "看 C-7K3F"), ("en", "Open C-7K3F")])
def test_a_second_case_shows_the_way_to_the_first(lang: Lang, label: str) -> None:
    """By a button with the link of its card, where that is known."""
    view = v.t2_stopped(lang)
    assert view.stopped is not None
    view = view.model_copy(update={"stopped": view.stopped.model_copy(update={"instead": "C-7K3F"})})
    card = result_card(view, v.AROUND)
    require_sendable(card)
    assert f'"{label}"' in card.model_dump_json() and v.AROUND.links["C-7K3F"] in card.model_dump_json()
    assert label not in result_card(view, Surroundings()).model_dump_json()


def test_a_cancelled_case_says_who_when_and_why() -> None:
    """A cancel after money moved does not claim that none did."""
    view = v.t1_cancelled("zh")
    assert lines(result_card(view, v.AROUND))[:2] == [
        "80.00 USD 现金补偿已取消（王女士 KL-778），钱没有动",
        "李 14:10 取消 · “客人撤诉”",
    ]
    assert view.stopped is not None
    paid = view.model_copy(
        update={
            "stopped": view.stopped.model_copy(update={"money_moved": True, "by": "", "at": ""}),
            "trail": [],
        }
    )
    assert lines(result_card(paid, v.AROUND))[:2] == [
        "80.00 USD 现金补偿已取消（王女士 KL-778），已付的钱不会收回",
        "李 取消：客人撤诉",
    ]


def test_facts_come_with_the_words_they_were_taken_from() -> None:
    """Value, quote, who, when; a fact without a source stands alone."""
    view = v.t1_approval("en")
    bare = view.facts[0].model_copy(update={"quote": "", "by": "", "at": ""})
    card = facts_card(view.model_copy(update={"facts": [bare, view.facts[2]]}), "zh")
    require_sendable(card)
    assert lines(card)[2:] == ["金额 80.00 USD", "原因 商户漏发接送 — “商户漏发接送” 李 14:00"]
    assert lines(facts_card(view.model_copy(update={"facts": []}), "en"))[-1] == "Nothing known yet"


def test_facts_beyond_forty_are_counted() -> None:
    """The rest becomes a number."""
    view = v.t1_approval("zh")
    many = view.model_copy(update={"facts": view.facts * 20})
    assert lines(facts_card(many, "zh"))[-1] == "还有 20 条"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "zh",
            [
                "14:00 李开单：compensation，金额 80.00 USD",
                "14:00 查订单：KL-778、王女士、已支付",
                "14:00 资格核对通过：已支付、不在风控审核中",
                "14:00 补充金额、原因、方式：都已知道，不用问",
                "14:00 问：客人收款账户",
                "14:00 李答：客人收款账户 尾号 1234",
                "14:00 请主管批准",
                "14:00 王批准",
                "14:00 提交：60.00 USD 原路退，20.00 USD 手工转尾号 1234",
            ],
        ),
        (
            "en",
            [
                "14:00 Opened by Li: compensation, amount 80.00 USD",
                "14:00 Order lookup: KL-778, 王女士, paid",
                "14:00 Eligibility passed: order paid, not under fraud review",
                "14:00 Details: amount, reason, way: all known, nothing to ask",
                "14:00 Asked for customer's account",
                "14:00 Li answered: customer's account 尾号 1234",
                "14:00 Approval asked of a supervisor",
                "14:00 Approved by 王",
                "14:00 Submission: 60.00 USD back to card, 20.00 USD by hand to account ending 1234",
            ],
        ),
    ],
)
def test_the_trail_is_told_in_the_readers_language(lang: Lang, said: list[str]) -> None:
    """Each entry is a sentence with its time, its values and where the money went."""
    view = v.t1_done(lang).model_copy(update={"correctable": [v.AMOUNT, v.ACCOUNT]})
    card = trail_card(view, lang, 0, v.AROUND)
    require_sendable(card)
    assert lines(card)[2:] == said


AT = "2026-11-30T14:00:00+00:00"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (TrailEntry(step="bank_info", what="skip", at=AT, reason="amount > x"), "跳过 补充客人收款账户：不需要手工转账"),
        (TrailEntry(step="x", what="skip", at=AT, reason="a > b"), "跳过 x：a &gt; b"),
        (
            TrailEntry(step="approval", what="reject", at=AT, by="U0WANG", reason="太多", goto="collect"),
            "<@U0WANG>驳回：“太多”，回到 补充金额、原因、方式",
        ),
        (TrailEntry(step="approval", what="auto", at=AT, by="System"), "主管批准：按档位自动批准"),
        (TrailEntry(step="eligibility", what="stop", at=AT, rule="order_paid"), "停在 资格核对：规则 order_paid"),
        (TrailEntry(step="eligibility", what="check", at=AT, rule="order_paid"), "资格核对：规则 order_paid"),
        (
            TrailEntry(step="collect", what="confirm", at=AT, by="U0LI", goto="collect"),
            "李说不对：回到 补充金额、原因、方式",
        ),
        (TrailEntry(step="collect", what="ask", at=AT), "问：补充金额、原因、方式"),
        (
            TrailEntry(step="collect", what="hand_over", at=AT, by="U0LI", values={"to": "U0CHEN"}),
            "李转交：<@U0CHEN>",
        ),
        (TrailEntry(step="collect", what="correct", at=AT, by="U0LI", values={"comp_type": "credit"}), "李更正：方式 积分"),
        (
            TrailEntry(step="x", what="answer", at=AT, values={"amount": "80", "ok": True, "odd": None, "l": [False, 3]}),
            "系统答：金额 80.00 USD，ok 是，odd –，l 否、3",
        ),
    ],
)
def test_every_kind_of_entry_has_its_sentence(entry: TrailEntry, said: str) -> None:
    """Skips give their reason, people are named, values are labelled and formatted."""
    view = v.t1_account("zh").model_copy(update={"trail": [entry], "steps": v.steps(None, ("bank_info",)), "facts": []})
    assert lines(trail_card(view, "zh", 0, v.AROUND))[2] == f"14:00 {said}"


def test_a_number_takes_its_currency_from_the_fact() -> None:
    """A value of a call is shown as the fact that it became."""
    entry = TrailEntry(step="gateway_balance", what="call", at=AT, values={"amount": "80"})
    view = v.t1_done("en").model_copy(update={"trail": [entry]})
    assert lines(trail_card(view, "en"))[2] == "14:00 Gateway balance: 80.00 USD"


def test_the_trail_has_pages_of_forty_from_the_newest() -> None:
    """Page 0 ends with the newest entry, Earlier leads on, the oldest page has no button."""
    entries = [TrailEntry(step=f"s{n}", what="call", at=AT) for n in range(90)]
    view = v.t1_done("zh").model_copy(update={"trail": entries})
    newest, middle, oldest = (trail_card(view, "zh", page) for page in (0, 1, 7))
    assert lines(newest)[-2:] == ["14:00 s89", "51–90，共 90 条"]
    assert presses(newest)[0].do == "trail_page"
    assert presses(newest)[0].value == "1"
    assert lines(middle)[2] == "14:00 s10"
    assert (lines(oldest)[2], labels(oldest)) == ("14:00 s0", [])
    empty = view.model_copy(update={"trail": []})
    assert lines(trail_card(empty, "en"))[-1] == "Nothing recorded yet"


def _row(status: Status = "waiting", waits_for: str = "ask", case: str = "C-7K3F") -> CaseRow:
    return CaseRow(
        case=case,
        thread="T0LOCAL:C0DESK:1764511200.000100",
        status=status,
        headline=Headline(amount="80.00 USD", way=v.CASH, title=v.COMPENSATION),
        order="KL-778",
        customer="王女士",
        waits_for=waits_for,
        updated_at="2026-11-30T14:02:00+00:00",
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (_row(), "等坐席回答，自 2026-11-30 14:02"),
        (_row(waits_for="supervisor"), "等主管批准，自 2026-11-30 14:02"),
        (_row(waits_for="approve"), "等审批人批准，自 2026-11-30 14:02"),
        (_row(waits_for=""), "等待中，自 2026-11-30 14:02"),
        (_row(waits_for="等 <客人>"), "等 &lt;客人&gt;，自 2026-11-30 14:02"),
        (_row("working"), "办理中，自 2026-11-30 14:02"),
        (_row("done"), "已完成 2026-11-30 14:02"),
    ],
)
def test_a_row_says_state_and_since_when(row: CaseRow, said: str) -> None:
    """What a case in a list waits for, and the day with the time."""
    card = case_list([row], "zh", v.AROUND)
    require_sendable(card)
    assert lines(card)[1:] == ["*80.00 USD 现金补偿*", "王女士 · KL-778 · C-7K3F", said]


def test_a_row_leads_to_its_card_or_opens_the_case() -> None:
    """With a link the button goes to the card; without one it asks for the case; an id too long has no button."""
    known, unknown = case_list([_row()], "zh", v.AROUND), case_list([_row()], "zh")
    assert (labels(known), elements(known)[0].url) == (["去处理"], "https://example.slack.com/archives/C0DESK/p3")
    assert (labels(unknown), presses(unknown)[0].do) == (["打开"], "open")
    assert labels(case_list([_row(case="x" * 200)], "zh")) == []


def test_a_row_that_is_picked_for_its_facts_opens_them() -> None:
    """Where facts or trail were asked for, the button shows them, whether or not the card can be linked to."""
    picked = case_list([_row()], "en", v.AROUND, "trail")
    assert (labels(picked), presses(picked)[0].do, elements(picked)[0].url) == (["Open"], "trail", "")


def test_more_than_ten_rows_are_counted() -> None:
    """The eleventh row and on become a number; none at all is said, too."""
    assert lines(case_list([_row()] * 17, "en"))[-1] == "7 more"
    assert lines(case_list([], "en")) == ["No open cases"]


def test_the_home_lists_what_waits_what_is_open_and_what_is_done() -> None:
    """Counts first, then the deeds that exist, then three lists."""
    offering = v.AROUND.model_copy(update={"offers": frozenset({"new_case", "handbook"})})
    view = form_of(home([_row()], [_row(), _row()], [_row("done")], offering, "zh"))
    said = [plain_dates(block.text.words()) for block in view.blocks if block.text]
    assert said[0] == "等你处理 1 · 进行中 2"
    assert [part.words() for part in view.blocks[1].elements] == ["新工单…", "问手册…"]
    assert [words for words in said if words.count("*") == 2 and "\n" not in words] == [
        "*等你处理*",
        "*进行中*",
        "*最近完成*",
    ]
    empty = form_of(home([], [], [], Surroundings(), "en"))
    assert [block.text.words() for block in empty.blocks if block.text] == [
        "Waiting for you 0 · Open 0",
        "Nothing waits for you",
    ]

"""The approval card: open, and after every ending."""

import pytest

from blocks import Place, Surroundings, approval_card
from graph.model import About, Lang, RunView, Text
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import elements, header_of, labels, lines, presses, require_sendable


@pytest.mark.parametrize(
    ("lang", "head", "body", "foot", "buttons", "push"),
    [
        (
            "zh",
            "批准 80.00 USD 现金补偿？",
            [
                "王女士 · KL-778（东京迪士尼一日票 x2，320.00 USD）",
                "原因：商户漏发接送",
                "批准后：60.00 USD 原路退，20.00 USD 手工转尾号 1234",
                "“80 美元” “现金” “商户漏发接送” 李 14:00 · 规则 3/3",
            ],
            "申请人 李 · <@U0WANG> <@U0KIM> · 20:00 前 · C-7K3F",
            ["批准 80.00 USD*", "驳回…", "⋯ 看工单 已知信息"],
            "批准 80.00 USD 现金补偿？王女士 KL-778，商户漏发接送。申请人李。C-7K3F",
        ),
        (
            "en",
            "Approve 80.00 USD cash compensation?",
            [
                "王女士 · KL-778 (东京迪士尼一日票 x2, 320.00 USD)",
                "Reason: 商户漏发接送",
                "If approved: 60.00 USD back to card, 20.00 USD by hand to account ending 1234",
                "“80 美元” “现金” “商户漏发接送” 李 14:00 · Rules 3/3",
            ],
            "By Li · <@U0WANG> <@U0KIM> · due 20:00 · C-7K3F",
            ["Approve 80.00 USD*", "Reject…", "⋯ Open case Facts"],
            "Approve 80.00 USD cash compensation? 王女士 KL-778, 商户漏发接送. By Li. C-7K3F",
        ),
    ],
)
def test_an_open_request_shows_all_that_is_decided_on(
    lang: Lang, head: str, body: list[str], foot: str, buttons: list[str], push: str
) -> None:
    """The money, for whom, why, where it goes, on whose words; and the push says it all without the account."""
    view = v.t1_approval(lang)
    card = approval_card(view, view.requests[0], v.AROUND, lang)
    require_sendable(card)
    assert header_of(card) == head
    assert lines(card) == [*body, foot]
    assert labels(card) == buttons
    assert card.text == push
    assert "1234" not in card.text


def test_only_who_may_decide_is_called() -> None:
    """Somebody who supplied part of the facts is not called on to decide; a user group is called as a whole."""
    view = v.t1_approval("zh")
    request = view.requests[0].model_copy(update={"barred": ["U0WANG"]})
    place = Place(label=Text(zh="主管", en="supervisor"), mention="<@U0WANG> <@U0KIM>", people=("U0WANG", "U0KIM"))
    named = approval_card(view, request, Surroundings(levels={"supervisor": place}), "zh")
    assert "申请人 李 · <@U0KIM> ·" in lines(named)[-1]
    group = place.model_copy(update={"mention": "<!subteam^S1>", "people": ()})
    assert "<!subteam^S1>" in lines(approval_card(view, request, Surroundings(levels={"supervisor": group}), "zh"))[-1]


def test_a_second_request_recalls_the_rejection() -> None:
    """The approver sees what was rejected last time, by whom and why."""
    view = v.t4_again("zh")
    assert "上次 王 14:14 驳回 300.00 USD：“迟到两小时按政策最多补 150”" in lines(
        approval_card(view, view.requests[1], v.AROUND, "zh")
    )


def test_decisions_carry_the_request_and_say_the_order() -> None:
    """Approve and Reject name the request; a screen reader hears the order with the label."""
    view = v.t1_approval("zh")
    card = approval_card(view, view.requests[0], v.AROUND, "zh")
    assert [(press.do, press.request) for press in presses(card)][:2] == [
        ("approve", "r1/approval/1"),
        ("reject", "r1/approval/1"),
    ]
    assert elements(card)[0].accessibility_label == "批准 80.00 USD，KL-778"
    assert elements(card)[2].options[0].url == "https://example.slack.com/archives/C0DESK/p3"


@pytest.mark.parametrize(("level", "again"), [("supervisor", False), ("manager", True), ("unknown", True), (None, True)])
def test_from_manager_up_approving_asks_again(level: str | None, again: bool) -> None:
    """Every level above the lowest gets a second question, and so does one that is not known."""
    view = v.t1_approval("zh", level=level)
    card = approval_card(view, view.requests[0], v.AROUND, "zh")
    assert bool(elements(card)[0].confirm) is again


def test_optional_deeds_appear_where_the_engine_can_carry_them_out() -> None:
    """Another amount and a question to the requester are offered only with the means for them."""
    view = v.t1_approval("zh")
    offering = Surroundings(offers=frozenset({"another_amount", "ask_requester"}))
    card = approval_card(view, view.requests[0], offering, "zh")
    assert labels(card) == ["批准 80.00 USD*", "改额批准…", "驳回…", "⋯ 问申请人… 已知信息"]


def test_a_request_without_amount_order_or_evidence_still_has_a_card() -> None:
    """What is not known is left out, not shown empty."""
    view = v.t1_approval("en", amount=None, quotes=[], rules_total=0, routes=[], due=None)
    bare = view.model_copy(
        update={
            "headline": view.headline.model_copy(update={"amount": None}),
            "order": "",
            "customer": "",
            "reason": "",
            "product": "",
            "order_amount": "",
        }
    )
    card = approval_card(bare, bare.requests[0], Surroundings(), "en")
    require_sendable(card)
    assert lines(card) == ["By Li · C-7K3F"]
    assert labels(card)[0] == "Approve*"


def test_evidence_without_a_time_or_a_quote() -> None:
    """A quote without a time is shown without one; a fact without a quote is no evidence."""
    quotes = v.quotes()
    said = [
        quotes[0].model_copy(update={"at": "", "by": "U0NEW"}),
        quotes[1].model_copy(update={"quote": "", "by": "tool:get_order"}),
    ]
    view = v.t1_approval("en", quotes=said)
    assert "“80 美元” <@U0NEW> · Rules 3/3" in lines(approval_card(view, view.requests[0], v.AROUND, "en"))


def test_nobody_may_decide() -> None:
    """Where nobody on the list may decide, the leads are called."""
    view = v.t1_approval("en", error="nobody")
    said = lines(approval_card(view, view.requests[0], Surroundings(), "en"))
    assert "Nobody on the list may decide this; asking a lead" in said


def _ended(ending: str, lang: Lang = "zh", **changes: object) -> RunView:
    closed = v.ended("approved", reason=str(changes.pop("reason", ""))).model_copy(
        update={"ending": ending, "answer": changes.pop("answer", "")}
    )
    return v.t1_approval(lang, open=False, closed=closed, **changes)


def _followed(view: RunView, **changes: object) -> RunView:
    newer = v.approval_request(id="r1/approval/2", **changes)
    first = view.requests[0].model_copy(update={"replaced_by": newer.id})
    return view.model_copy(update={"requests": [first, newer]})


NEW_CARD = "<https://example.slack.com/archives/C0SUP/p2|"


@pytest.mark.parametrize(
    ("view", "lang", "head", "last"),
    [
        (_ended("approved"), "zh", "已批准 80.00 USD 现金补偿", "王 14:14"),
        (_ended("approved", reason="同意"), "zh", "已批准 80.00 USD 现金补偿", "王 14:14：“同意”"),
        (v.t1_done("zh"), "zh", "已批准 80.00 USD 现金补偿", "王 14:14 · 已提交"),
        (v.t1_done("en"), "en", "Approved: 80.00 USD cash compensation", "王 14:14 · submitted"),
        (_ended("approved", answer="60.00 USD"), "zh", "已批准 60.00 USD（申请 80.00 USD）", "王 14:14"),
        (_ended("approved", answer="80.00 USD"), "en", "Approved: 80.00 USD cash compensation", "王 14:14"),
        (_ended("rejected", reason="太多"), "zh", "已驳回 80.00 USD 现金补偿", "王 14:14：“太多”"),
        (_ended("rejected", reason="too much"), "en", "Rejected: 80.00 USD cash compensation", "王 14:14: “too much”"),
        (v.t1_cancelled("zh"), "zh", "已撤回 80.00 USD 现金补偿", "李 14:14 取消"),
        (v.t1_cancelled("en"), "en", "Withdrawn: 80.00 USD cash compensation", "李 cancelled 14:14"),
        (_ended("withdrawn"), "zh", "已撤回 80.00 USD 现金补偿", "王 14:14 更正"),
        (_ended("expired"), "zh", "已过期，未付款 80.00 USD 现金补偿", "20:00 前无人处理"),
        (_ended("expired", due=None), "en", "Expired, not paid: 80.00 USD cash compensation", "Nobody decided by 14:14"),
        (
            _followed(_ended("replaced"), amount="150.00 USD"),
            "zh",
            "已由新申请取代 80.00 USD 现金补偿",
            f"现为 150.00 USD，看新卡 · {NEW_CARD}新卡>",
        ),
        (
            _followed(_ended("withdrawn"), amount="80.00 USD"),
            "en",
            "Replaced: 80.00 USD cash compensation",
            f"Corrected; see the new card · {NEW_CARD}new card>",
        ),
        (_ended("replaced"), "en", "Replaced: 80.00 USD cash compensation", "Corrected; this request is no longer needed"),
        (
            _followed(_ended("passed"), level="manager"),
            "zh",
            "已上报经理 80.00 USD 现金补偿",
            f"{NEW_CARD}看新卡>",
        ),
    ],
)
def test_a_decided_request_keeps_its_facts_and_loses_its_buttons(view: RunView, lang: Lang, head: str, last: str) -> None:
    """Headline and last line say how it ended, by whom and when; the facts stay, the buttons go, nobody is pinged."""
    card = approval_card(view, view.requests[0], v.AROUND, lang)
    require_sendable(card)
    assert header_of(card) == head
    assert lines(card)[-1] == last
    assert lines(card)[0].startswith("王女士 · KL-778")
    assert labels(card) == []
    assert "<@U0WANG>" not in card.model_dump_json()
    assert card.text.startswith(head)


def test_a_request_that_is_over_without_a_record_has_no_buttons() -> None:
    """Neither open nor closed by anybody: withdrawn, without a name."""
    view = v.t1_approval("zh", open=False)
    card = approval_card(view, view.requests[0], Surroundings(), "zh")
    assert (header_of(card), labels(card)) == ("已撤回 80.00 USD 现金补偿", [])


def test_a_closer_without_a_name_is_somebody() -> None:
    """A record without a name does not leave a hole in the sentence."""
    closed = v.ended("rejected", ("U0X", ""), reason="no")
    view = v.t1_approval("en", open=False, closed=closed)
    assert lines(approval_card(view, view.requests[0], v.AROUND, "en"))[-1] == "somebody 14:14: “no”"


def test_a_level_is_shown_in_the_channels_language() -> None:
    """The card speaks the channel's language, whatever the case's is."""
    view = v.t1_approval("zh")
    around = Surroundings(levels={"supervisor": Place(label=Text(zh="主管", en="supervisor"))})
    assert header_of(approval_card(view, view.requests[0], around, "en")).startswith("Approve")


def test_a_card_keeps_what_it_was_about() -> None:
    """What is corrected later does not change the card that was decided on."""
    view = v.t1_approval("zh", open=False, closed=v.ended("replaced"))
    before = About(headline=view.headline, order="KL-315", customer="张先生", reason="导游迟到", order_amount="90.00 USD")
    asked = view.requests[0].model_copy(update={"about": before})
    card = approval_card(view, asked, v.AROUND, "zh")
    assert lines(card)[:2] == ["张先生 · KL-315（90.00 USD）", "原因：导游迟到"]
    assert card.text == "已由新申请取代 80.00 USD 现金补偿 · 张先生 KL-315 · C-7K3F"

"""The review card: the whole record, then options, none of them the primary one."""

from __future__ import annotations

import json
import re

import pytest

from blocks import Surroundings, decode, option_form, review_card
from graph.model import ClosedRequest, Lang, Option, Request, RequestView, RunView, Text, TrailEntry
from tests.unit.blocks.views import approval_request, t1_approval

GO_ON = Option(id="go_on", label=Text(zh="继续", en="Go on"))
CLOSE = Option(id="close", label=Text(zh="关闭", en="Close"), verdict="reject")
TRIED = TrailEntry(
    step="waiting_payment",
    what="choose",
    at="2026-09-04T02:00:00+00:00",
    tool="query_channel_refund_status",
    goto="need_review",
    values={
        "offered": ["query_channel_refund_status", "request_review"],
        "chosen": "query_channel_refund_status",
        "arguments": {"refund_no": "RF202609010001", "channel": "alipay"},
        "result": {"status": "processing", "submitted": False},
        "seconds": "0.12",
    },
)
REFUSED = TRIED.model_copy(update={"reason": "not_offered", "values": {"chosen": "mark_closed", "refused": True}})


def review(lang: Lang = "zh", **changes: object) -> tuple[RunView, RequestView]:
    """A case that waits for a review."""
    request = approval_request(
        level="review",
        options=[GO_ON, CLOSE],
        because=Text(zh="3 次查询无进展", en="3 checks, no progress"),
        tries=[TRIED, REFUSED],
        states={"waiting_payment": Text(zh="等渠道", en="Waiting for the channel")},
        **changes,
    )
    return t1_approval(lang), request


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_card_shows_the_whole_record(lang: Lang) -> None:
    """Why, which state, what was offered and chosen with which arguments, what came back, how long it took."""
    view, request = review(lang)
    shown = json.dumps(review_card(view, request, Surroundings(), lang).blocks, ensure_ascii=False)
    because = request.because
    assert because is not None and because.in_(lang) in shown
    zh = ("状态 处理中", "已提交渠道 否", "支付宝", "可选 查渠道状态、转人工；选了 查渠道状态")
    en = ("status processing", "handed to the channel no", "Alipay", "offered Channel status, review by a person; chosen")
    for words in (*(zh if lang == "zh" else en), *(each.quote for each in request.quotes)):
        assert words in shown
    for words in ("0.12", "mark_closed", "not_offered"):
        assert words in shown


def test_its_buttons_are_the_options_and_none_is_the_primary_one() -> None:
    """Each carries its id and what it counts as, and opens a form that asks for a remark."""
    view, request = review()
    shown = json.dumps(review_card(view, request, Surroundings(), "zh").blocks, ensure_ascii=False)
    assert "继续…" in shown and "关闭…" in shown and '"style"' not in shown
    presses = [decode(json.loads(f'"{each}"')) for each in re.findall(r'"value": "((?:[^"\\]|\\.)*)"', shown)]
    presses = [each for each in presses if each.do == "option"]
    assert [(each.do, each.field, each.value) for each in presses] == [
        ("option", "approve", "go_on"),
        ("option", "reject", "close"),
    ]
    form = option_form(view, request, presses[1], "zh")
    assert form is not None and decode(str(form["private_metadata"])).value == "close"
    assert option_form(view, request, presses[1].model_copy(update={"value": "gone"}), "zh") is None


def test_a_decided_card_says_what_was_decided_and_has_no_buttons() -> None:
    """By the option's name."""
    view, request = review()
    made = Request(id=request.id, kind="approve", step="need_review", made_at=request.made_at)
    who: dict[str, str] = {"by": "U0WANG", "name": "王", "at": request.made_at, "event": "e"}
    closed = ClosedRequest.model_validate(
        {"request": made, "ending": "approved", "answer": "继续", "reason": "看过了", **who}
    )
    done = request.model_copy(update={"closed": closed, "open": False})
    blocks = review_card(view, done, Surroundings(), "zh").blocks
    assert not [block for block in blocks if block["type"] == "actions"]
    assert "继续：" in json.dumps(blocks[0], ensure_ascii=False)

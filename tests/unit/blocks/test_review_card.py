"""The review card: the whole record, then options, none of them the primary one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from blocks import Card, Surroundings, approval_card, decode, option_form, review_card
from graph.model import ClosedRequest, Decision, Ending, Lang, Option, Request, RequestView, RunView, Text, TrailEntry
from tests.unit.blocks.reading import lines, require_sendable
from tests.unit.blocks.views import approval_request, ended, t1_approval

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


LATER = Option(id="later", label=Text(zh="稍后", en="Later"))


def voted(name: str, option: str, at: str) -> Decision:
    """An approval of an option at that time."""
    time = f"2026-11-30T{at}:00+00:00"
    return Decision(verdict="approve", by=f"U-{name}", name=name, at=time, event=f"e-{name}", of=f"U-{name}", option=option)


VOTES = [voted("Wang", "go_on", "14:14"), voted("Kim", "later", "14:16"), voted("Sun", "go_on", "14:20")]


@pytest.mark.parametrize("open_card", [review_card, approval_card])
@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("zh", "继续 2/3：Wang 14:14、Sun 14:20 · 稍后 1/3：Kim 14:16"),
        ("en", "Go on 2 of 3: Wang 14:14, Sun 14:20 · Later 1 of 3: Kim 14:16"),
    ],
)
def test_who_chose_what_stands_on_the_card(
    lang: Lang, line: str, open_card: Callable[[RunView, RequestView, Surroundings, Lang], Card]
) -> None:
    """In the order of the buttons, with how many each has; an option that nobody chose is not named."""
    view, request = review(lang, quorum=3, counted=VOTES)
    request = request.model_copy(update={"options": [GO_ON, LATER, CLOSE]})
    card = open_card(view, request, Surroundings(), lang)
    require_sendable(card)
    assert line in lines(card)


def test_a_decided_card_names_those_who_chose_what_was_done() -> None:
    """Not the one who had chosen otherwise."""
    last = {"by": "U-Sun", "name": "Sun", "event": "e-Sun", "answer": "Go on"}
    closed = ended("approved").model_copy(update=last)
    view, request = review("en", quorum=2, votes=VOTES, counted=VOTES, closed=closed, open=False)
    card = review_card(view, request, Surroundings(), "en")
    said = "\n".join(lines(card))
    assert "Wang, Sun 14:14" in said
    assert "Kim" not in said


@pytest.mark.parametrize("ending", ["expired", "passed"])
def test_a_card_that_ended_undecided_keeps_who_chose_what(ending: Ending) -> None:
    """So that the level above sees what was thought of it."""
    view, request = review("en", quorum=2, counted=VOTES[:2], closed=ended(ending), open=False)
    request = request.model_copy(update={"options": [GO_ON, LATER]})
    shown = lines(review_card(view, request, Surroundings(), "en"))
    assert "Go on 1 of 2: Wang 14:14 · Later 1 of 2: Kim 14:16" in shown

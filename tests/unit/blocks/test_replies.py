"""Private answers, notes, policy answers and help."""

import pytest

from blocks import Surroundings, counted, no_rights, received, reply_card
from graph.model import Lang, Reply, ReplyCode, RunView, Text, TrailEntry
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import labels, lines, require_sendable


def _refused(code: ReplyCode, values: dict[str, str] | None = None, text: Text | None = None) -> Reply:
    return Reply(kind="refused", to="U0LI", private=True, code=code, values=values or {}, text=text)


APPROVAL = v.t1_approval("zh")
LEAD = APPROVAL.model_copy(update={"headline": APPROVAL.headline.model_copy(update={"priced": False})})
LEVEL = {"level": "主管", "level_en": "supervisor"}


@pytest.mark.parametrize(
    ("reply", "view", "zh", "en"),
    [
        (
            _refused("not_listed", LEVEL),
            None,
            "没有计入：须由名单内主管或以上批",
            "Not counted: needs a listed supervisor or above",
        ),
        (
            _refused("not_listed"),
            APPROVAL,
            "没有计入：须由名单内主管或以上批",
            "Not counted: needs a listed supervisor or above",
        ),
        (_refused("not_listed"), None, "没有计入：须由名单内的审批人批", "Not counted: needs a listed approver"),
        (
            _refused("own_facts", LEVEL),
            APPROVAL,
            "没有计入：其中有你填的信息，须别人批",
            "Not counted: you supplied part of it; someone else decides",
        ),
        (
            _refused("changed", {"old": "300.00 USD", "new": "150.00 USD"}),
            APPROVAL,
            "没有计入：已由 300.00 USD 改为 150.00 USD，看新卡",
            "Not counted: now 150.00 USD, was 300.00 USD; see the new card",
        ),
        (
            _refused("changed", {"old": "300.00 USD"}),
            None,
            "没有计入：内容已改，看新卡",
            "Not counted: the facts have changed; see the new card",
        ),
        (
            _refused("decided", {"name": "王", "at": "2026-11-30T14:14:00Z", "ending": "approved"}),
            None,
            "没有计入：王 14:14 已批准",
            "Not counted: 王 approved at 14:14",
        ),
        (
            _refused("decided", {"name": "王", "at": "2026-11-30T14:14:00Z"}),
            None,
            "没有计入：王 14:14 已处理",
            "Not counted: 王 decided at 14:14",
        ),
        (_refused("decided"), None, "没有计入：已有人处理", "Not counted: somebody has decided already"),
        (
            _refused("stale"),
            None,
            "没有计入：这一张已经不等回答，看最新的卡",
            "Not counted: this card waits for nothing any more; see the newest one",
        ),
        (_refused("no_reason"), None, "没有计入：驳回要写理由", "Not counted: a rejection needs a reason"),
        (
            _refused("stale", text=Text(zh="<现成>", en="<ready>")),
            None,
            "没有计入：&lt;现成&gt;",
            "Not counted: &lt;ready&gt;",
        ),
        (_refused("not_yours"), APPROVAL, "只有李或组长可以操作", "Only 李 or a lead can do this"),
        (
            _refused("not_yours"),
            None,
            "只有工单的坐席或组长可以操作",
            "Only the agent of the case or a lead can do this",
        ),
        (_refused("already_paid"), APPROVAL, "已付，改不了，找组长", "Paid already; ask a lead"),
        (_refused("already_paid"), LEAD, "已办好，改不了，找组长", "Done already and not to be changed here; ask a lead"),
        (
            _refused("field", {"problem": "“80 欧元”不是 USD"}),
            APPROVAL,
            "没有更正：“80 欧元”不是 USD",
            "Not corrected: “80 欧元”不是 USD",
        ),
        (
            Reply(kind="note", to="U0LI", code="queued", values={"case": "C-1AAA"}),
            None,
            "排队：在 C-1AAA 之后，办完就开始",
            "Queued behind C-1AAA; starts when that is done",
        ),
        (
            Reply(kind="note", to="U0LI", text=Text(zh="先办 *这个*", en="this first")),
            None,
            "先办 ＊这个＊",
            "this first",
        ),
        (Reply(kind="note", to="U0LI"), None, "没有办", "Not done"),
        (
            Reply(kind="no_policy", to="U0LI"),
            None,
            "手册里没有，问组长",
            "Not in the handbook; ask a lead",
        ),
        (
            Reply(kind="facts", to="U0LI"),
            None,
            "这里没有工单。@我，写清订单和要办的事",
            "There is no case here. Mention me with the order and what is needed",
        ),
    ],
)
def test_every_answer_is_one_plain_sentence(reply: Reply, view: RunView | None, zh: str, en: str) -> None:
    """Refused decisions open with what did not count; each answer is a sentence in the reader's language."""
    for lang, said in (("zh", zh), ("en", en)):
        card = reply_card(reply, view, v.AROUND, "zh" if lang == "zh" else "en")
        require_sendable(card)
        assert lines(card)[0] == said
        assert labels(card) == []


CODES: list[ReplyCode] = [
    "not_listed",
    "own_facts",
    "changed",
    "decided",
    "stale",
    "not_yours",
    "no_case",
    "already_paid",
    "nothing_to_retry",
    "no_reason",
    "said_before",
    "said_earlier",
    "field",
    "cancelled_done",
    "queued",
    "not_understood",
    "still_waiting",
    "still_held",
    "in_doubt",
]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_code_has_its_own_words_without_any_values(code: ReplyCode, lang: Lang) -> None:
    """A reply that brings no values still says more than that it was not done."""
    said = lines(reply_card(_refused(code), None, Surroundings(), lang))[0]
    assert said not in ("没有办", "Not done")
    assert "{" not in said


POLICY = Reply(
    kind="policy",
    to="U0LI",
    text=Text(zh="不可以，先补偿、再退款走不通。", en="No."),
    quote="订单补偿过之后，退款那边会拦下来",
    source=Text(zh="补偿与退款", en="Compensation and refunds"),
)


def test_a_policy_answer_is_quoted_and_named() -> None:
    """The answer, the passage, the source; in the middle of a case what it still waits for."""
    card = reply_card(POLICY, v.t4_collect("zh"), v.AROUND, "zh")
    require_sendable(card)
    assert lines(card) == [
        "不可以，先补偿、再退款走不通。",
        "“订单补偿过之后，退款那边会拦下来”",
        "坐席手册 › 补偿与退款",
        "工单仍等：金额（USD）、方式",
    ]
    assert card.text == "不可以，先补偿、再退款走不通。"
    waiting = reply_card(POLICY, APPROVAL, v.AROUND, "en")
    assert lines(waiting)[-2:] == ["Handbook › Compensation and refunds", "Case still waits for: Approval by a supervisor"]


def test_a_passage_that_is_the_answer_is_not_said_twice() -> None:
    """Where the answer holds the quoted words the quote is left out; without an answer the quote is the answer."""
    whole = POLICY.model_copy(update={"text": Text(zh=f"不可以：{POLICY.quote}。", en="No.")})
    assert len(lines(reply_card(whole, None, v.AROUND, "zh"))) == 2
    bare = POLICY.model_copy(update={"text": None, "source": None})
    assert lines(reply_card(bare, None, v.AROUND, "zh")) == [POLICY.quote, "坐席手册"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_help_says_what_can_be_said(lang: Lang) -> None:
    """Four lines of help, and the procedures where the engine names them."""
    plain = reply_card(Reply(kind="help", to="U0LI"), None, Surroundings(), lang)
    require_sendable(plain)
    assert len(lines(plain)) == 4
    lost = Reply(kind="help", to="U0LI", code="not_understood", text=Text(zh="补偿", en="compensation"))
    said = lines(reply_card(lost, None, Surroundings(), lang))
    assert said[0].startswith(("没看懂", "Not understood"))
    assert said[-1] == {"zh": "*流程*：补偿", "en": "*Procedures*: compensation"}[lang]


def test_facts_and_trail_are_shown_of_the_case() -> None:
    """A reply that asks for facts or the trail brings that card."""
    assert lines(reply_card(Reply(kind="facts", to="U0LI"), APPROVAL, v.AROUND, "zh"))[0] == "*已知信息 · C-7K3F*"
    assert lines(reply_card(Reply(kind="trail", to="U0LI"), v.t1_done("en"), v.AROUND, "en"))[0] == "*Trail · C-7K3F*"


@pytest.mark.parametrize(
    ("lang", "where", "until"),
    [
        ("zh", "等 <#C0SUP>，自 14:02", "2026-11-30 16:00 自动继续"),
        ("en", "waiting for <#C0SUP> since 14:02", "Goes on by itself at 2026-11-30 16:00"),
    ],
)
def test_how_far_it_is(lang: Lang, where: str, until: str) -> None:
    """What it waits for and since when, what was done last, and when it goes on by itself."""
    reply = Reply(kind="note", code="standing", to="U0LI", values={"until": "2026-11-30T16:00:00Z"})
    view = v.t1_approval(lang)
    at, order = "2026-11-30T14:00:00Z", {"number": "KL-778"}
    tried = TrailEntry(step="load_order", what="call", at=at, tool="get_order", values=dict(order))
    card = reply_card(reply, view.model_copy(update={"trail": [*view.trail, tried]}), v.AROUND, lang)
    require_sendable(card)
    first, last, clock, case = lines(card)
    assert first.startswith(where) and last.startswith("14:00") and "KL-778" in last
    assert (clock, case) == (until, "C-7K3F")


def test_the_signs_of_life() -> None:
    """Received, cannot check, counted: the sentences that need no reply of the engine."""
    assert received("zh").text == "收到，处理中"
    assert received("en").text == "Received, working"
    assert no_rights("zh").text == "没有计入：暂时查不到权限，稍后再点"
    assert counted(1, 2, "en").text == "Counted, 1 of 2; no money moved yet"

"""The audit log as a card: lines in words, in both languages, and a page at a time."""

from __future__ import annotations

import pytest

from blocks import audit_card
from graph.model import Broken, Lang, Logged, LogLine
from tests.unit.blocks import views as v
from tests.unit.blocks.reading import labels, lines, presses, require_sendable

AT = "2026-11-30T14:00:00+00:00"


def logged(*lines_: LogLine, case: str = "C-7K3F") -> list[Logged]:
    """These lines in their places."""
    places = enumerate(lines_, 1)
    return [Logged(case=case, number=number, previous="p" * 64, hash="h" * 64, line=each) for number, each in places]


def line(**given: object) -> LogLine:
    """A line, by Wang."""
    base = {"id": "e/0", "log": "decision", "what": "approve", "at": AT, "request_id": "e", "trace_id": "r", "by": "U0WANG"}
    return LogLine.model_validate(base | {"name": "王", "version": "3f2a9911"} | given)


APPROVED = line(level="supervisor", amount="80.00 USD", digest="abcdef0123456789", card="C-7K3F/approval/1")
REFUSED = line(what="refused", refused="own_facts", verdict="approve", by="U0LI", name="李")
WRITE = {"log": "execution", "what": "call", "tool": "apply_compensation", "effect": "0123456789ab"}
PAID = line(**WRITE, outcome="done", attempts=2, milliseconds=1250)
UNKNOWN = PAID.model_copy(update={"outcome": "unknown", "code": "slow", "tool": "pay_elsewhere"})
MOVED = line(log="state", what="moved", before="waiting approval", after="done", rule="approve", by="")
OFFER = {"offered": ["query_order", "request_review"], "chosen": "query_order", "goto": "verifying"}
VOTE = {"option": "pay", "remark": "看过了"}
PICKED = line(what="choose", step="init", values=OFFER, by="", name="")


@pytest.mark.parametrize(
    ("entry", "lang", "said"),
    [
        (APPROVED, "zh", "王批准 · 主管 · 80.00 USD · 事实 abcdef01 · 版本 3f2a · C-7K3F/approval/1"),
        (APPROVED, "en", "Approved by 王 · supervisor · 80.00 USD · facts abcdef01 · version 3f2a · C-7K3F/approval/1"),
        (line(what="reject", reason="太 <多>"), "zh", "王驳回 · “太 &lt;多&gt;” · 版本 3f2a"),
        (REFUSED, "zh", "没有计入 李 的批准：其中有你填的信息，须别人批 · 版本 3f2a"),
        (line(what="vote", reason="1/2", values=VOTE, version=""), "zh", "王同意 · pay · “看过了” · “1/2”"),
        (line(what="approve", reason="ok", values={"option": "pay"}, version=""), "en", "Approved by 王 · pay · “ok”"),
        (line(what="refused", refused="odd", verdict="cancel"), "en", "Not counted: action by 王, odd · version 3f2a"),
        (line(what="answer", acting_for="李", version=""), "en", "王 for 李 answered"),
        (line(what="new_kind", step="s", version=""), "zh", "王 new_kind s"),
        (PAID, "zh", "提交：完成 · 第 2 次，1.250 秒 · 01234567"),
        (UNKNOWN, "en", "pay_elsewhere: result unknown · slow · try 2, 1.250 s · 01234567"),
        (MOVED, "zh", "等待 approval → 完成 · approve"),
        (PICKED, "en", "init · query_order [query_order, request_review] · → verifying · version 3f2a"),
        (line(log="state", what="skip", step="bank_info", by="", name=""), "en", "Skipped bank_info"),
    ],
)
def test_each_kind_of_line_is_said(entry: LogLine, lang: Lang, said: str) -> None:
    """Who, what, at which level, on which facts, why; what did not count; what was called; from where to where."""
    card = audit_card(logged(entry), lang, v.AROUND, order="KL-778")
    require_sendable(card)
    assert lines(card)[2].partition(" ")[2].partition(" ")[2].removeprefix("14:00 ") == said


def test_of_a_case_the_decisions_and_the_writes_are_shown() -> None:
    """And of an order all three logs, each line with its case."""
    log = logged(APPROVED, MOVED, PAID, line(log="execution", what="call", tool="get_order", outcome="done"))
    assert len(lines(audit_card(log, "zh", v.AROUND, case="C-7K3F"))) == 4
    whole = lines(audit_card(log, "zh", v.AROUND, order="KL-778"))
    assert whole[0] == "*审计记录 · 订单 KL-778*"
    assert len(whole) == 6
    assert all(each.startswith("C-7K3F ") for each in whole[2:])


def test_the_chain_is_told_of() -> None:
    """That it holds, or the line where it does not."""
    said = lines(audit_card(logged(APPROVED, PAID), "en", v.AROUND, case="C-7K3F"))[1]
    assert said == "2 lines; the chain of hashes is unbroken"
    broken = Broken(case="C-7K3F", line=3, why="changed")
    said = lines(audit_card(logged(APPROVED), "zh", v.AROUND, case="C-7K3F", broken=broken))[1]
    assert said == "C-7K3F 的哈希链在第 3 条断开：记录被改过，请找管理员"


def test_it_has_pages_of_forty_from_the_newest() -> None:
    """Earlier leads on, and remembers what it is about."""
    log = logged(*[APPROVED] * 90)
    newest, oldest = (audit_card(log, "zh", v.AROUND, order="KL-778", page=page) for page in (0, 9))
    assert lines(newest)[-1] == "51–90，共 90 条"
    [press] = presses(newest)
    assert (press.do, press.field, press.value) == ("audit", "KL-778", "1")
    assert (labels(oldest), lines(oldest)[-1]) == ([], "1–10，共 90 条")
    require_sendable(newest)

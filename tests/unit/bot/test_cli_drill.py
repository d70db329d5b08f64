"""`sopdesk drill`: a drill in a terminal, and as lines of JSON."""

from __future__ import annotations

import io
import json
import sys

import pytest

from bot.__main__ import main

KEYS = ["reply", "act", "touched", "expected", "hit", "points", "violations", "reason", "state"]
STATE = ["stage", "slots", "visible_facts", "expected", "pending_result", "turn", "end_reason"]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "REDIS_URL", "SLACK_BOT_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def drill(monkeypatch: pytest.MonkeyPatch, lines: list[str], *arguments: str) -> int:
    """Run the command with these lines on standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["drill", *arguments])


def test_each_line_is_one_object(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """First the opening, then one object a message, with the keys that were agreed; after the end it says so."""
    said = ["请问是自营还是第三方？", "订单完成了吗？", "请您联系卖家处理", "在吗"]
    assert drill(monkeypatch, said, "invoice_change", "--seed", "1", "--json") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(list(each) == KEYS and list(each["state"]) == STATE for each in found)
    assert found[0]["reply"] == "我的发票信息填错了，怎么修改？"
    assert found[0]["state"]["stage"] == "S0"
    assert [each["hit"] for each in found] == [None, True, False, True, None]
    assert [each["points"] for each in found] == [0, 0, 10, 0, 0]
    assert (found[2]["violations"], found[2]["expected"]) == (["Q2"], ["A2"])
    assert found[3]["state"]["end_reason"] == "solution_accepted"
    assert found[4]["reason"] == "练习已经结束"


def test_a_drill_in_words_ends_with_the_score(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the customer talks, hints cost points, and the score card closes it."""
    said = ["/hint", "Is it ours or a third party's?", "/end"]
    assert drill(monkeypatch, said, "invoice_change", "--lang", "en", "--persona", "easy") == 0
    out = capsys.readouterr().out
    assert "Q1 (order type) is due" in out
    assert "65/100 · Invoice change" in out
    assert "you ended it early" in out


def test_an_unknown_scenario_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The refusal names the scenarios there are."""
    assert drill(monkeypatch, [], "nothing") == 1
    assert "there are: compensation, invoice_change, refund_not_arrived" in capsys.readouterr().err

"""`sopdesk test`: the dialogues of procedures are played, and what of the procedures none goes through is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import Settings
from bot.wiring.rehearsing import rehearse
from bot.wiring.vocabulary import SHIPPED

HERE = Path(__file__).parent
WRONG = """
the_level_is_another:
  - say: 给 KL-502 补 300 积分，客人包车迟到两小时
    waits: {kind: approve, level: manager}
  - decide: approve
    outcome: done
the_money_is_another:
  - say: KL-778 补 30 积分，导游迟到
    facts: {amount: '31'}
    calls: [get_order]
    payout: {credit: '31'}
    outcome: done
"""
OPTIONS = """    options:
      - {id: pay, label: {zh: 付, en: Pay}, on: [{goto: submit}]}
      - {id: later, label: {zh: 稍后, en: Later}, on: [{goto: collect}]}
  - id: submit
"""
SPLIT = """
split:
  - {say: 给 KL-502 补 80 积分，客人包车迟到两小时, waits: {kind: approve, level: supervisor}}
  - {decide: approve, option: pay, reason: 看过了, waits: {kind: approve}}
  - {decide: approve, option: later, reason: 看过了, waits: {kind: approve}}
  - {decide: approve, option: pay, reason: 看过了, waits: {kind: approve}}
  - {decide: approve, option: later, reason: 看过了, waits: {kind: approve}}
  - {decide: approve, option: pay, reason: 想过了, outcome: done, payout: {credit: '80'}}
"""


async def test_the_shipped_procedures_are_covered_whole() -> None:
    """Steps, branches, tiers and rejections of every shipped procedure are gone through by its dialogues, none of which
    fails."""
    report = await rehearse(Settings(_env_file=None), HERE)
    assert report.failures == []
    missing = {
        (name, kind): share.missing
        for name, shares in report.coverage.items()
        for kind, share in shares.items()
        if share.percent < 100
    }
    assert missing == {}


async def test_where_all_have_chosen_differently_one_changes(tmp_path: Path) -> None:
    """A dialogue goes on with somebody who had chosen otherwise, once nobody is left who has not."""
    sops = tmp_path / "sops"
    shutil.copytree(SHIPPED, sops)
    for file, old, new in (
        ("approvals.yaml", "U0KIM]\n    hours", "U0KIM]\n    quorum: 3\n    hours"),
        ("compensation.yaml", "\n  - id: submit\n", OPTIONS),
    ):
        text = (sops / file).read_text(encoding="utf-8")
        assert old in text
        (sops / file).write_text(text.replace(old, new), encoding="utf-8")
    (sops / "dialogues").mkdir()
    (sops / "dialogues" / "split.yaml").write_text(SPLIT, encoding="utf-8")
    report = await rehearse(Settings(_env_file=None), sops)
    assert report.failures == []


def test_what_is_wrong_and_what_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The turn that is not as the file says is named with what was found; so is what no dialogue goes through; the status
    is 1, and a second run prints the same."""
    (tmp_path / "wrong.yaml").write_text(WRONG, encoding="utf-8")
    printed = []
    for _ in range(2):
        assert main(["test", str(tmp_path)]) == 1
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    lines = printed[0].splitlines()
    assert lines[:6] == [
        "wrong.yaml:2: the_level_is_another failed",
        "  turn 1: its level is 'supervisor', not 'manager'",
        "wrong.yaml:7: the_money_is_another failed",
        "  turn 1: calls are get_order, apply_compensation, add_booking_note, not get_order",
        "  turn 1: amount is '30', not '31'",
        "  turn 1: paid out is [{'credit': '30'}], not {'credit': '31'}",
    ]
    assert "  no dialogue: tiers: approval: manager ≤2000" in lines
    assert "  no dialogue: branches: bank_info: when true" in lines
    assert lines[-1] == "2 dialogues, 2 failed"


def test_less_than_was_asked_for_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--min` makes the status 1 though no dialogue fails; `--json` holds the same figures."""
    one = "one:\n- {say: 'KL-778 补 30 积分，导游迟到', payout: {credit: '30'}}\n"
    (tmp_path / "one.yaml").write_text(one, encoding="utf-8")
    assert main(["test", str(tmp_path), "--min", "80", "--json"]) == 1
    tiers = json.loads(capsys.readouterr().out)["coverage"]["compensation"]["tiers"]
    assert (tiers["covered"], tiers["of"]) == (1, 4)
    assert main(["test", str(tmp_path), "--min", "0"]) == 0


def test_a_file_that_is_no_dialogue_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown key and a turn that does nothing are named with file and line."""
    (tmp_path / "bad.yaml").write_text("one:\n- {says: hello}\ntwo:\n- {outcome: done}\n", encoding="utf-8")
    assert main(["test", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert f"{tmp_path}/bad.yaml:2: one[0].says" in told
    assert f"{tmp_path}/bad.yaml:4: two[0]: a turn has one of say, decide and tick" in told

"""`sopdesk record`: a dialogue from a real case, with nothing in it that must not leave the desk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.__main__ import main

SECRET = ("6222 0000 1234", "王女士", "陈女士")


def case_of(thread: str, state: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The thread's case."""
    capsys.readouterr()
    assert main(["facts", thread, "--json", "--state", str(state)]) == 0
    case: str = json.loads(capsys.readouterr().out)["case"]
    return case


def test_a_recorded_case_plays_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cases that have ended and that are open become dialogues that `sopdesk test` passes; account numbers and names of
    customers do not stand in them."""
    monkeypatch.chdir(tmp_path)
    state = ["--state", str(tmp_path / "var")]
    for thread, said in (
        ("paid", ["给 KL-778 补 80 美元现金，商户漏发接送", "中国银行 6222 0000 1234，户名王女士", "+"]),
        ("open", ["给 KL-502 补偿一下，客人包车迟到两小时", "300 美元，退回卡里", "-陈女士只能补 150", "那就 150"]),
        ("unpaid", ["KL-901 客人投诉，补 20 积分"]),
    ):
        for words in said:
            if words == "+":
                assert main(["decide", thread, "approve", *state]) == 0
            elif words.startswith("-"):
                assert main(["decide", thread, "reject", "--reason", words[1:], *state]) == 0
            else:
                assert main(["say", thread, words, *state]) == 0
        file = tmp_path / "dialogues" / f"{thread}.yaml"
        file.parent.mkdir(exist_ok=True)
        assert main(["record", case_of(thread, tmp_path / "var", capsys), "--out", str(file), *state]) == 0
        written = file.read_text(encoding="utf-8")
        assert not [each for each in SECRET if each in written]
    capsys.readouterr()
    assert main(["test", "dialogues"]) == 0
    assert capsys.readouterr().out.endswith("3 dialogues, 0 failed\n")


def test_what_cannot_be_recorded_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A case that there is not ends in one line."""
    monkeypatch.chdir(tmp_path)
    assert main(["record", "C-0000"]) == 1
    assert "there is no case 'C-0000'" in capsys.readouterr().err

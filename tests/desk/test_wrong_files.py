"""Wrong files: every mistake is named at once, and nothing starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import Settings
from bot.wiring.service import open_service
from graph.errors import SopMistakes
from tests.desk.procedures import shipped

BROKEN = """\
name: broken
title: 坏流程
description: 有三处错
fields: [order_id, amuont]
steps:
  - {id: load, kind: call, tool: get_odrer, args: {order_id: order_id}, save_as: order}
  - {id: check, kind: check, rules: [order_payed]}
  - {id: decide, kind: approve, tiers: [{max: 50, level: auto}, {level: superviser}], on_reject: {goto: nowhere}}
"""
NAMED = ("amuont", "get_odrer", "order_payed", "superviser", "nowhere")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """The shipped files with a wrong procedure and wrong fields beside them."""
    (shipped(tmp_path) / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    return tmp_path


def test_check_names_every_mistake(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`sopdesk check` ends with 1 and names each mistake of the file with its line."""
    assert main(["check", str(directory)]) == 1
    said = "".join(capsys.readouterr())
    for wrong in NAMED:
        assert wrong in said, wrong
    for line in (4, 6, 7, 8):
        assert f"broken.yaml:{line}" in said, line


def test_check_is_content_with_right_files(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the wrong file it ends with 0."""
    (directory / "broken.yaml").unlink()
    assert main(["check", str(directory)]) == 0
    capsys.readouterr()


def test_the_demo_does_not_start(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sopdesk demo` names them all and ends before it starts anything."""
    monkeypatch.setenv("SOPDESK_SOPS", str(directory))
    state = tmp_path / "state"
    assert main(["demo", "--port", "0", "--state", str(state)]) == 1
    said = "".join(capsys.readouterr())
    for wrong in NAMED:
        assert wrong in said, wrong
    assert not (state / "redis").exists()


async def test_the_service_does_not_open(directory: Path) -> None:
    """The service opens no connection: the address of this Redis would not answer."""
    settings = Settings(
        _env_file=None,
        sopdesk_sops=directory,
        redis_url="redis://127.0.0.1:1/0",
        backoffice_url="http://127.0.0.1:1",
        slack_bot_token="xoxb-none",
        slack_app_token="xapp-none",
    )
    with pytest.raises(SopMistakes) as raised:
        async with open_service(settings):
            raise AssertionError("it opened")
    assert all(any(wrong in mistake for mistake in raised.value.mistakes) for wrong in NAMED)

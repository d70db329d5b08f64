"""The page for authors: its files are written and its commands are carried out, in the order in which they stand."""

from __future__ import annotations

import re
import secrets
import shlex
from pathlib import Path

import pytest

from bot.__main__ import main
from deploy.local.redis_server import RedisServer
from tests.unit.project import text

PART = re.compile(r"`(lending/[\w./]+)`:\n\n```\w+\n(.*?)^```|^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def test_the_page_is_true(
    tmp_path: Path,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each command ends well and prints what the page says it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("SOPDESK_NAMESPACE", f"test-{secrets.token_hex(6)}")
    done = 0
    for name, content, console in PART.findall(text("docs/authors.md")):
        if name:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
            continue
        for command, _, printed in (part.partition("\n") for part in console.split("$ ") if part):
            with monkeypatch.context() as patch:
                status = main(_words(command, patch))
            told = capsys.readouterr()
            assert (status, told.err) == (0, ""), command
            assert re.fullmatch(_pattern(printed), told.out, re.DOTALL), f"{command}\n{told.out}"
            done += 1
    assert done >= 8


def test_both_languages_show_the_same() -> None:
    """The Chinese page has the same files and commands, in the same order."""
    english, chinese = (BLOCK.findall(text(page)) for page in ("docs/authors.md", "docs/authors.zh.md"))
    assert english == chinese


def _words(command: str, patch: pytest.MonkeyPatch) -> list[str]:
    words = shlex.split(command)
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        patch.setenv(name, value)
    assert words.pop(0) == "sopdesk"
    return words


def _pattern(printed: str) -> str:
    return re.escape(printed).replace("…", ".*")

"""`sopdesk propose`, `release`, `rollback`, `versions` and `diff`: two people stand for what is in force."""

from __future__ import annotations

import json
import secrets
import shutil
from pathlib import Path

import pytest

from bot.__main__ import main
from deploy.local.redis_server import RedisServer
from tests.unit.graph.builders import SHIPPED

OLD, NEW = "{max: 500, level: supervisor", "{max: 300, level: supervisor"


@pytest.fixture
def file(redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The compensation procedure in a directory of its own, and a Redis without any release."""
    directory = tmp_path / "sops"
    shutil.copytree(SHIPPED, directory, ignore=shutil.ignore_patterns("exam"))
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("SOPDESK_SOPS", str(directory))
    monkeypatch.setenv("SOPDESK_NAMESPACE", f"test-{secrets.token_hex(6)}")
    return directory / "compensation.yaml"


def edit(file: Path, old: str, new: str) -> None:
    """Change the file."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def propose_and_release(note: str) -> None:
    """What an author and a releaser do."""
    assert main(["propose", "compensation", "--note", note, "--as", "U0LI"]) == 0
    assert main(["release", "compensation", "--as", "U0SUN"]) == 0


def test_two_people_and_back_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What one proposed another releases; the version before can be put back; each has its author, releaser and note."""
    propose_and_release("as it was")
    edit(file, OLD, NEW)
    propose_and_release("less for supervisors")
    capsys.readouterr()
    assert main(["rollback", "compensation", "--note", "too many wait", "--as", "U0ZHOU"]) == 0
    assert main(["diff", "compensation", "--lang", "en"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "approval: supervisor from 500 → 300"
    assert main(["versions", "compensation", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(each["kind"], each["author"], each["by"], each["note"]) for each in listed] == [
        ("release", "U0LI", "U0SUN", "as it was"),
        ("release", "U0LI", "U0SUN", "less for supervisors"),
        ("rollback", "U0LI", "U0ZHOU", "too many wait"),
    ]
    assert listed[2]["digest"] == listed[0]["digest"] != listed[1]["digest"]
    assert main(["audit", "verify", "releases"]) == 0
    assert "releases: 3 lines, unbroken" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["propose", "compensation", "--as", "U0SUN"], "U0SUN is not among the authors"),
        (["release", "--as", "U0LI"], "U0LI is not among the releasers"),
        (["release", "compensation", "--as", "U0ZHOU"], "U0ZHOU proposed this version; another person"),
        (["release", "refund", "--as", "U0SUN"], "nothing of refund is proposed"),
        (["rollback", "compensation", "--as", "U0SUN"], "nothing was released of 'compensation'"),
        (["diff", "compensation", "abc"], "there is no version 'abc'"),
    ],
)
def test_who_may_not_is_refused(
    arguments: list[str], complaint: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody proposes or releases who is not listed for it, and nobody releases what they proposed themselves."""
    assert main(["propose", "compensation", "--as", "U0ZHOU"]) == 0
    assert main(arguments) == 1
    assert complaint in capsys.readouterr().err
    assert main(["versions", "compensation"]) == 0
    assert "nothing was released" in capsys.readouterr().out


def test_a_broken_file_never_replaces_a_good_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What lint finds anything in is not proposed, with file, line and key; what is in force stays."""
    propose_and_release("as it was")
    edit(file, "on_reject: {goto: collect,", "on_reject: {goto: colect,")
    capsys.readouterr()
    assert main(["propose", "compensation", "--as", "U0LI"]) == 1
    assert "colect" in capsys.readouterr().err
    assert main(["versions", "compensation", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1

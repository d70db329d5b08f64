"""What the documents say is true: links, commands, settings and the procedure they show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from bot.__main__ import _parser
from bot.settings import Settings
from tests.unit.project import ROOT, text, tracked

COMMAND: Final = re.compile(
    r"(?:^|[;&|(]\s*|[A-Z_]+=\S+\s+)"  # first in its line, after another command, or after a variable
    r"((?:make|sopdesk|\S*bin/sopdesk)(?=\s|$)[^;&|#]*)"
)


def test_links_between_documents_lead_somewhere() -> None:
    """A link in a document to a file or a heading of this project has its target."""
    broken = [f"{name}: {target}" for name in _documents() for target in _links(name) if not _reaches(name, target)]
    assert broken == []


def test_commands_in_the_documents_are_real(capsys: pytest.CaptureFixture[str]) -> None:
    """Every `make` and `sopdesk` line in a code block of the documents names a target or a command with its options."""
    found = [
        (name, *_split(command)) for name in _documents() for line in _shell(name) for command in COMMAND.findall(line)
    ]
    wrong = [each for each in found if not (_is_target(each[2:]) if each[1] == "make" else _is_command(each[2:]))]
    capsys.readouterr()
    assert found
    assert wrong == []


def test_the_procedure_in_the_documents_is_the_one_that_is_shipped() -> None:
    """Where a document shows a whole procedure, it is word for word the file in `sops/`, but for the editor's line."""
    shipped = text("sops/compensation.yaml").partition("\n")[2].strip()
    shown = [block for name in _documents() for block in _blocks(name, "yaml") if block.startswith("name: compensation")]
    assert shown
    assert all(block.strip() == shipped for block in shown)


def test_every_setting_is_documented() -> None:
    """Every variable that the program reads stands in docs/settings.md, and no other."""
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", text("docs/settings.md"), flags=re.MULTILINE))
    assert listed == {name.upper() for name in Settings.model_fields}


def test_the_example_of_an_environment_names_real_variables() -> None:
    """Every line of .env.example sets a variable that the program reads."""
    set_there = re.findall(r"^([A-Z_]+)=", text(".env.example"), flags=re.MULTILINE)
    assert set_there
    assert set(set_there) <= {name.upper() for name in Settings.model_fields}


def _documents() -> Iterator[str]:
    return (name for name in tracked() if name.endswith(".md") and not name.startswith(("sops/", "tests/")))


def _blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text(name), flags=re.MULTILINE | re.DOTALL)


def _shell(name: str) -> Iterator[str]:
    """The lines to type: all of a `sh` block, and those after `$ ` in a `console` block."""
    for block in _blocks(name, "sh"):
        yield from block.replace("\\\n", " ").splitlines()
    for block in _blocks(name, "console"):
        yield from re.findall(r"^\$ (.+)$", block.replace("\\\n", " "), flags=re.MULTILINE)


def _links(name: str) -> list[str]:
    prose = re.sub(r"^```.*?^```", "", text(name), flags=re.MULTILINE | re.DOTALL)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in target]


def _reaches(name: str, target: str) -> bool:
    path, _, heading = target.partition("#")
    file = (ROOT / name).parent / path if path else ROOT / name
    if not file.exists():
        return False
    if not heading:
        return True
    titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return heading in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def _split(command: str) -> list[str]:
    return re.findall(r"\"[^\"]*\"|'[^']*'|\S+", command)


def _is_target(words: Sequence[str]) -> bool:
    targets = set(re.findall(r"^([a-z][a-z-]*):", text("Makefile"), flags=re.MULTILINE))
    return all("=" in word or word in targets for word in words)


def _is_command(words: Sequence[str]) -> bool:
    """Whether the command line takes these words; nothing is carried out."""
    try:
        _parser().parse_args([word.strip("\"'") for word in words])
    except SystemExit as end:
        return end.code == 0
    return True

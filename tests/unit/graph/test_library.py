"""A procedures directory: everything in it is loaded together, or nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.errors import SopMistakes
from graph.library import open_library
from tests.unit.graph.builders import RULES, SHIPPED, TOOLS, shipped, write_library


def mistakes(directory: Path) -> list[str]:
    """What is wrong with a directory, without the directory's name."""
    with pytest.raises(SopMistakes) as error:
        open_library(directory, TOOLS, RULES)
    return [mistake.removeprefix(f"{directory}/") for mistake in error.value.mistakes]


def fields(directory: Path, text: str) -> Path:
    """A directory with this file of fields and no procedure."""
    write_library(directory)
    (directory / "fields.yaml").write_text(text, encoding="utf-8")
    return directory


def test_the_shipped_directory_is_right() -> None:
    """Procedures, their fields, four levels, a handbook."""
    library = shipped()
    assert {"compensation", "practice", "refund", "refund_arrival"} <= set(library.sops)
    assert list(library.words.authority.levels) == ["review", "supervisor", "manager", "director"]
    assert library.handbook.find("先补偿了还能退款吗")


def test_a_directory_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """With what it should hold."""
    with pytest.raises(SopMistakes, match=r"nowhere: there is no such directory; name one that holds fields\.yaml"):
        open_library(tmp_path / "nowhere", TOOLS, RULES)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """Fields and approvals are needed."""
    directory = write_library(tmp_path)
    (directory / "fields.yaml").unlink()
    (directory / "approvals.yaml").unlink()
    assert mistakes(directory) == ["fields.yaml:1: the file is missing", "approvals.yaml:1: the file is missing"]


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    """Nothing is guessed about its encoding."""
    directory = write_library(tmp_path)
    (directory / "pay.yaml").write_bytes("name: 付".encode("gb18030"))
    [mistake] = mistakes(directory)
    assert mistake.startswith("pay.yaml:1: cannot be read: 'utf-8' codec can't decode")


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """A directory by the name of a file, say."""
    directory = write_library(tmp_path)
    (directory / "pay.yaml").mkdir()
    [mistake] = mistakes(directory)
    assert mistake.startswith("pay.yaml:1: cannot be read: ")


def test_two_procedures_of_one_name_are_refused(tmp_path: Path) -> None:
    """A run could not tell them apart."""
    directory = write_library(tmp_path, one=(SHIPPED / "compensation.yaml").read_text(encoding="utf-8"))
    (directory / "two.yaml").write_text((directory / "one.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert mistakes(directory) == ["two.yaml:2: name: 'compensation' is the name of another file's procedure; names differ"]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("- order_id\n", "fields.yaml:1: the file maps names of fields to what they are"),
        ("a: text\n", "fields.yaml:1: a: a field is a map with type and label"),
        ("a: {type: text}\n", "fields.yaml:1: a.label: this key is missing"),
        ("a: {type: text, label: {zh: 甲, en: a}, colour: red}\n", "fields.yaml:1: a.colour: this key is not known here"),
        (
            "a: {type: code, label: {zh: 甲, en: a}, pattern: '['}\n",
            "fields.yaml:1: a.pattern: this is no regular expression: unterminated character set at position 0",
        ),
        ("a: {type: money, label: {zh: 甲, en: a}}\n", "fields.yaml:1: a.currency: an amount has a currency, such as USD"),
        ("a: {type: choice, label: {zh: 甲, en: a}}\n", "fields.yaml:1: a.choices: a choice has choices"),
        ("a: {type: integer, label: {zh: 甲, en: a}, min: 5, max: 4}\n", "fields.yaml:1: a.max: 4 is below min, 5"),
        (
            "approver: {type: text, label: {zh: 甲, en: a}}\n",
            "fields.yaml:1: approver: 'approver' is taken: the level that approved",
        ),
        (
            "__a: {type: text, label: {zh: 甲, en: a}}\n",
            ("fields.yaml:1: __a: a name is of small letters, digits and _, 40 at most, and begins with a letter"),
        ),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, text: str, mistake: str) -> None:
    """A field that nothing could be read into is refused when the desk starts."""
    assert mistake in mistakes(fields(tmp_path, text))


def test_a_wrong_type_of_field_lists_the_types(tmp_path: Path) -> None:
    """What was allowed is in the mistake."""
    [mistake] = mistakes(fields(tmp_path, "a: {type: colour, label: {zh: 甲, en: a}}\n"))
    assert mistake.startswith("fields.yaml:1: a.type: not allowed; allowed: 'code', 'money', 'choice'")

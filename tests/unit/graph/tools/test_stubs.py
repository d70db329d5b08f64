"""Stand-ins for interfaces: data that a procedure can be written and tested with, and that never serves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import load_library
from bot.wiring.rehearsing import rehearse
from bot.wiring.vocabulary import lint_files
from graph.errors import SopMistakes
from graph.tools.stubs import FILE, stubs_of
from tests.unit.project import ROOT

PARCEL = ROOT / "docs" / "examples" / "parcel"


async def test_a_procedure_of_another_trade_is_sound_and_covered() -> None:
    """The example that was written from the authors' page has no finding, and its dialogues go through all of it."""
    assert lint_files([PARCEL], None) == []
    report = await rehearse(Settings(_env_file=None), PARCEL)
    assert (report.failures, report.below(100)) == ([], [])


def test_stand_ins_never_serve() -> None:
    """What serves does not load a procedure whose interfaces only stand in."""
    with pytest.raises(SopMistakes, match="'get_parcel' is no tool"):
        load_library(PARCEL)


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("a: {args: {x: text}, returns: money, answers: [{give: 12}]}", "12 is no money"),
        ("a: {args: {x: text}, returns: {n: integer}, answers: [{give: {m: 1}}]}", "no 'm' is returned"),
        ("a: {args: {x: text}, returns: {n: integer}, answers: [{give: {n: one}}]}", "'one' is no integer"),
        ("a: {args: {x: text}, returns: {n: integer}, answers: [{give: 1}]}", "gives a record of n"),
        ("a: {args: {x: text}, returns: text, answers: [{when: {y: 1}, give: z}]}", "a has no argument 'y'"),
        ("a: {args: {x: text}, returns: text, answers: [{when: {x: 1}}]}", "one of `give` and `refuse`"),
        ("a: {args: {x: date}, returns: text, answers: [{give: z}]}", "a.args.x"),
        ("[a]", "maps names of interfaces"),
    ],
)
def test_what_is_wrong_in_a_stand_in_is_named(written: str, complaint: str, tmp_path: Path) -> None:
    """A result, an argument or a type that does not fit is named with its place."""
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(written, encoding="utf-8")
    with pytest.raises(SopMistakes) as error:
        stubs_of(tmp_path)
    assert complaint in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / FILE}:1: ")

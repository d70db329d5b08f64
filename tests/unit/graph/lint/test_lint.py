"""Lint: every seeded defect is named where it stands; good files have no finding; nothing makes it fall over."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.findings import Finding
from graph.lint import lint
from graph.sources import load
from tests.unit.graph.builders import shipped
from tests.unit.graph.lint.patches import GOOD, Defect, defects

WORDS = shipped().words
DEFECTS = defects()
TEXTS = [path.read_text(encoding="utf-8") for path in GOOD]


def findings(text: str) -> list[Finding]:
    """What lint says of a file with this text."""
    return lint(load("f.yaml", text), WORDS)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_file_has_no_finding(path: Path) -> None:
    """Not even a small one."""
    assert [str(each) for each in findings(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda each: f"{each.code}: {(each.new or each.move).strip()[:40]}")
def test_a_seeded_defect_is_named_on_its_line(defect: Defect) -> None:
    """With its code; what else is said follows from it and stands later in the file or on the same line."""
    found = findings(defect.text())
    assert (defect.code, defect.line()) in [(each.code, each.mark.line) for each in found]
    assert all(each.message and each.mark.column >= 1 for each in found)


def test_a_defect_is_mostly_all_that_is_said() -> None:
    """In nine of ten files nothing is said that only follows from the defect."""
    alone = [defect for defect in DEFECTS if len(findings(defect.text())) == 1]
    assert len(alone) >= 0.9 * len(DEFECTS)


def test_every_category_is_seeded_several_times() -> None:
    """The set covers what the kit promises to find."""
    seeded = [each.code for each in DEFECTS]
    for code in ("unknown-key", "unknown-kind", "unknown-tool", "unknown-rule", "unknown-field", "unknown-step"):
        assert seeded.count(code) >= 2, code
    for code in ("wrong-type", "read-before-set", "loop", "back-behind-write", "never-true", "always-true"):
        assert seeded.count(code) >= 2, code
    assert {"unreachable", "tier-gap", "tier-overlap", "sensitive", "missing-translation"} <= set(seeded)


def test_all_defects_of_a_file_are_named_at_once() -> None:
    """A wrong shape in one step hides nothing that is wrong in others, and what follows from it is not said."""
    text = (
        TEXTS[0]
        .replace("kind: check", "kind: chek")
        .replace("tool: get_gateway_balance", "tool: get_balance")
        .replace("level: director", "level: boss")
        .replace("max: 50,", "max: fifty,")
        .replace("on_no: {goto: collect,", "on_no: {goto: colect,")
        .replace("en: Is that right", "en: ''")
    )
    assert [each.code for each in findings(text)] == [
        "unknown-kind",
        "unknown-tool",
        "missing-translation",
        "unknown-step",
        "wrong-value",
    ]


def test_what_is_wrong_is_underlined_and_its_likeness_named() -> None:
    """The mark covers the very word; the hint proposes the nearest allowed one."""
    [found] = findings(TEXTS[1].replace("amount > gateway_balance", "amount > gateway_ballance"))
    line = TEXTS[1].replace("amount > gateway_balance", "amount > gateway_ballance").splitlines()[found.mark.line - 1]
    assert line[found.mark.column - 1 : found.mark.end - 1] == "gateway_ballance"
    assert found.hint == "did you mean 'gateway_balance'?"


_PIECE = st.sampled_from(
    [*"ab1:-[]{}&*!,#\n \t'\"|>", "when: ", "goto: ", "kind: ", "null", "amount", "- id: x\n", ".", "    ", "{}", "[]", "~"]
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_change_of_a_good_file_is_fine_or_has_findings(data: st.DataObject) -> None:
    """Whatever is cut out and put in, lint returns, and every finding has a place in the file."""
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        text = text[:start] + "".join(data.draw(st.lists(_PIECE, max_size=3))) + text[start + cut :]
    for each in findings(text):
        assert 1 <= each.mark.line <= text.count("\n") + 2
        assert each.message

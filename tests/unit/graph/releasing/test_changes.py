"""What a release changes, in words of both languages."""

from __future__ import annotations

from graph.releasing.changes import changes
from tests.unit.graph.builders import SHIPPED, shipped

TEXT = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
LEVELS = shipped().words.authority.levels


def told(*edits: tuple[str, str]) -> tuple[list[str], list[str]]:
    """What these edits of the compensation procedure change, in English and in Chinese."""
    new = TEXT
    for old, other in edits:
        assert old in new
        new = new.replace(old, other)
    found = changes(TEXT, new, LEVELS)
    return [each.en for each in found], [each.zh for each in found]


def test_a_tier_is_told_by_its_level() -> None:
    """Another limit of a tier names the level and both amounts."""
    assert told(("{max: 2000, level: manager", "{max: 300.5, level: manager")) == (
        ["approval: manager from 2000 → 300.5"],
        ["approval：经理 从 2000 改为 300.5"],
    )


def test_a_tier_may_come_and_go() -> None:
    """A tier that is added or taken out is told with its limit, and the one that has none says so."""
    en, zh = told(
        ("      - {max: 50, level: auto}\n", ""),
        ("{level: director, remind_after: 4h", "{max: 9000, level: director, remind_after: 4h"),
    )
    assert en == ["approval: director from no limit → 9000", "approval: auto removed, was up to 50"]
    assert zh == ["approval：总监 从 不设上限 改为 9000", "approval：去掉 auto 一级，原上限 50"]


def test_steps_may_come_go_and_move() -> None:
    """Added, removed and moved steps are told by their ids; what only follows from a move is not."""
    order = TEXT[TEXT.index("  - id: eligibility") : TEXT.index("  - id: collect")]
    en, _ = told((order, ""), ("  - id: submit\n", order + "  - id: submit\n"))
    assert en == ["step eligibility moved after approval"]
    added, _ = told(("  - id: note\n", "  - id: look\n    kind: check\n    rules: [order_paid]\n\n  - id: note\n"))
    assert added == ["step look (check) added after submit"]
    gone, _ = told((order, ""))
    assert gone == ["step eligibility removed"]


def test_other_keys_are_told_by_where_they_stand() -> None:
    """Conditions, lists and words are told with their place; a comment or another layout changes nothing."""
    en, zh = told(("when: comp_type == 'cash'\n    tool", "when: comp_type == 'credit'\n    tool"))
    assert en == ["gateway_balance.when: from comp_type == 'cash' → comp_type == 'credit'"]
    assert zh == ["gateway_balance.when：从 comp_type == 'cash' 改为 comp_type == 'credit'"]
    assert told(("name: compensation\n", "name: compensation   # as before\n")) == ([], [])

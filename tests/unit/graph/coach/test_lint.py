"""`sopdesk check` on scenarios: each mistake with file, line and key."""

from __future__ import annotations

import pytest

from graph.coach.files import parse_scenarios
from graph.sources import load
from tests.unit.graph.coach.practice import SOPS

TEXT = (SOPS / "scenarios" / "invoice_change.yaml").read_text(encoding="utf-8")


def mistakes(old: str, new: str) -> list[str]:
    """What is wrong with the invoice scenario once `old` reads `new`."""
    assert TEXT.count(old) >= 1, old
    source = load("sops/scenarios/x.yaml", TEXT.replace(old, new, 1))
    parse_scenarios([source])
    return source.mistakes


def test_the_shipped_scenario_is_right() -> None:
    """Without a change there is no mistake."""
    assert mistakes("name: invoice_change", "name: invoice_change") == []


@pytest.mark.parametrize(
    ("old", "new", "key", "words"),
    [
        ("when: Q1 == 'third_party'", "when: Q1 == 'third'", "actions[1].when", "nobody can give Q1 the value 'third'"),
        ("when: Q1 == 'third_party'", "when: Q9 == 'yes'", "actions[1].when", "'Q9' is no node"),
        ("when: Q1 == 'third_party'", "when: Q1 == 'self' and Q1 == 'third_party'", "actions[1].when", "can never hold"),
        ("when: Q1 == 'third_party'", "when: Q1 > 3", "actions[1].when", "slots hold words"),
        ("when: Q1 == 'third_party'", "when: Q1 == 'self' and P1 == 'success'", "actions[1].when", "A2 is never reached"),
        ("when: A1 == 'fail' or A2 == 'fail' or A3 == 'fail'", "when: A1 == 'fail'", "actions[1]", "a dead end"),
        ("zh: [是平台自营订单。, 是自营的。]", "zh: [是的。]", "questions[0].values.self.says.zh", "nobody can give Q1"),
        ("cues: [contact seller, seller handle]", "cues: [contact sellr]", "actions[1].cues[0]", "is no group"),
        ("cues: [contact seller, seller handle]", "cues: [page seller]", "actions[1].cues", "is not heard as A2"),
        ("- id: A2", "- id: A1", "actions[1].id", "ids differ"),
        ("- id: A2", "- id: B2", "actions[1].id", "match pattern"),
        (
            "  - {when: P1 == 'success', reason: fallback_given}",
            "  - {when: P1 == 'success', reason: x}",
            "end[1]",
            "allowed",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(old: str, new: str, key: str, words: str) -> None:
    """The message names the file, the line, the key and what is wrong."""
    found = mistakes(old, new)
    assert any(words in each and key in each for each in found), found
    assert all(each.startswith("sops/scenarios/x.yaml:") for each in found)


def test_two_files_of_one_name_are_a_mistake() -> None:
    """The second file of a name says so."""
    first, second = load("a.yaml", TEXT), load("b.yaml", TEXT)
    assert list(parse_scenarios([first, second])) == ["invoice_change"]
    assert [first.mistakes, len(second.mistakes)] == [[], 1]

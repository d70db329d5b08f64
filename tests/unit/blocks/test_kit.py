"""Blocks within limits: ids, budgets, what is left out."""

from typing import get_args

import pytest

from blocks.budget import MESSAGE_LIMIT, fitted, size
from blocks.kit import actions, button, card, context, header, menu, numbered, option, overflow, paragraphs, section
from blocks.press import Press
from graph.model import TrailKind
from graph.phrases import catalogue
from tests.unit.blocks.reading import elements, require_sendable, shapes

FACTS = Press(do="facts", thread="T", case="C-1")


def test_ids_are_unique_in_a_message() -> None:
    """Equal buttons get numbered action ids, blocks get numbered ids, even where one was given twice."""
    row, other = actions(button("A", FACTS), button("A", FACTS)), actions(overflow(option("B", FACTS)))
    assert row and other
    row.block_id = other.block_id = "same"
    made = card("x", row, other)
    assert [part.action_id for part in elements(made)] == ["sop.facts.0", "sop.facts.1", "sop.more.2"]
    assert [block.block_id for block in shapes(made)] == ["same", "b.1"]


def test_what_is_empty_is_left_out() -> None:
    """No words, no block; no press that fits, no button; no buttons, no row."""
    long = Press(do="facts", case="x" * 90, field="y" * 90)
    assert section("", "") is None
    assert context() is None
    assert button("A", None) is None
    assert option("A", long) is None
    assert overflow(None) is None
    assert menu("A", [None]) is None
    assert actions(None) is None


def test_a_large_message_is_cut_then_shortened() -> None:
    """Long texts are cut first; when short ones are still too many, the last blocks go."""
    long = card("x", *(section("字" * 2900) for _ in range(10)))
    require_sendable(long)
    assert len(long.blocks) == 10
    many = numbered([section("字" * 390) for _ in range(50)], 50)
    kept = fitted(many, MESSAGE_LIMIT)
    assert kept == many[: len(kept)]
    assert size(kept) <= MESSAGE_LIMIT < size(many[: len(kept) + 1])


def test_a_message_has_at_most_fifty_blocks() -> None:
    """The fifty-first block is left out."""
    assert len(card("x", *(header("A") for _ in range(60))).blocks) == 50


def test_a_menu_leaves_room_for_the_message() -> None:
    """A hundred long options are reduced to what a message can carry."""
    options = [option("字" * 75, FACTS.model_copy(update={"value": f"{n}" * 20})) for n in range(100, 200)]
    made = card("x", actions(menu("A", options)))
    require_sendable(made)
    assert 10 < len(elements(made)[0].options) < 100


def test_lines_fill_sections() -> None:
    """Lines share a section until it is full."""
    assert len([part for part in paragraphs(["字" * 1000] * 5) if part]) == 3


def test_a_long_text_gives_way_in_context_too() -> None:
    """Contexts are cut like sections."""
    made = card("x", *(context("字" * 2900) for _ in range(10)))
    require_sendable(made)
    assert len(made.blocks) == 10


@pytest.mark.parametrize("kind", get_args(TrailKind))
def test_every_kind_of_trail_entry_has_words(kind: str) -> None:
    """No entry of the record is without a sentence."""
    assert f"trail.{kind}" in catalogue()


def test_form_buttons_and_titles_fit() -> None:
    """Titles and buttons of forms keep to Slack's 24 characters in both languages."""
    titles = ("details", "correct", "cancel", "hand_over", "reject", "another_amount", "ask_requester", "paid", "unpaid")
    for name in (*titles, "new_case", "handbook"):
        for key in (f"forms.{name}", f"forms.{name}_submit", "forms.back"):
            assert max(len(catalogue()[key].zh), len(catalogue()[key].en)) <= 24

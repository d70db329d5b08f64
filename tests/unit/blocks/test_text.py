"""Outside text shows as text and pings nobody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.text import channel, clock, cut, is_link, link, md, md_lines, mention, plain, push, tidy


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<!channel> now", "&lt;!channel&gt; now"),
        ("<@U0LI>", "&lt;@U0LI&gt;"),
        ("a & b", "a &amp; b"),
        ("*bold* _slant_ ~gone~ `code`", "＊bold＊ ＿slant＿ ～gone～ ｀code｀"),
        ("snake_case stays", "snake_case stays"),
        (":tada: at 14:02:30", "：tada: at 14:02:30"),
        ("> quoted", "＞ quoted"),
        ("two\nlines\u2028three", "two lines three"),
        ("turned \u202e00.08 around\x07", "turned 00.08 around"),
    ],
)
def test_outside_text_loses_its_powers(raw: str, shown: str) -> None:
    """Mentions, formatting, emoji codes, quotes, line breaks and direction signs of outside text have no effect."""
    assert md(raw) == shown


def test_plain_text_keeps_its_signs_but_no_brackets() -> None:
    """In headers and buttons formatting signs stay, and brackets cannot be read as a mention."""
    assert plain("*A* <!here>") == "*A* ＜!here＞"


def test_outside_text_is_cut_at_300() -> None:
    """A long text ends in an ellipsis after 300 characters."""
    assert len(tidy("字" * 400)) == 300
    assert tidy("字" * 400).endswith("…")


def test_lines_of_an_answer_are_kept() -> None:
    """Answers from the handbook keep their paragraphs; each line is escaped."""
    assert md_lines("one <a>\n\n> two", 100) == "one &lt;a&gt;\n＞ two"


@given(st.text(max_size=400), st.integers(1, 200))
def test_cutting_never_tears_a_mark(raw: str, limit: int) -> None:
    """A cut text keeps to its limit and holds only whole entities and mentions."""
    kept = cut(f"<@U0LI> {md(raw)} <!date^1^{{time}}|00:00>", limit)
    assert len(kept) <= limit
    assert kept.count("<") == kept.count(">")
    assert not kept.rstrip("…").endswith(("&", "&a", "&am", "&amp", "&l", "&lt", "&g", "&gt"))


def test_a_push_keeps_the_case() -> None:
    """A long lead is cut so that the case's id stays readable."""
    said = push("长" * 300, " C-7K3F")
    assert len(said) == 150
    assert said.endswith("… C-7K3F")


def test_clock_times_are_in_the_readers_zone() -> None:
    """A time is a date mark with a UTC fallback, with the day where asked."""
    assert clock("2026-11-30T22:02:00+08:00") == "<!date^1796047320^{time}|14:02>"
    assert clock("2026-11-30T14:02:00") == clock("2026-11-30T14:02:00Z")
    assert clock("2026-11-30T14:02:00Z", day=True) == ("<!date^1796047320^{date_short_pretty} {time}|2026-11-30 14:02>")
    assert clock("soon") == clock("0001-01-01") == "–"


def test_only_real_ids_mention() -> None:
    """An id of Slack's becomes a mention or a channel link; any other is shown as a name."""
    assert mention("U0LI") == "<@U0LI>"
    assert mention("li>") == "@li&gt;"
    assert mention("U0LI\n") == "@U0LI"
    assert channel("C0SUP") == "<#C0SUP>"
    assert channel("approvals-supervisor") == "#approvals-supervisor"


def test_only_clean_links_link() -> None:
    """An address that could break out of its mark leaves the words without a link."""
    assert link("https://a.example/x", "see") == "<https://a.example/x|see>"
    assert link("https://a.example/x>|<!channel", "see") == "see"
    assert not is_link("javascript:alert(1)")

"""`approvals.yaml`: what its new keys give, and what is wrong with a file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph.authority import Authority, load_authority
from graph.sources import load
from tests.unit.graph.authority.people import person

FILE = """\
levels:
  low:
    rank: 1
    channel: a
    people: [U1, U2]
    quorum: 2
    hours: {timezone: Asia/Shanghai, from: 09:00, to: 18:00}
    delegates:
      - {of: U1, to: U9, from: 2026-09-02, until: 2026-09-03}
  high:
    rank: 2
    channel: b
    people: [U3]
"""


def loaded(text: str = FILE) -> Authority:
    """The authority of a file without mistakes."""
    source = load("approvals.yaml", text)
    authority = load_authority(source)
    assert source.mistakes == []
    assert authority is not None
    return authority


def test_quorum_hours_and_delegates_are_read() -> None:
    """Times of day need no quotes."""
    authority = loaded()
    hours = authority.hours("low")
    assert (authority.quorum("low"), authority.quorum("high"), authority.quorum("none")) == (2, 1, 1)
    assert hours is not None and hours.day == timedelta(hours=9)
    assert authority.hours("high") is None


@pytest.mark.parametrize(
    ("now", "may"),
    [
        ("2026-09-01T15:59:00+00:00", False),
        ("2026-09-01T16:00:00+00:00", True),  # midnight in Shanghai
        ("2026-09-03T15:59:59+00:00", True),
        ("2026-09-03T16:00:00+00:00", False),
    ],
)
def test_a_delegate_of_the_file_holds_from_day_to_day(now: str, may: bool) -> None:
    """Both days included, in the zone of the level; only at its level."""
    authority, moment = loaded(), datetime.fromisoformat(now)
    rights = authority.rights("low", person("U9"), moment)
    assert [right.id for right in rights] == (["U1"] if may else [])
    assert authority.rights("high", person("U9"), moment) == ()
    assert [each.to for each in authority.deputies("low", moment)] == (["U9"] if may else [])


def test_a_delegate_of_the_file_from_another_team_has_no_right() -> None:
    """The team goes before every list."""
    assert loaded().rights("low", person("U9", foreign=True), datetime(2026, 9, 3, tzinfo=UTC)) == ()


@pytest.mark.parametrize(
    ("was", "now", "mistake"),
    [
        ("quorum: 2", "quorum: 0", "6: levels.low.quorum: Input should be greater than or equal to 1"),
        ("quorum: 2", "quorum: 4", "6: levels.low.quorum: 4 must approve, but fewer are listed at 'low' and above"),
        ("[U1, U2]", "[U1, U1]", "5: levels.low.people[1]: 'U1' stands here twice; each counts once"),
        ("of: U1", "of: U3", "9: levels.low.delegates[0].of: 'U3' is not among the people of 'low'; allowed: U1, U2"),
        ("to: U9", "to: U1", "9: levels.low.delegates[0].to: nobody stands in for themselves"),
        ("until: 2026-09-03", "until: 2026-09-01", "9: levels.low.delegates[0].until: 2026-09-01 is before 2026-09-02"),
        ("until: 2026-09-03", "until: soon", "9: levels.low.delegates[0].until: 'soon' is no date; write it as 2026-10-01"),
        ("Asia/Shanghai", "Mars", "7: levels.low.hours.timezone: 'Mars' is no time zone; write one such as Asia/Shanghai"),
        ("to: 18:00", "to: 08:00", "7: levels.low.hours: `to` must be later than `from` on the same day"),
        ("to: 18:00", "until: 18:00", "7: levels.low.hours.until: this key is not known here"),
    ],
)
def test_mistakes_are_named_with_line_and_key(was: str, now: str, mistake: str) -> None:
    """One wrong word at a time."""
    source = load("approvals.yaml", FILE.replace(was, now))
    load_authority(source)
    assert any(each.startswith(f"approvals.yaml:{mistake}") for each in source.mistakes), source.mistakes

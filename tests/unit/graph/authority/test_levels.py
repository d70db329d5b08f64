"""Who may decide, and what is wrong with a file that says so."""

from __future__ import annotations

import pytest

from graph.authority import Authority, load_authority
from graph.model import Actor, Level, Text
from graph.sources import load
from tests.unit.graph.authority.people import person, principal, three_levels
from tests.unit.graph.builders import KIM, LI, START, STRANGER, SUN, WANG, ZHAO, ZHOU, shipped


def level(name: str, rank: int, people: tuple[str, ...] = (), groups: tuple[str, ...] = ()) -> Level:
    """A level with these people."""
    return Level(name=name, label=Text(zh=name, en=name), rank=rank, channel="c", people=people, groups=groups)


@pytest.mark.parametrize(
    ("wanted", "actor", "may"),
    [
        ("supervisor", WANG, True),
        ("supervisor", KIM, True),
        ("supervisor", ZHAO, True),
        ("supervisor", SUN, True),
        ("manager", WANG, False),
        ("manager", ZHAO, True),
        ("director", ZHAO, False),
        ("director", SUN, True),
        ("supervisor", LI, False),
        ("supervisor", STRANGER, False),
        ("supervisor", ZHOU, False),
        ("nothing", SUN, False),
        ("auto", SUN, False),
        ("", SUN, False),
    ],
)
def test_a_level_is_decided_by_its_people_and_those_above(wanted: str, actor: Actor, may: bool) -> None:
    "A manager may decide a supervisor's request, never the other way round; a lead is no approver."
    assert shipped().words.authority.may_decide(wanted, actor, START) is may


def test_a_user_group_counts_as_its_members() -> None:
    """Of any level from the wanted one up."""
    authority = Authority({"low": level("low", 1, groups=("S1",)), "high": level("high", 2, groups=("S2",))})
    assert authority.may_decide("low", STRANGER.model_copy(update={"groups": ("S0", "S1")}), START)
    assert authority.may_decide("low", STRANGER.model_copy(update={"groups": ("S2",)}), START)
    assert not authority.may_decide("high", STRANGER.model_copy(update={"groups": ("S1",)}), START)


def test_an_empty_list_lets_nobody_in() -> None:
    """No approver configured means no approval."""
    authority = Authority({"low": level("low", 1)})
    assert not authority.may_decide("low", STRANGER, START)
    assert not authority.has_anyone("low", set())
    assert authority.listed("low") == ()


def test_leads_are_named_or_in_a_group() -> None:
    """Leads act for agents."""
    authority = Authority({}, ["U1"], ["S9"])
    assert authority.is_lead(Actor(id="U1", name="a"))
    assert authority.is_lead(Actor(id="U2", name="b", groups=("S9",)))
    assert not authority.is_lead(Actor(id="U3", name="c", groups=("S8",)))


def test_somebody_is_left_unless_all_are_barred() -> None:
    """Those above count, a group always counts, an unknown level never."""
    authority = shipped().words.authority
    assert authority.has_anyone("manager", {"U0ZHAO"})
    assert not authority.has_anyone("manager", {"U0ZHAO", "U0SUN"})
    assert not authority.has_anyone("nothing", set())
    grouped = Authority({"low": level("low", 1, people=("U1",), groups=("S1",))})
    assert grouped.has_anyone("low", {"U1"})


def test_people_are_listed_from_the_lowest_rank_up() -> None:
    """Each once."""
    authority = Authority({"high": level("high", 2, ("U2", "U1")), "low": level("low", 1, ("U1",))})
    assert authority.listed("low") == ("U1", "U2")
    assert authority.listed("high") == ("U2", "U1")
    assert authority.listed("nothing") == ()


def test_the_level_above_is_the_next_rank() -> None:
    """None above the highest, none for an unknown one."""
    authority = shipped().words.authority
    assert [authority.next_level(name) for name in ("supervisor", "manager", "director", "nothing")] == [
        "manager",
        "director",
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        (
            "levels: {auto: {rank: 1, channel: c}}\n",
            "approvals.yaml:1: levels.auto: 'auto' is the tier without a person; name the level otherwise",
        ),
        (
            "levels:\n  a: {rank: 1, channel: c}\n  b: {rank: 1, channel: d}\n",
            "approvals.yaml:3: levels.b.rank: rank 1 belongs to 'a'; ranks differ",
        ),
        ("levels: {a: {channel: c}}\n", "approvals.yaml:1: levels.a.rank: this key is missing"),
        (
            "levels: {a: {rank: 1, channel: c, peple: [U1]}}\n",
            "approvals.yaml:1: levels.a.peple: this key is not known here",
        ),
        ("levels: {a: {rank: 1, channel: c, people: U1}}\n", "approvals.yaml:1: levels.a.people: a list is wanted here"),
        (
            "levels: {a: {rank: 1, channel: c, lang: fr}}\n",
            "approvals.yaml:1: levels.a.lang: not allowed; allowed: 'zh' or 'en'",
        ),
        ("leads: {people: [U1]}\n", "approvals.yaml:1: levels: this key is missing"),
        ("[]\n", "approvals.yaml:1: a map of keys is wanted here"),
    ],
)
def test_a_wrong_file_names_its_mistake(text: str, mistake: str) -> None:
    """Line, key, and what to do."""
    source = load("approvals.yaml", text)
    load_authority(source)
    assert mistake in source.mistakes


def test_a_level_needs_no_label_and_no_people() -> None:
    """It is then called by its name, and nobody decides; the channel's # is optional."""
    source = load("approvals.yaml", "levels: {boss: {rank: 1, channel: '#bosses'}}\n")
    authority = load_authority(source)
    assert authority is not None
    assert (authority.levels["boss"].label, authority.levels["boss"].channel) == (Text(zh="boss", en="boss"), "bosses")


def test_the_right_that_fits_the_level_comes_first() -> None:
    """Of several people whom somebody stands in for, whoever is asked goes before those of the levels above."""
    levels, away = three_levels(), (principal("HIGH"), principal("MID"), principal("LOW2"))
    deputy = person("NOBODY", stands_for=away)
    assert [each.id for each in levels.rights("low", deputy, START)] == ["LOW2", "MID", "HIGH"]
    assert [each.id for each in levels.rights("mid", deputy, START)] == ["MID", "HIGH"]
    assert [each.id for each in levels.rights("low", person("MID", stands_for=away[2:]), START)] == ["MID", "LOW2"]

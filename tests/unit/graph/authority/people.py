"""Levels and people for the tests of who may decide."""

from __future__ import annotations

from graph.authority import Authority
from graph.model import Actor, Decision, Level, Principal, Text
from tests.unit.graph.builders import START


def level(name: str, rank: int, *people: str, groups: tuple[str, ...] = (), quorum: int = 1) -> Level:
    """A level with these people."""
    label = Text(zh=name, en=name)
    return Level(name=name, label=label, rank=rank, channel="c", people=people, groups=groups, quorum=quorum)


def person(name: str, *groups: str, foreign: bool = False, stands_for: tuple[Principal, ...] = ()) -> Actor:
    """A person by id."""
    return Actor(id=name, name=name, groups=groups, foreign=foreign, stands_for=stands_for)


def principal(name: str, *groups: str, levels: tuple[str, ...] | None = None) -> Principal:
    """Somebody who is away."""
    return Principal(id=name, name=name, groups=groups, levels=levels)


def vote(by: str, of: str = "", option: str = "", could: tuple[str, ...] = ()) -> Decision:
    """An approval that came before."""
    return Decision(
        verdict="approve",
        by=by,
        name=by,
        at=START.isoformat(),
        event=f"e-{by}",
        of=of or by,
        option=option,
        could=list(could),
    )


def three_levels(quorum: int = 1) -> Authority:
    """Low, middle and high, with the low one's quorum."""
    return Authority(
        {
            "low": level("low", 1, "LOW1", "LOW2", groups=("SLOW",), quorum=quorum),
            "mid": level("mid", 2, "MID", groups=("SMID",)),
            "high": level("high", 3, "HIGH"),
        }
    )

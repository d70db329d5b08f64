"""Persons and levels: who somebody is, whom they stand in for, and who decides at a level."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from graph.model.facts import Lang, Text


def _whole(words: str) -> str:
    """Half characters, which no store can hold, become question marks."""
    return words.encode("utf-8", "replace").decode()


Said = Annotated[str, AfterValidator(_whole)]


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Principal(_Plain):
    """Somebody whose right is used: by themselves, or by the one who stands in for them. `levels` are those whose lists
    count; None: all."""

    id: str
    name: Said
    groups: tuple[str, ...] = ()
    levels: tuple[str, ...] | None = None


class Actor(_Plain):
    """A person: the id of the platform (or a name on the command line), the name shown, language, team, user groups.

    `foreign`: of another team than the desk's, so without any right here. `stands_for` are those who named this person
    their delegate until a day that has not passed.
    """

    id: str
    name: Said
    lang: Lang = "zh"
    team: str = ""
    groups: tuple[str, ...] = ()
    foreign: bool = False
    stands_for: tuple[Principal, ...] = ()


class Level(_Plain):
    """A tier's people: who may decide, where cards go, in which language. A higher `rank` may decide for a lower one;
    `quorum` is how many different persons must approve."""

    name: str
    label: Text
    rank: int
    channel: str
    lang: Lang = "zh"
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    quorum: int = 1


class Delegation(_Plain):
    """`of` is away, `to` decides in their place until `until` (ISO 8601, with a zone). `levels` are the names of the
    levels that `of` was listed at when it was made: cards say it there."""

    of: str
    of_name: Said
    to: str
    to_name: Said
    until: str
    since: str
    levels: tuple[str, ...] = ()

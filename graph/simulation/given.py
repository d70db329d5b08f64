"""The facts file of a dry run: what is known, what interfaces would answer, which approvals are rejected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.fields import FieldSpec, parse
from graph.model import Fact, JsonValue, Problem
from graph.phrases import problem_text
from graph.sop import Sop
from graph.sop_fields import one_of
from graph.sop_file import Vocabulary
from graph.sources import Source, load, raise_all
from graph.tools.spec import ToolSpec
from graph.tools.values import from_plain, to_fact


class Refusal(BaseModel):
    """A stub that refuses, by the code of the back office."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    refused: str


class FactsFile(BaseModel):
    """The keys of the file.

    `facts`: fields by name, as a person would say them. `stubs`: what an interface answers instead of being called, by its
    name, in the shape of its result, or `{refused: CODE}`. `no`: steps at which the answer is no, once each. `at_stake`:
    what earlier cases have at stake beside this one, in the currency of the amount.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: dict[str, str | int] = {}
    stubs: dict[str, JsonValue] = {}
    no: tuple[str, ...] = ()
    at_stake: str | None = Field(default=None, pattern=r"^\d{1,9}(\.\d{1,2})?$")


@dataclass(frozen=True)
class Given:
    """What a dry run starts from."""

    facts: Mapping[str, Fact]
    stubs: Mapping[str, Fact | Refusal]
    no: tuple[str, ...] = ()
    at_stake: str | None = None


def read_given(path: Path, sop: Sop, words: Vocabulary, today: date) -> Given:
    """The file as facts. SopMistakes names every mistake at once. Blocking."""
    source = load(str(path), path.read_text(encoding="utf-8"))
    file = source.read(FactsFile, source.data if source.data is not None else {}, ()) if not source.found else None
    if file is None:
        raise_all([source])
        return Given({}, {})
    fields = {**words.fields, **sop.own_fields}
    facts = {name: _fact(source, name, str(raw), fields, today) for name, raw in file.facts.items()}
    stubs = {name: _stub(source, name, value, words.tools) for name, value in file.stubs.items()}
    for number, step in enumerate(file.no):
        one_of(source, ("no", number), step, [each.id for each in sop.steps], "step of this procedure")
    raise_all([source])
    return Given(
        {name: fact for name, fact in facts.items() if fact is not None},
        {name: stub for name, stub in stubs.items() if stub is not None},
        file.no,
        file.at_stake,
    )


def _fact(source: Source, name: str, raw: str, fields: Mapping[str, FieldSpec], today: date) -> Fact | None:
    if not one_of(source, ("facts", name), name, fields, "field"):
        return None
    found = parse(fields[name], raw, today=today)
    if isinstance(found, Problem):
        source.wrong(("facts", name), problem_text(found, fields[name].label).en)
        return None
    return found


def _stub(source: Source, name: str, value: JsonValue, tools: Mapping[str, ToolSpec]) -> Fact | Refusal | None:
    if not one_of(source, ("stubs", name), name, tools, "tool"):
        return None
    try:
        if isinstance(value, dict) and "refused" in value:
            return Refusal.model_validate(value)
        return to_fact(from_plain(value, tools[name].returns), f"tool:{name}", "")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        source.wrong(("stubs", name), f"{name} does not answer like that: {where or 'it'}: {first['msg']}")
        return None

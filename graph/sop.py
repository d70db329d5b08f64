"""A procedure: YAML in, a checked `Sop` out. Every mistake is named with file, line, key and what was allowed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from graph.authority import Authority
from graph.fields import FieldSpec
from graph.model import Text
from graph.phrases import catalogue
from graph.rules import RuleSpec
from graph.sources import Source, load
from graph.steps import KINDS, AnySpec, ApproveSpec, CallSpec, CheckSpec, StepSpec
from graph.steps.base import Words
from graph.tools.spec import ToolSpec


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    title: Words
    description: Words
    fields: tuple[str, ...] = ()
    steps: Annotated[tuple[Annotated[AnySpec, Field(discriminator="kind")], ...], Field(min_length=1)]


@dataclass(frozen=True)
class Vocabulary:
    """The words a procedure may use: fields, tools, rules, levels."""

    fields: Mapping[str, FieldSpec]
    tools: Mapping[str, ToolSpec]
    rules: Mapping[str, RuleSpec]
    authority: Authority


@dataclass(frozen=True)
class Sop:
    """A procedure that has been checked. `digest` is of its text."""

    name: str
    title: Text
    description: Text
    fields: tuple[str, ...]
    steps: tuple[AnySpec, ...]
    text: str
    digest: str

    def step(self, step_id: str) -> AnySpec:
        """The step with this id. KeyError when there is none."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise KeyError(step_id)

    def after(self, step_id: str) -> str | None:
        """The id of the following step, or None at the end."""
        ids = [step.id for step in self.steps]
        following = ids.index(step_id) + 1
        return ids[following] if following < len(ids) else None

    def from_(self, step_id: str) -> tuple[AnySpec, ...]:
        """The steps from `step_id` to the end."""
        ids = [step.id for step in self.steps]
        return self.steps[ids.index(step_id) :]

    def before_pause(self, step_id: str) -> tuple[AnySpec, ...]:
        """The steps after `step_id`, up to the next that may wait for a person."""
        found: list[AnySpec] = []
        for step in self.from_(step_id)[1:]:
            if KINDS[step.kind].pauses:
                break
            found.append(step)
        return tuple(found)

    def ahead(self, step_id: str) -> tuple[str, ...]:
        """The facts that the steps before the next pause read and do not make themselves."""
        made = set(self.step(step_id).writes())
        found: list[str] = []
        for step in self.before_pause(step_id):
            found += [name for name in step.reads() if name not in made]
            made |= set(step.writes())
        return tuple(dict.fromkeys(found))

    def reads(self, step_id: str) -> tuple[str, ...]:
        """The facts that make `step_id` be carried out anew when they change; a decision hangs on what it decides."""
        step = self.step(step_id)
        return tuple(dict.fromkeys((*step.reads(), *(self.ahead(step_id) if KINDS[step.kind].binds else ()))))

    @property
    def noun(self) -> Text:
        """What headlines call it: the catalogue's word for it where there is one, else its title."""
        known = catalogue().get(f"sops.{self.name}")
        title = Text(zh=self.title.zh or self.name, en=self.title.en or self.name.replace("_", " "))
        return known or title


def parse_sop(source: Source, words: Vocabulary) -> Sop | None:
    """The procedure of one file. None, with the mistakes in the source, when something is wrong."""
    if source.mistakes:
        return None
    file = source.read(_File, source.data)
    if file is None:
        return None
    _check_names(source, file, words)
    for index, step in enumerate(file.steps):
        _check_step(source, file, index, step, words)
    if source.mistakes:
        return None
    return Sop(
        name=file.name,
        title=file.title,
        description=file.description,
        fields=file.fields,
        steps=file.steps,
        text=source.text,
        digest=digest_of(source.text),
    )


def reopen(name: str, text: str, words: Vocabulary) -> Sop | None:
    """The procedure that a run has kept; None when today's tools and fields no longer carry it."""
    return parse_sop(load(name, text), words)


def digest_of(text: str) -> str:
    """The digest of a procedure's text, 16 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _check_names(source: Source, file: _File, words: Vocabulary) -> None:
    for index, name in enumerate(file.fields):
        if name not in words.fields:
            source.wrong(("fields", index), f"{name!r} is no field; {_allowed(words.fields)}")
    seen: dict[str, int] = {}
    for index, step in enumerate(file.steps):
        if step.id in seen:
            source.wrong(("steps", index, "id"), f"{step.id!r} is the id of steps[{seen[step.id]}] already; ids differ")
        seen.setdefault(step.id, index)


def _check_step(source: Source, file: _File, index: int, step: StepSpec, words: Vocabulary) -> None:
    at = ("steps", index)
    ids = {each.id for each in file.steps}
    for key, targets in step.targets().items():
        for target in targets.targets.values():
            if target.goto not in ids:
                source.wrong((*at, key, "goto"), f"{target.goto!r} is no step; {_allowed(ids)}")
            known = _known(file, words)
            for name in target.reset:
                if name not in known:
                    source.wrong((*at, key, "reset"), f"{name!r} is no fact of this procedure; {_allowed(known)}")
    known = _known(file, words)
    if step.when:
        for name in step.when.names:
            if name not in known:
                source.wrong((*at, "when"), f"{name!r} is no fact of this procedure; {_allowed(known)}")
    match step:
        case CallSpec():
            _check_call(source, at, step, known, words)
        case CheckSpec():
            for number, rule in enumerate(step.rules):
                if rule not in words.rules:
                    source.wrong((*at, "rules", number), f"{rule!r} is no rule; {_allowed(words.rules)}")
        case ApproveSpec():
            _check_tiers(source, at, step, known, words)
        case _:
            for number, name in enumerate(getattr(step, "fields", ())):
                if name not in words.fields:
                    source.wrong((*at, "fields", number), f"{name!r} is no field; {_allowed(words.fields)}")


def _known(file: _File, words: Vocabulary) -> set[str]:
    """The facts a run of this procedure can hold."""
    return set(file.fields) | {name for step in file.steps for name in step.writes()}


def _check_call(source: Source, at: tuple[str | int, ...], step: CallSpec, known: set[str], words: Vocabulary) -> None:
    tool = words.tools.get(step.tool)
    if tool is None:
        source.wrong((*at, "tool"), f"{step.tool!r} is no tool; {_allowed(words.tools)}")
        return
    for name, value in step.args.items():
        if tool.parameter(name) is None:
            allowed = _allowed(each.name for each in tool.parameters)
            source.wrong((*at, "args", name), f"{step.tool} has no argument {name!r}; {allowed}")
        for fact in value.names:
            if fact not in known:
                source.wrong((*at, "args", name), f"{fact!r} is no fact of this procedure; {_allowed(known)}")
    for parameter in tool.parameters:
        if parameter.required and parameter.name not in step.args:
            source.wrong((*at, "args"), f"{step.tool} needs the argument {parameter.name!r}")
    if step.save_as in words.fields:
        source.wrong((*at, "save_as"), f"{step.save_as!r} is a field; a result has a name of its own")


def _check_tiers(source: Source, at: tuple[str | int, ...], step: ApproveSpec, known: set[str], words: Vocabulary) -> None:
    if step.amount not in known:
        source.wrong((*at, "amount"), f"{step.amount!r} is no fact of this procedure; {_allowed(known)}")
    last = None
    for number, tier in enumerate(step.tiers):
        here = (*at, "tiers", number)
        if tier.level != "auto" and tier.level not in words.authority.levels:
            source.wrong((*here, "level"), f"{tier.level!r} is no level; {_allowed({'auto', *words.authority.levels})}")
        if number and last is None:
            source.wrong(here, "the tier before has no max and takes every amount; this one is never reached")
        elif last is not None and tier.max is not None and tier.max <= last:
            source.wrong((*here, "max"), f"tiers rise: {tier.max} is not above {last}")
        last = tier.max
    if last is not None:
        source.wrong((*at, "tiers"), f"amounts above {last} have no tier; end with one that has no max")


def _allowed(names: object) -> str:
    listed = sorted(str(name) for name in names) if hasattr(names, "__iter__") else []
    return f"allowed: {', '.join(listed) or 'none'}"

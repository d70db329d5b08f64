"""A procedure's file: its shape, and whether all that it names exists and fits together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from graph.authority import Authority
from graph.coach.scenario import Scenario
from graph.fields import Cues, FieldSpec
from graph.rules import RuleSpec
from graph.sop_calls import check_called
from graph.sop_fields import allowed_words, check_field, one_of
from graph.sources import Source
from graph.steps import AnySpec, ApproveSpec, CallSpec, CheckSpec, ChooseSpec, DrillSpec, OfferSpec, WaitSpec
from graph.steps.approve_spec import Tier
from graph.steps.base import Words
from graph.steps.promised import allowed, gaps
from graph.tools.spec import ToolSpec

At = tuple[str | int, ...]
TELLS_APART = ("code", "account", "phone", "integer")
"""The types of which a value can have a case of its own."""


class SopFile(BaseModel):
    """The keys of a procedure's file."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    title: Words
    description: Words
    fields: tuple[str | FieldSpec, ...] = Field(
        default=(), description="what a first message may tell: names from fields.yaml, or fields of this procedure's own"
    )
    called: Cues = Field(default=Cues(), description="words, by language, that ask for this procedure by themselves")
    exclusive: str | None = Field(
        default=None, description="a field: each of its values has one open case at most; who asks again is shown that case"
    )
    internal: bool = Field(default=False, description="nobody asks for it in words: a command starts it, such as /coach")
    steps: Annotated[tuple[Annotated[AnySpec, Field(discriminator="kind")], ...], Field(min_length=1)]

    @property
    def told(self) -> tuple[str, ...]:
        """The names of its fields."""
        return tuple(each if isinstance(each, str) else each.name for each in self.fields)

    @property
    def own_fields(self) -> dict[str, FieldSpec]:
        """The fields that are defined in this file."""
        return {each.name: each for each in self.fields if isinstance(each, FieldSpec)}

    def known(self) -> set[str]:
        """The facts that a run can hold."""
        return set(self.told) | {name for step in self.steps for name in step.writes()}

    def ids(self) -> set[str]:
        """The ids of the steps."""
        return {step.id for step in self.steps}


@dataclass(frozen=True)
class Vocabulary:
    """The words a procedure may use: fields, tools, rules, levels, and the scenarios that can be practised."""

    fields: Mapping[str, FieldSpec]
    tools: Mapping[str, ToolSpec]
    rules: Mapping[str, RuleSpec]
    authority: Authority
    scenarios: Mapping[str, Scenario] = field(default_factory=dict)


def check(source: Source, file: SopFile, words: Vocabulary, places: Sequence[int] = ()) -> None:
    """Record every mistake of a file whose shape is right. `places` are the numbers of its steps where some are missing."""
    for index, each in enumerate(file.fields):
        if isinstance(each, FieldSpec):
            check_field(source, each, ("fields", index))
            if words.fields.get(each.name, each) != each:
                source.wrong(("fields", index), f"{each.name!r} is another field already; name it otherwise", code="taken")
    words = replace(words, fields={**file.own_fields, **words.fields})
    for index, name in enumerate(file.told):
        one_of(source, ("fields", index), name, words.fields, "field")
    _check_exclusive(source, file, words)
    seen: dict[str, int] = {}
    for index, step in zip(places or range(len(file.steps)), file.steps, strict=True):
        if step.id in seen:
            wrong = f"{step.id!r} is the id of steps[{seen[step.id]}] already; ids differ"
            source.wrong(("steps", index, "id"), wrong, code="twice")
        seen.setdefault(step.id, index)
        _check_step(source, file, ("steps", index), step, words)


def _check_exclusive(source: Source, file: SopFile, words: Vocabulary) -> None:
    asked = [name for step in file.steps for name in step.writes() if name not in step.derives()]
    told = dict.fromkeys((*file.told, *asked))
    if file.exclusive and one_of(source, ("exclusive",), file.exclusive, told, "field of this procedure"):
        spec = words.fields.get(file.exclusive)
        if spec is not None and spec.type not in TELLS_APART:
            wrong = f"a {spec.type} does not tell one case from another; allowed: fields of type {', '.join(TELLS_APART)}"
            source.wrong(("exclusive",), wrong, code="not-a-code")


def _check_step(source: Source, file: SopFile, at: At, step: AnySpec, words: Vocabulary) -> None:
    known = file.known()
    for key, targets in step.targets().items():
        for code, target in targets.targets.items():
            # Written short, a target has no code; what is said is then about the whole key.
            here = (*at, key, code) if (*at, key, code) in source.keys else (*at, key)
            one_of(source, (*here, "goto"), target.goto, file.ids(), "step")
            for name in target.reset:
                one_of(source, (*here, "reset"), name, known, "fact of this procedure")
    for name in step.when.names if step.when else ():
        one_of(source, (*at, "when"), name, known, "fact of this procedure")
    for place, way in step.transitions():
        one_of(source, (*at, *place, "goto"), way.goto, file.ids(), "step")
        for name in way.names():
            one_of(source, (*at, *place, "when"), name, known, "fact of this procedure")
        for name in way.reset:
            one_of(source, (*at, *place, "reset"), name, known, "fact of this procedure")
    match step:
        case CallSpec():
            _check_call(source, at, step, known, words)
        case CheckSpec():
            _check_rules(source, at, step, known, words)
        case ApproveSpec():
            _check_tiers(source, at, step, known, words)
        case ChooseSpec():
            _check_actions(source, file, at, step, known, words)
            _check_heard(source, at, step, words)
        case WaitSpec():
            for name in (name for each in (step.for_, step.until) if each for name in each.names):
                one_of(source, (*at, "until" if step.until else "for"), name, known, "fact of this procedure")
            for name in gaps(step.tell) if step.tell else ():
                one_of(source, (*at, "tell"), name, known, "fact of this procedure")
            if step.tell and not (allowed(step.tell.zh) and allowed(step.tell.en)):
                wrong = "a time or an arrival is told only as a gap such as {rule.expected_by}, which a tool fills"
                source.wrong((*at, "tell"), wrong, code="promise")
            _check_heard(source, at, step, words)
        case DrillSpec():
            if not file.internal:
                source.wrong((*at, "kind"), "a drill needs `internal: true` at the top of its file", code="not-internal")
            one_of(source, (*at, "scenario"), step.scenario or "", {"", *words.scenarios}, "scenario")
        case OfferSpec():
            for name in step.own_reads():
                one_of(source, (*at, "of"), name, known, "fact of this procedure")
        case _:
            for number, name in enumerate(step.fields):
                one_of(source, (*at, "fields", number), name, words.fields, "field")


def _check_actions(source: Source, file: SopFile, at: At, step: ChooseSpec, known: set[str], words: Vocabulary) -> None:
    for index, action in enumerate(step.actions):
        here = (*at, "actions", index)
        for name in action.when.names if action.when else ():
            one_of(source, (*here, "when"), name, known, "fact of this procedure")
        for target in action.on_error.targets.values() if action.on_error else ():
            one_of(source, (*here, "on_error", "goto"), target.goto, file.ids(), "step")
        if action.tool is not None:
            check_called(source, here, action.tool, action.args, known, words.fields, words.tools)
        if action.save_as in words.fields:
            source.wrong((*here, "save_as"), f"{action.save_as!r} is a field; a result has a name of its own", code="taken")


def _check_heard(source: Source, at: At, step: ChooseSpec | WaitSpec, words: Vocabulary) -> None:
    for number, name in enumerate(step.on_message.fields if step.on_message else ()):
        one_of(source, (*at, "on_message", "fields", number), name, words.fields, "field")
    for number, name in enumerate(step.listen):
        one_of(source, (*at, "listen", number), name, words.fields, "field")


def _check_rules(source: Source, at: At, step: CheckSpec, known: set[str], words: Vocabulary) -> None:
    for number, name in enumerate(step.rules):
        here = (*at, "rules", number)
        if one_of(source, here, name, words.rules, "rule"):
            for fact in words.rules[name].reads:
                if fact not in known:
                    wrong = f"{name} looks at {fact!r}, which is no fact of this procedure; {allowed_words(known)}"
                    source.wrong(here, wrong, code="unknown-fact", text=name)
    for code in step.on_fail.targets if step.on_fail else ():
        one_of(source, (*at, "on_fail", code), code, ("default", *step.rules), "rule of this step")


def _check_call(source: Source, at: At, step: CallSpec, known: set[str], words: Vocabulary) -> None:
    if step.save_as in words.fields:
        source.wrong((*at, "save_as"), f"{step.save_as!r} is a field; a result has a name of its own", code="taken")
    check_called(source, at, step.tool, step.args, known, words.fields, words.tools)


def _check_tiers(source: Source, at: At, step: ApproveSpec, known: set[str], words: Vocabulary) -> None:
    one_of(source, (*at, "amount"), step.amount, known, "fact of this procedure")
    if step.cumulative is not None:
        one_of(source, (*at, "cumulative", "by"), step.cumulative.by, known, "fact of this procedure")
        if step.cumulative.paid is not None:
            head = step.cumulative.paid.partition(".")[0]
            one_of(source, (*at, "cumulative", "paid"), head, known, "fact of this procedure")
    levels = {"auto", *words.authority.levels}
    last = None
    for number, tier in enumerate(step.tiers):
        here = (*at, "tiers", number)
        one_of(source, (*here, "level"), tier.level, levels, "level")
        if number and last is None:
            wrong = "the tier before has no max and takes every amount; this one is never reached"
            source.wrong(here, wrong, code="tier-overlap")
        elif last is not None and tier.max is not None and tier.max <= last:
            source.wrong((*here, "max"), f"tiers rise: {tier.max} is not above {last}", code="tier-overlap")
        _check_clocks(source, here, tier, words)
        last = tier.max
    if last is not None:
        source.wrong((*at, "tiers"), f"amounts above {last} have no tier; end with one that has no max", code="tier-gap")
    for key, targets in step.targets().items():
        for code in targets.targets:
            one_of(source, (*at, key, code), code, {"default", *(tier.level for tier in step.tiers)}, "level of this step")


def _check_clocks(source: Source, at: At, tier: Tier, words: Vocabulary) -> None:
    """Clocks need somebody to wait for and go off one after the other; escalation needs a level above."""
    hours = words.authority.hours(tier.level)
    before = ""
    for key, span in tier.clocks.items():
        if tier.level == "auto":
            source.wrong((*at, key), "'auto' waits for nobody, so it has no clocks")
        elif before and span.length(hours) <= tier.clocks[before].length(hours):
            source.wrong((*at, key), f"it must be longer than {before}")
        before = key
    level = words.authority.levels.get(tier.level)
    if tier.escalate_after is not None and level is not None and words.authority.next_level(level.name) is None:
        source.wrong((*at, "escalate_after"), f"no level is above {level.name!r}; leave it out")

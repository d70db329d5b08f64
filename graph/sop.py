"""A procedure: YAML in, a checked `Sop` out. Every mistake is named with file, line, key and what was allowed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from graph import reach
from graph.draft import draft_of
from graph.fields import FieldSpec
from graph.model import Text
from graph.phrases import catalogue
from graph.sop_file import Vocabulary
from graph.sources import Source, load
from graph.steps import KINDS, AnySpec, ApproveSpec, CheckSpec, ChooseSpec, WaitSpec
from graph.ways import tools_of

__all__ = ["Sop", "Vocabulary", "digest_of", "parse_sop", "reopen"]


@dataclass(frozen=True)
class Sop:
    """A procedure that has been checked. `digest` is of its text, `judged` says which facts each rule looks at,
    `own_fields` are those that it defines itself, `called` the words that ask for it by themselves. Of an `internal` one
    nobody hears: a command starts it. `exclusive` is the field of which each value has one open case at most. `writing` are
    the steps that may write."""

    name: str
    title: Text
    description: Text
    fields: tuple[str, ...]
    steps: tuple[AnySpec, ...]
    text: str
    digest: str
    judged: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    own_fields: Mapping[str, FieldSpec] = field(default_factory=dict, compare=False)
    internal: bool = False
    called: tuple[str, ...] = ()
    exclusive: str = ""
    writing: frozenset[str] = field(default=frozenset(), compare=False)
    _reads: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _ahead: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _leads: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _reached: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _held: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

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
        """The steps from `step_id` on, up to the next that may wait for a person."""
        found: list[AnySpec] = []
        for step in self.from_(step_id):
            if KINDS[step.kind].pauses:
                break
            found.append(step)
        return tuple(found)

    def before(self, step_id: str) -> tuple[AnySpec, ...]:
        """The steps before `step_id`."""
        return self.steps[: len(self.steps) - len(self.from_(step_id))]

    def ahead(self, step_id: str) -> tuple[str, ...]:
        """The facts that the steps before the next pause read and do not make themselves, wherever `step_id` leads."""
        if step_id not in self._ahead:
            ways = (self._wanted(step_id, self.before_pause(start)) for start in self.leads(step_id))
            self._ahead[step_id] = tuple(dict.fromkeys(name for names in ways for name in names))
        return self._ahead[step_id]

    def leads(self, step_id: str) -> tuple[str, ...]:
        """Where the case goes on when this step is through; from an approval, where approving can lead."""
        if step_id not in self._leads:
            step, following = self.step(step_id), self.after(step_id)
            own = (following,) if following is not None else ()
            self._leads[step_id] = reach.starts(self.steps, step) if isinstance(step, ApproveSpec) else own
        return self._leads[step_id]

    def reaches(self, step_id: str, other: str) -> bool:
        """Whether an approval of `step_id` lets `other` happen: it can be come to before it is asked again."""
        if step_id not in self._reached:
            self._reached[step_id] = reach.reached(self.steps, step_id, self.leads(step_id))
        return other in self._reached[step_id]

    def beyond(self, step_id: str, *starts: str) -> tuple[str, ...]:
        """What an approval is held to (law 7) that leads to one of `starts`; without any, wherever it can lead: the amount
        and its subject, and what the steps that can be come to look at."""
        key = (step_id, *(starts or self.leads(step_id)))
        if key not in self._held:
            self._held[key] = self._beyond(step_id, key[1:])
        return self._held[key]

    def _beyond(self, step_id: str, starts: tuple[str, ...]) -> tuple[str, ...]:
        step = self.step(step_id)
        within = reach.reached(self.steps, step_id, starts)
        looked = {each.id: self._looked_at(each) for each in self.steps}
        found = reach.wanted(self.steps, looked, self.told, self.writing, within, starts)
        # What the options' conditions look at decides where they lead; the desk may make it anew on the way.
        weighed = step.weighs() if isinstance(step, ApproveSpec) else ()
        found |= set(looked[step_id]) - (reach.derived(self.steps, within) - set(weighed))
        known = (*weighed, *(name for names in (looked[step_id], *looked.values()) for name in names))
        left = reach.decided(self.steps, within, step_id).difference(self.told, weighed)
        return tuple(dict.fromkeys(name for name in known if name in found and name not in left))

    def _wanted(self, step_id: str, steps: tuple[AnySpec, ...]) -> tuple[str, ...]:
        made = set(self.step(step_id).writes())
        found: list[str] = []
        for step in steps:
            found += [name for name in self._looked_at(step) if name not in made]
            made |= set(step.writes())
        return tuple(dict.fromkeys(found))

    def reads(self, step_id: str) -> tuple[str, ...]:
        """The facts that make `step_id` be carried out anew when they change; a decision hangs on what it decides."""
        if step_id not in self._reads:
            step = self.step(step_id)
            bound = self.ahead(step_id) if KINDS[step.kind].binds else ()
            self._reads[step_id] = tuple(dict.fromkeys((*self._looked_at(step), *bound)))
        return self._reads[step_id]

    def _looked_at(self, step: AnySpec) -> tuple[str, ...]:
        rules = step.rules if isinstance(step, CheckSpec) else ()
        return tuple(dict.fromkeys((*step.reads(), *(name for rule in rules for name in self.judged.get(rule, ())))))

    @property
    def told(self) -> tuple[str, ...]:
        """The facts that people tell: said at the opening, or asked for by a step."""
        asked = (name for step in self.steps for name in step.writes() if name not in step.derives())
        return tuple(dict.fromkeys((*self.fields, *asked)))

    @property
    def listened(self) -> tuple[str, ...]:
        """The fields that words may tell by the way, whatever is waited for."""
        listening = (step.listen for step in self.steps if isinstance(step, ChooseSpec | WaitSpec))
        return tuple(dict.fromkeys(name for names in listening for name in names))

    @property
    def amount(self) -> str:
        """The fact that says how much money it is about: what its approval goes by; empty where nothing is approved."""
        return next((step.amount for step in self.steps if isinstance(step, ApproveSpec)), "")

    @property
    def approves(self) -> bool:
        """Whether something in it is decided by an approver."""
        return any(isinstance(step, ApproveSpec) for step in self.steps)

    @property
    def noun(self) -> Text:
        """What headlines call it: the catalogue's word for it where there is one, else its title."""
        known = catalogue().get(f"sops.{self.name}")
        title = Text(zh=self.title.zh or self.name, en=self.title.en or self.name.replace("_", " "))
        return known or title


def parse_sop(source: Source, words: Vocabulary) -> Sop | None:
    """The procedure of one file. None, with the mistakes in the source, when something is wrong."""
    draft = draft_of(source, words)
    if draft is None or source.found:
        return None
    file = draft.file
    return Sop(
        name=file.name,
        title=file.title,
        description=file.description,
        fields=file.told,
        own_fields=file.own_fields,
        internal=file.internal,
        called=(*file.called.zh, *file.called.en),
        exclusive=file.exclusive or "",
        steps=file.steps,
        text=source.text,
        digest=digest_of(source.text),
        judged={name: rule.reads for name, rule in words.rules.items()},
        writing=frozenset(step.id for step in file.steps if any(_writes(name, words) for name in tools_of(step))),
    )


def _writes(tool: str, words: Vocabulary) -> bool:
    return tool not in words.tools or words.tools[tool].write


def reopen(name: str, text: str, words: Vocabulary) -> Sop | None:
    """The procedure that a run has kept; None when today's tools and fields no longer carry it."""
    return parse_sop(load(name, text), words)


def digest_of(text: str) -> str:
    """The digest of a procedure's text, 16 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]

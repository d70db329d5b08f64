"""One turn of one run: the services that steps use, bound to the event and the fence of whoever works on the thread."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TypeVar

from pydantic import BaseModel

from graph import standing
from graph.answering import passage_on
from graph.coach.drill import take
from graph.coach.scenario import Scenario
from graph.coach.state import DrillState
from graph.commitments import Commitments
from graph.context import Context, Pick, Situation
from graph.corrections import resume_at
from graph.engine import Engine
from graph.errors import ApprovalBroken
from graph.fields import FieldSpec
from graph.json_text import canonical
from graph.metering import Meter, measure
from graph.model import Event, Fact, JsonValue, Passage, Problem, Route, Text
from graph.picks import Picked, ask_pick
from graph.reading import Reading, extract
from graph.recording import Asked, Calls, recorded_call
from graph.sop import Sop
from graph.staking import arguments_at, note_payment, tool_at
from graph.state import Channels, RunState
from graph.steps import CallSpec, CheckSpec
from graph.tools.calling import Effect
from graph.tools.spec import ToolSpec

R = TypeVar("R", bound=BaseModel)


@dataclass
class Turn:
    """What LangGraph hands to each node. `now` is when the event was stored, so that a replay agrees. `known` is a value of
    the channel and the run that it is; to change a run is to set its fields anew, so that a shallow copy is enough.
    `queue`: what waits behind the run from this event on; None where that stays as it was. `holds` is the value that the
    case was seen to have in this turn. `calls` are those of the back office in it, `planned` is the run that it opened."""

    engine: Engine
    event: Event
    fence: int
    known: tuple[object, RunState] | None = None
    queue: Sequence[RunState] | None = None
    meter: Meter = field(default_factory=Meter)
    holds: str = ""
    calls: Calls = field(default_factory=Calls)
    planned: JsonValue = None

    def load(self, state: Channels) -> RunState:
        """The run out of the channels, for whoever may change it. What is known is not validated again."""
        measure(self.meter)
        if self.known is not None and self.known[0] is state["run"]:
            return self.known[1].model_copy()
        return RunState.load(state)

    def dump(self, run: RunState) -> Channels:
        """The run as plain JSON, for the node after. Whoever dumps a run is done with it."""
        run.tokens_read, run.tokens_written = run.tokens_read + self.meter.read, run.tokens_written + self.meter.written
        self.meter = Meter()
        channels = run.dump()
        self.known = channels["run"], run
        return channels

    async def read_once(self, place: str, reading: Callable[[], Awaitable[R]], shape: type[R]) -> R:
        """What a model reads at `place`, once for this event: a replay of the turn gets the same, so that a write it had
        begun comes with the same arguments."""
        readings = self.engine.readings
        if self.engine.llm is None or readings is None:
            return await reading()
        kept = await readings.recall(self.event.id, place)
        if kept is not None:
            return shape.model_validate(kept)
        found = await reading()
        await readings.keep(self.event.id, place, found.model_dump(mode="json"))
        return found

    @cached_property
    def now(self) -> str:
        """The turn's time, ISO 8601."""
        return self.event.at.isoformat()

    def begin(self, run: RunState, event: Event) -> None:
        """Note the event in the run; it is not applied again."""
        run.remember(event.id, event.at.isoformat())
        run.names = {**run.names, event.actor.id: event.actor.name}
        run.replies, run.log = [], []
        if self.queue is not None:
            run.queue = list(self.queue)

    def context(self, run: RunState, event: Event) -> Context:
        """The turn as a step sees it."""
        words, services = self.engine.library.words, BoundServices(self, run, self.engine.sop_of(run))
        return Context(
            services=services,
            commits=services.commits,
            now=self.now,
            actor=event.actor,
            owner=run.owner,
            opener=run.opener,
            lang=run.lang,
            event=event.id,
            fields=self.engine.fields_of(run),
            rules=words.rules,
            tools=words.tools,
            authority=words.authority,
            owners=run.owners,
            scenarios=words.scenarios,
        )


@dataclass
class BoundServices:
    """The services of `graph.context`, for one run in one turn."""

    turn: Turn
    run: RunState
    sop: Sop
    commits: Commitments = field(init=False)

    def __post_init__(self) -> None:
        self.commits = Commitments(self.turn.engine, self.run, self.sop, self.turn.fence)

    async def call(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact:
        """See `graph.context.Services`. The effect's key is the same on every retry and replay of this step."""
        turn, engine, run = self.turn, self.turn.engine, self.run
        spec, asked, effect = engine.library.words.tools[tool], Asked(step, tool, arguments), None
        if spec.write:
            broken = self.commits.broken(step)
            if broken is not None:
                raise ApprovalBroken(*broken)
            key, owed = self._key(step), turn.calls.owed
            effect = Effect(
                key=key,
                digest=asked.digest,
                thread=run.thread,
                fence=turn.fence,
                turn=turn.calls.begin(turn.event, key, turn.planned),
                again=bool(owed),
                known=owed not in ("", key),
                resend=spec.key == "honoured",
            )
        result = await recorded_call(engine.door, run, asked, effect, turn.calls, at=turn.now)
        if spec.write:
            self._wrote(step, spec, arguments, result)
        return result

    def stands(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> bool:
        """See `graph.context.Services`."""
        return standing.stands(self.run, step, tool, arguments)

    def recall(self, step: str, tool: str, arguments: Mapping[str, Fact]) -> Fact | None:
        """See `graph.context.Services`."""
        return standing.take_down(self.run, step, tool, arguments)

    async def settle(self, step: str, *, done: bool) -> None:
        """See `graph.context.Services`."""
        if done:
            tools = self.turn.engine.library.words.tools
            self._wrote(step, tools[tool_at(self.sop, step)], arguments_at(self.sop, step, self.run.facts, tools), None)
        elif self.turn.calls.owed != self._key(step):
            # What this very turn began after the person had spoken is not what the person spoke of.
            await self.turn.engine.door.journal.discard(self._key(step), self.run.thread, self.turn.fence)

    async def read(self, text: str, fields: Sequence[FieldSpec], prompt: Text | None) -> Reading:
        """See `graph.context.Services`."""
        engine, known, place = self.turn.engine, self.run.facts, ",".join(field.name for field in fields)
        all_fields, today = engine.fields_of(self.run), engine.today(self.turn.event.at)
        told, talking = [all_fields[name] for name in self.sop.told], not self.sop.approves
        reading = partial(
            extract, text, fields, prompt, engine.llm, known=known, told=told, today=today, talking=talking
        )
        return await self.turn.read_once(place, reading, Reading)

    def ahead(self, step: str) -> tuple[str, ...]:
        """See `graph.context.Services`."""
        return self.sop.ahead(step)

    def routes(self, step: str, facts: Mapping[str, Fact]) -> list[Route]:
        """See `graph.context.Services`."""
        for spec in self.sop.from_(step):
            if not isinstance(spec, CallSpec):
                continue
            preview = self.turn.engine.library.words.tools[spec.tool].preview
            if preview is not None:
                return preview(spec.known_arguments(facts), facts)
        return []

    def digest(self, names: Sequence[str], facts: Mapping[str, Fact]) -> str:
        """See `graph.context.Services`."""
        decided = {name: facts[name].essence() for name in names if name in facts}
        return _hash(self.sop.digest, canonical(decided))

    def correct(self, changed: Mapping[str, Fact]) -> str:
        """See `graph.context.Services`."""
        return resume_at(self.sop, self.run.cursor or self.sop.steps[0].id, changed)

    def heard(self, fields: Sequence[str]) -> list[Problem]:
        """See `graph.context.Services`."""
        return [problem for problem in self.run.heard if problem.field in fields]

    def next_request(self, step: str) -> str:
        """See `graph.context.Services`."""
        return self.run.visit(step)

    def notes(self) -> Mapping[str, JsonValue]:
        """See `graph.context.Services`."""
        return self.run.notes

    async def pick(self, situation: Situation) -> Pick | None:
        """See `graph.context.Services`. What is no answer of the asked shape counts as none: the file's order decides."""
        llm = self.turn.engine.llm
        if llm is None:
            return None
        return (await self.turn.read_once(situation.place, lambda: ask_pick(llm, situation), Picked)).pick

    def rules_before(self, step: str) -> tuple[str, ...]:
        """See `graph.context.Services`."""
        return tuple(rule for spec in self.sop.before(step) if isinstance(spec, CheckSpec) for rule in spec.rules)

    def policy(self, words: str) -> Passage | None:
        """See `graph.context.Services`."""
        return passage_on(words, self.turn.engine.library.handbook)

    async def practise(self, scenario: Scenario, state: DrillState, text: str) -> DrillState:
        """See `graph.context.Services`."""
        llm = self.turn.engine.llm
        return await self.turn.read_once("drill", lambda: take(scenario, state, text, llm), DrillState)

    def _wrote(self, step: str, tool: ToolSpec, arguments: Mapping[str, Fact], result: Fact | None) -> None:
        self.run.written = [*self.run.written, step]
        note_payment(self.run, self.sop, tool, arguments, result, self.turn.engine.library.words.tools)

    def _key(self, step: str) -> str:
        """The key of this step's effect: the same on every retry and replay."""
        return _hash(self.run.run, step, str(self.run.repeats.get(step, 0)))[:32]


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()

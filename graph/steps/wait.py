"""`wait`: for a length of time, until a time, or until somebody says what is listened for. Survives restarts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from graph.context import Context
from graph.errors import MissingFact
from graph.model import Event, Fact, Goto, JsonValue, Move, Next, Reply, Request, Stay, Stop, Timer, TrailEntry
from graph.phrases import text
from graph.steps.alarms import PROGRESS, progress, rung
from graph.steps.asking import answer_entry, answer_shown, closed, hear
from graph.steps.base import Argument, ByCode, StepKind, StepSpec, Targets, Transition, Words
from graph.steps.book import Book
from graph.steps.durations import after, seconds_of
from graph.steps.promised import gaps, told
from graph.steps.waiting import Listen, OnMessage, kept_on, still_waiting, way_of


def _length(given: object) -> object:
    """A length such as 12h becomes its seconds; anything else is an expression that gives seconds or such a length."""
    seconds = seconds_of(given) if isinstance(given, str) else None
    if seconds == 0:
        raise ValueError("a wait lasts a second at least")
    return given if seconds is None else seconds


class WaitSpec(StepSpec):
    """Either `for` or `until` says how long; without both, only a message ends it."""

    model_config = ConfigDict(populate_by_name=True)

    kind: Literal["wait"]
    for_: Annotated[Argument, BeforeValidator(_length)] | None = Field(
        default=None, alias="for", description="30s, 2m, 12h, 3d, or an expression that gives such a length or seconds"
    )
    until: Argument | None = Field(default=None, description="an expression that gives a day or a time (ISO 8601)")
    then: Targets | None = Field(default=None, description="where to go when the time has come; else the next step")
    on_message: OnMessage | None = Field(default=None, description="what is listened for meanwhile")
    listen: Listen = ()
    watch: tuple[Transition, ...] = Field(
        default=(), description="what calls for another step once words tell of it; once, until its facts change"
    )
    prompt: Words | None = Field(default=None, description="the answer to: why do you wait?")
    tell: Words | None = Field(
        default=None, description="what the customer may be told; {fact.path} stands for what a tool gave"
    )

    @model_validator(mode="after")
    def _one_end(self) -> WaitSpec:
        if self.for_ is not None and self.until is not None:
            raise ValueError("a wait ends after `for` or at `until`, not both")
        if self.for_ is None and self.until is None and not (self.on_message and self.on_message.on):
            raise ValueError("a wait needs an end: `for`, `until` or `on_message` with `on`")
        return self

    def own_reads(self) -> tuple[str, ...]:
        """What its end and its transitions look at, but for what is listened for."""
        ends = [name for each in (self.for_, self.until) if each for name in each.names]
        told = (*(self.on_message.fields if self.on_message else ()), *self.listen)
        spoken = gaps(self.tell) if self.tell else ()
        seen = [*ends, *spoken, *(name for _, each in self.transitions() for name in each.names())]
        return tuple(dict.fromkeys(name for name in seen if name not in told))

    def writes(self) -> tuple[str, ...]:
        """What is listened for, and why it was left for another step."""
        heard = (*(self.on_message.fields if self.on_message else ()), *self.listen)
        return (*heard, PROGRESS) if self.watch else heard

    def derives(self) -> tuple[str, ...]:
        """Nothing of what a person tells."""
        return (PROGRESS,) if self.watch else ()

    def needs(self) -> tuple[str, ...]:
        """What says how long."""
        return tuple(name for each in (self.for_, self.until) if each for name in each.names)

    def passes(self) -> bool:
        """When the time has come, unless `then` says where to; a wait for words alone leads where they do."""
        return self.then is None and (self.for_ is not None or self.until is not None)

    def targets(self) -> dict[str, ByCode]:
        """Where it leads when the time has come."""
        return {"then": self.then} if self.then else {}

    def transitions(self) -> tuple[tuple[tuple[str | int, ...], Transition], ...]:
        """Where messages lead."""
        listed = self.on_message.on if self.on_message else ()
        told = [(("on_message", "on", number), each) for number, each in enumerate(listed)]
        return (*told, *((("watch", number), each) for number, each in enumerate(self.watch)))


class Wait(StepKind[WaitSpec]):
    """The kind `wait`."""

    name = "wait"
    spec = WaitSpec
    pauses = True

    async def run(self, spec: WaitSpec, facts: Mapping[str, Fact], ctx: Context) -> Move:
        """Set the clock, or go on when its time is past."""
        try:
            due = _due(spec, facts, ctx.now)
        except (MissingFact, ValueError) as error:
            return Stop(
                step=spec.id,
                why=text("engine.no_time", step=spec.id),
                next=text("engine.missing_fact_next"),
                trail=[TrailEntry(step=spec.id, what="stop", at=ctx.now, reason=str(error))],
            )
        if due is not None and due <= ctx.now:
            return _over(spec, ctx)
        said, notes = _told(spec, facts, ctx)
        values: dict[str, JsonValue] = {"until": due or ""}
        if said and said[0].text:
            values["told"] = said[0].text.in_(ctx.lang)
        request = ctx.services.next_request(spec.id)
        timers = [] if due is None else [Timer(id=f"{request}/due", due=due)]
        return Stay(
            request=Request(
                id=request, kind="wait", step=spec.id, made_at=ctx.now, prompt=spec.prompt, timers=timers
            ),
            trail=[TrailEntry(step=spec.id, what="wait", at=ctx.now, values=values)],
            replies=said,
            notes=notes,
        )

    async def answered(
        self, spec: WaitSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Move:
        """The time has come, or something was said: where it leads, or on with waiting."""
        if event.kind == "timer":
            return _over(spec, ctx).model_copy(update={"closed": closed(request, event, ctx, "resumed")})
        answers = spec.on_message.fields if spec.on_message else ()
        taken = await hear(request, event, ctx, answers, spec.listen)
        # What was told before this wait is no answer to it.
        known = {name: fact for name, fact in facts.items() if name not in answers}
        found = way_of(spec.on_message, {**known, **taken.facts})
        alarm = rung(spec.watch, {**facts, **taken.facts}, ctx, Book.open(ctx)) if taken.facts and not found else None
        way = alarm.way if alarm else found
        if way is None:
            return kept_on(request, event, ctx, taken)
        left = {PROGRESS: progress(spec.id, "", "watch", alarm.why, ctx.now)} if alarm else {}
        entry = TrailEntry(
            step=spec.id, what="wait", at=ctx.now, by=ctx.actor.id, goto=way.goto, reason="watch" if alarm else ""
        )
        return Goto(
            to=way.goto,
            set={**taken.facts, **left},
            drop=list(way.reset),
            trail=[answer_entry(spec.id, taken, ctx), entry],
            closed=closed(request, event, ctx, "answered", answer=answer_shown(taken.facts, ctx.fields, ctx)),
            model_calls=taken.model_calls,
            notes=alarm.book.kept() if alarm else {},
        )

    def refusal(
        self, spec: WaitSpec, facts: Mapping[str, Fact], request: Request, event: Event, ctx: Context
    ) -> Reply | None:
        """Where nothing is listened for, words change nothing."""
        if event.kind == "timer" or (event.kind == "message" and (spec.on_message or spec.listen)):
            return None
        return still_waiting(request, event)


def _told(spec: WaitSpec, facts: Mapping[str, Fact], ctx: Context) -> tuple[list[Reply], dict[str, JsonValue]]:
    """What the customer may be told now, once for the same words; nothing where the guard on promises refuses it."""
    words = told(spec.tell, facts) if spec.tell else None
    note = f"told.{spec.id}"
    if words is None or ctx.services.notes().get(note) == words.zh:
        return [], {}
    return [Reply(kind="note", to=ctx.owner.id, text=words)], {note: words.zh}


def _over(spec: WaitSpec, ctx: Context) -> Next | Goto:
    target = spec.then.of("default") if spec.then else None
    entry = TrailEntry(step=spec.id, what="wait", at=ctx.now, goto=target.goto if target else None)
    return Goto(to=target.goto, drop=list(target.reset), trail=[entry]) if target else Next(trail=[entry])


def _due(spec: WaitSpec, facts: Mapping[str, Fact], now: str) -> str | None:
    """When the wait ends, ISO 8601 with a zone. MissingFact; ValueError for what is neither a length nor a time."""
    if spec.for_ is not None:
        length = spec.for_.value(facts).value
        seconds = length if isinstance(length, int) else seconds_of(str(length))
        if seconds is None:
            raise ValueError(f"{length!r} is no length of time")
        return after(now, seconds)
    if spec.until is None:
        return None
    written = str(spec.until.value(facts).value)
    at = datetime.combine(date.fromisoformat(written), time.max) if len(written) == 10 else datetime.fromisoformat(written)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(datetime.fromisoformat(now).tzinfo).isoformat()

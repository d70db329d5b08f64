"""Plays a dialogue on the engine, without Slack: each turn is an event, and what comes of it is compared with the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol

from graph.dialogues.format import Dialogue, TurnOf
from graph.errors import SopdeskError
from graph.model import Actor, Event, JsonValue, Outcome, RequestView, RunView, Timer
from graph.runner import Runner
from graph.steps import ApproveSpec

AGENT: Final = Actor(id="agent", name="agent", lang="zh")
_CLOCK: Final = Actor(id="timer", name="timer")
_TURN: Final = timedelta(minutes=1)
_BEGIN: Final = datetime(2026, 9, 4, 6, 0, tzinfo=UTC)
"""A Friday within the office hours of the shipped levels: the day on which every dialogue begins."""


@dataclass
class PlayClock:
    """The time in a dialogue. It moves with each turn, and to a clock of the case that goes off."""

    now: datetime = _BEGIN

    def pass_by(self, until: datetime | None = None) -> datetime:
        """One turn later, or at `until` where that is later still."""
        self.now = max(self.now + _TURN, until or self.now)
        return self.now


class Stage(Protocol):
    """What a dialogue is played on: a desk and a back office of its own."""

    @property
    def runner(self) -> Runner: ...
    @property
    def clock(self) -> PlayClock: ...
    @property
    def called(self) -> Sequence[str]: ...
    async def advance(self, event: Event) -> list[Outcome]: ...
    async def words_of(self, outcomes: Sequence[Outcome]) -> str: ...
    def pick(self, actions: Sequence[str]) -> None: ...
    async def switch(self, states: Mapping[str, Mapping[str, str | bool]]) -> None: ...


class Played(NamedTuple):
    """What came of a dialogue: what was not as the file says, in the order of the file, and its cases."""

    dialogue: Dialogue
    wrong: list[str]
    views: list[RunView]


class CannotPlay(SopdeskError):
    """A turn cannot be carried out."""


async def play(dialogue: Dialogue, stage: Stage) -> Played:
    """Play it to its end, or to the first turn after which something is not as the file says."""
    play_ = _Play(dialogue, stage)
    wrong: list[str] = []
    for number, turn in enumerate(dialogue.turns, 1):
        try:
            found = await play_.turn(turn)
        except SopdeskError as error:
            found = [str(error)]
        wrong = [f"turn {number}: {each}" for each in found]
        if wrong:
            break
    views = [view for case in play_.cases if (view := await stage.runner.show(case)) is not None]
    return Played(dialogue, wrong, views)


@dataclass
class _Play:
    dialogue: Dialogue
    stage: Stage
    cases: dict[str, None] = field(default_factory=dict)
    timers: list[Timer] = field(default_factory=list)
    events: int = 0

    async def turn(self, turn: TurnOf) -> list[str]:
        """Carry one turn out; what is not as it says."""
        before, trail = len(self.stage.called), await self._steps()
        await self.stage.switch(turn.switch)
        self.stage.pick(turn.pick)
        outcomes = await self.stage.advance(await self._event(turn))
        last = outcomes[-1]
        self.timers = list(last.timers)
        for outcome in outcomes:
            if outcome.view is not None and outcome.view.status != "answered":
                self.cases.setdefault(outcome.view.case)
        words = await self.stage.words_of(outcomes)
        wrong = list(_said_wrong(turn, words, answered=any(each.replies for each in outcomes)))
        if turn.calls is not None and list(self.stage.called[before:]) != turn.calls:
            wrong.append(f"calls are {_list(self.stage.called[before:])}, not {_list(turn.calls)}")
        view = await self.stage.runner.find(self._thread)
        if turn.outcome == "answered":
            return wrong
        if view is None:
            return [*wrong, "no case was opened: the words were not understood as a request"]
        passed = {entry.step for entry in view.trail[trail:] if entry.what == "skip"}
        wrong += [f"{step} was not skipped" for step in turn.skipped if step not in passed]
        return [*wrong, *_facts_wrong(turn, await self.stage.runner.facts(view.case)), *_end_wrong(turn, view)]

    @property
    def _thread(self) -> str:
        return f"dialogue:{self.dialogue.name}"

    async def _steps(self) -> int:
        view = await self.stage.runner.find(self._thread)
        return len(view.trail) if view is not None else 0

    async def _event(self, turn: TurnOf) -> Event:
        self.events += 1
        given: dict[str, object] = {"id": f"{self.dialogue.name}:{self.events}", "thread": self._thread}
        clock = self.stage.clock
        if turn.tick:
            if not self.timers:
                raise CannotPlay("no clock is running")
            timer = min(self.timers, key=lambda each: datetime.fromisoformat(each.due))
            at = clock.pass_by(datetime.fromisoformat(timer.due))
            given |= {"id": f"timer:{timer.id}", "kind": "timer", "actor": _CLOCK, "timer": timer.id}
        elif turn.say is not None:
            at = clock.pass_by()
            given |= {"kind": "message", "actor": AGENT, "text": turn.say, "said_at": at}
        else:
            at = clock.pass_by()
            given |= await self._decision(turn)
        return Event.model_validate(given | {"at": at})

    async def _decision(self, turn: TurnOf) -> dict[str, object]:
        view = await self.stage.runner.find(self._thread)
        request = view.open_request() if view is not None else None
        if view is None or request is None or request.kind != "approve":
            raise CannotPlay("no approval waits")
        authority = self.stage.runner.engine.library.words.authority
        level = turn.by or request.level or ""
        option = self._option(turn, view, request) if turn.option else ""
        listed = [person for person in authority.listed(level) if person not in request.barred]
        voted = {vote.by: vote.option for vote in request.counted}
        # Where all have voted, the first who had chosen otherwise changes it.
        who = next((each for each in listed if each not in voted), None) or next(
            (each for each in listed if option and voted[each] != option), None
        )
        if who is None:
            raise CannotPlay(f"nobody at level {level!r} in approvals.yaml may decide this")
        values = {"option": option} if option else {}
        return {
            "kind": "decision",
            "actor": Actor(id=who, name=who),
            "request": request.id,
            "verdict": turn.decide,
            "reason": turn.reason,
            "values": values,
        }

    def _option(self, turn: TurnOf, view: RunView, request: RequestView) -> str:
        step = self.stage.runner.engine.library.sops[view.sop].step(request.step.id)
        options = step.options if isinstance(step, ApproveSpec) else ()
        for each in options:
            if turn.option in (each.id, each.label.zh, each.label.en):
                return each.id
        raise CannotPlay(f"there is no button {turn.option!r}; there are: {_list([each.id for each in options])}")


def _said_wrong(turn: TurnOf, words: str, *, answered: bool) -> Iterator[str]:
    if turn.answer_says is not None and turn.answer_says not in words:
        yield f"the answer does not say {turn.answer_says!r}" if answered else "nothing was answered"
    yield from (f"{each!r} was said" for each in turn.never_said if each in words)


def _facts_wrong(turn: TurnOf, facts: Mapping[str, JsonValue]) -> Iterator[str]:
    for name, wanted in turn.facts.items():
        if name not in facts:
            yield f"{name} is not known; it should be {wanted!r}"
        elif str(facts[name]) != wanted:
            yield f"{name} is {str(facts[name])!r}, not {wanted!r}"
    yield from (f"{name} is known; it should not be" for name in (*turn.absent, *turn.gone) if name in facts)


def _end_wrong(turn: TurnOf, view: RunView) -> Iterator[str]:
    request, stopped = view.open_request(), view.stopped
    if turn.waits is not None:
        if request is None:
            yield f"the case is {view.status}; it should wait for {turn.waits.kind}"
        else:
            is_, named = _waits(request), turn.waits.model_dump(exclude_none=True)
            yield from (f"its {key} is {is_[key]!r}, not {want!r}" for key, want in named.items() if is_[key] != want)
    if turn.outcome is not None and view.status != turn.outcome:
        where = f"waits for {request.kind} {request.step.id}" if request is not None else f"is {view.status}"
        yield f"the case {where}; it should be {turn.outcome}"
    if turn.stopped_by is not None:
        wanted_by = (turn.stopped_by.step, turn.stopped_by.rule)
        is_by = (stopped.step, stopped.rule) if stopped is not None else ("", "")
        if is_by != wanted_by:
            yield f"it was stopped by {' '.join(is_by).strip() or 'nothing'}, not by {' '.join(wanted_by).strip()}"
    paid = [{route.kind: route.amount for route in entry.routes} for entry in view.trail if entry.routes]
    if paid != ([turn.payout] if turn.payout is not None else []):
        yield f"paid out is {paid or 'nothing'}, not {turn.payout or 'nothing'}"


def _waits(request: RequestView) -> dict[str, JsonValue]:
    missing: list[JsonValue] = [each.name for each in request.fields]
    return {"kind": request.kind, "step": request.step.id, "level": request.level, "missing": missing}


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"

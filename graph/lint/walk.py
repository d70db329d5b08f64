"""Every way through a procedure: what is known at each step, which steps are reached, how conditions turn out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from graph.lint.domains import Domains, NeedsMore, Value
from graph.sop_file import SopFile
from graph.steps import AnySpec
from graph.ways import Way, ways_of

_MOST = 20_000
"""How many states are looked at. Beyond that nothing is concluded."""


@dataclass(frozen=True)
class State:
    """At the step of this number, with these facts surely known, and these values taken on the way."""

    at: int
    known: frozenset[str]
    given: frozenset[tuple[str, Value]] = frozenset()


@dataclass
class Walked:
    """What all ways together showed. `complete`: all were gone. Steps are named by number."""

    reached: set[int] = field(default_factory=set)
    carried_out: set[int] = field(default_factory=set)
    lacked: dict[tuple[int, str], bool] = field(default_factory=dict)
    """A fact a step needs and that some way does not set; true where a way does."""
    may: dict[int, set[str]] = field(default_factory=dict)
    sure: dict[int, set[str]] = field(default_factory=dict)
    turned: dict[tuple[int, str], set[bool]] = field(default_factory=dict)
    complete: bool = True


class Walk:
    """Goes every way. `needs` says per step which facts it cannot do without, `asks` which it would ask for itself."""

    def __init__(
        self, file: SopFile, domains: Domains, needs: Mapping[int, frozenset[str]], asks: Mapping[int, frozenset[str]]
    ) -> None:
        self._steps = file.steps
        self._domains = domains
        self._needs, self._asks = needs, asks
        self._number = {step.id: number for number, step in enumerate(file.steps)}
        self._found = Walked()
        self._lacking: set[tuple[int, str]] = set()

    def go(self, known: frozenset[str] = frozenset()) -> Walked:
        """Start at the first step with what is `known` before it."""
        waiting, seen = [State(0, known)], set[State]()
        while waiting:
            state = waiting.pop()
            if state.at >= len(self._steps) or state in seen:
                continue
            seen.add(state)
            if len(seen) > _MOST:
                self._found.complete = False
                break
            waiting += self._from(state)
        found = self._found
        found.lacked = {(at, name): name in found.may.get(at, set()) for at, name in self._lacking}
        return found

    def _from(self, state: State) -> Iterator[State]:
        step, found = self._steps[state.at], self._found
        found.reached.add(state.at)
        found.may.setdefault(state.at, set()).update(state.known)
        sure = found.sure.setdefault(state.at, set(state.known))
        sure &= state.known
        for holds, after in self._tried(state, step):
            if holds:
                found.carried_out.add(state.at)
                yield from self._after(after, step)
            else:
                yield State(state.at + 1, after.known, after.given)

    def _tried(self, state: State, step: AnySpec) -> Iterator[tuple[bool, State]]:
        """How the step's condition turns out. What it looks at and nothing has set is noted, then taken as known."""
        if step.when is None:
            yield True, state
            return
        turned = self._found.turned.setdefault((state.at, "when"), set())
        try:
            holds = self._domains.holds(step.when, dict(state.given))
        except NeedsMore as more:
            missing = frozenset(more.unknown.names) - state.known
            self._lacking |= {(state.at, name) for name in missing}
            for value in more.unknown.values:
                given = state.given | {(more.unknown.key, value)}
                yield from self._tried(State(state.at, state.known | missing, given), step)
            return
        turned.add(holds)
        yield holds, state

    def _after(self, state: State, step: AnySpec) -> Iterator[State]:
        missing = self._needs.get(state.at, frozenset()) - state.known
        self._lacking |= {(state.at, name) for name in missing}
        before = state.known | missing | self._asks.get(state.at, frozenset())
        told = set(step.writes()) - set(step.derives())
        fresh = {name for name in step.writes() if name not in told or name not in before}
        done = State(state.at, before | set(step.writes()), self._without(state, fresh))
        for way in ways_of(step):
            if way.goto in self._number:
                yield self._gone(way, done if way.done else State(state.at, before, state.given))
        if step.passes():
            yield State(state.at + 1, done.known, done.given)

    def _gone(self, way: Way, state: State) -> State:
        reset = set(way.reset)
        return State(self._number[way.goto], state.known - reset, self._without(state, reset))

    def _without(self, state: State, names: set[str]) -> frozenset[tuple[str, Value]]:
        """The values that stay once these facts are others."""
        return frozenset((key, value) for key, value in state.given if not names & _names(key))


def _names(key: str) -> set[str]:
    """The facts that a value's key is about."""
    return {part.partition(".")[0] for part in key.replace("(", " ").split()}

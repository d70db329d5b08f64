"""The checkpointed state of a run: plain JSON in known shapes, because the saver bends everything else."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from pydantic import BaseModel, ConfigDict, Field

from graph.model import (
    Actor,
    ClosedRequest,
    Fact,
    Grant,
    JsonValue,
    Lang,
    LogLine,
    Move,
    Problem,
    Reply,
    Request,
    Reserved,
    Status,
    StoppedView,
    TrailEntry,
)
from graph.model.moves import Goto, Next, Stay, Stop

_KEPT_EVENTS = 200


class Channels(TypedDict, total=False):
    """The graph's channels: the run as JSON, and the event that started it."""

    run: dict[str, JsonValue]


class Sealed(BaseModel):
    """The procedure a run keeps: its digest and its text, so that editing the file never bends a running case."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    digest: str
    text: str


class RunState(BaseModel):
    """One run. `notes` are what steps remember of themselves, `visits` counts a step's requests, `done` holds the digest of
    the inputs a step was carried out with, `made` the step that set a fact, `written` the writes that are finished,
    `applied` the ids of events that have been used. `log` holds the last turn's lines of the audit log, which are stored
    once the turn is. `worded` says that the end has been put into words: nothing is left to do. By step of approval:
    `bound` holds the digests of the facts it was given for, `reserved` the stake it took, `grants` an approval of another
    amount that is on its way. `shelf` holds what reads gave before a correction, by what they were asked; see
    `graph.standing`. `left` are stakes on what the case was about before a correction, to be given back. `queue`
    are the cases that begin when this one has ended, `behind` the one that a queued case waits for. `claim` is the value
    that no other open case may have. `began` is when it became the case of its thread, `payments` how many it has made,
    `led_back` are the approvals that lead back to what they let happen, as long as they stand."""

    model_config = ConfigDict(extra="forbid")

    run: str
    case: str
    thread: str
    lang: Lang
    opener: Actor
    owner: Actor
    opened_at: str
    updated_at: str
    text: str
    mode: str = "new"
    sop: Sealed | None = None
    cursor: str | None = None
    facts: dict[str, Fact] = Field(default_factory=dict)
    made: dict[str, str] = Field(default_factory=dict)
    heard: list[Problem] = Field(default_factory=list)
    near: list[str] = Field(default_factory=list)
    notes: dict[str, JsonValue] = Field(default_factory=dict)
    visits: dict[str, int] = Field(default_factory=dict)
    done: dict[str, str] = Field(default_factory=dict)
    written: list[str] = Field(default_factory=list)
    repeats: dict[str, int] = Field(default_factory=dict)
    request: Request | None = None
    closed: list[ClosedRequest] = Field(default_factory=list)
    trail: list[TrailEntry] = Field(default_factory=list)
    status: Status = "working"
    stopped: StoppedView | None = None
    summary: str = ""
    worded: bool = False
    replies: list[Reply] = Field(default_factory=list)
    log: list[LogLine] = Field(default_factory=list)
    applied: list[str] = Field(default_factory=list)
    names: dict[str, str] = Field(default_factory=dict)
    model_calls: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    bound: dict[str, dict[str, str]] = Field(default_factory=dict)
    reserved: dict[str, Reserved] = Field(default_factory=dict)
    shelf: dict[str, Fact] = Field(default_factory=dict)
    left: list[Reserved] = Field(default_factory=list)
    claim: str = ""
    grants: dict[str, Grant] = Field(default_factory=dict)
    queue: list[RunState] = Field(default_factory=list)
    behind: str = ""
    began: str = ""
    payments: int = 0
    led_back: list[str] = Field(default_factory=list)

    @classmethod
    def load(cls, channels: Channels) -> RunState:
        """The run out of the channels."""
        return cls.model_validate(channels["run"])

    def dump(self) -> Channels:
        """The run as plain JSON."""
        return {"run": self.model_dump(mode="json", exclude_defaults=True)}

    @property
    def over(self) -> bool:
        """Whether the run has ended. Judged by its own outcome, never by LangGraph's `next` (see the store's notes)."""
        return self.status in ("done", "stopped", "cancelled", "answered")

    @property
    def owners(self) -> frozenset[str]:
        """Everybody whose case it has been: a hand-over does not undo that."""
        return self.owners_until(None) | {self.owner.id}

    def owners_until(self, at: str | None) -> frozenset[str]:
        """Everybody whose case it had been at that time; None: until now."""
        handed = [entry for entry in self.trail if entry.what == "hand_over" and (at is None or entry.at <= at)]
        return frozenset({self.opener.id, *(str(entry.values.get("to", "")) for entry in handed)} - {""})

    def began_after(self, said_at: datetime | None) -> bool:
        """Whether words are older than the case: they came late, and were meant for the one before, or for nobody."""
        return said_at is not None and self.began != "" and said_at < datetime.fromisoformat(self.began)

    @property
    def has_written(self) -> bool:
        """Whether a write has happened, be it one that is to happen once more."""
        return bool(self.written or self.repeats)

    @property
    def unfinished(self) -> bool:
        """Whether its last turn broke off: it neither waits nor has come to a worded end."""
        return self.sop is not None and (not self.worded if self.over else self.request is None)

    def remember(self, event_id: str, at: str) -> None:
        """Note that an event has been used."""
        self.applied = [*self.applied, event_id][-_KEPT_EVENTS:]
        self.updated_at = at

    def visit(self, step: str) -> str:
        """A new request id of `step`."""
        self.visits = {**self.visits, step: self.visits.get(step, 0) + 1}
        return f"{self.case}/{step}/{self.visits[step]}"

    def apply(self, move: Move) -> None:
        """Carry out what a step said. Only this moves the cursor's surroundings; the machine moves the cursor."""
        self.facts = {name: fact for name, fact in self.facts.items() if name not in move.drop} | move.set
        self._note_makers(move)
        self.trail = [*self.trail, *move.trail]
        self.replies = [*self.replies, *move.replies]
        self.model_calls += move.model_calls
        self.notes = {**self.notes, **move.notes}
        if move.closed is not None:
            self.closed = [*self.closed, move.closed]
        match move:
            case Stay():
                self.request = move.request
                self.status = "waiting"
            case Next() | Goto():
                self.request = None
                self.status = "working"
            case Stop():
                self.request = None
                self.status = move.status
                last = move.trail[-1] if move.trail else None
                self.stopped = StoppedView(
                    step=move.step,
                    rule=move.rule,
                    why=move.why,
                    next=move.next,
                    by=last.by if last else "",
                    at=last.at if last else "",
                    money_moved=self.has_written,
                    instead=move.instead,
                )

    def _note_makers(self, move: Move) -> None:
        """A step made what it sets; what a person corrects on the way back keeps its maker."""
        made = {name: step for name, step in self.made.items() if name not in move.drop}
        if self.cursor is not None and not (isinstance(move, Goto) and not move.again):
            made |= dict.fromkeys(move.set, self.cursor)
        self.made = made

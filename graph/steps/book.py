"""What the `choose` steps of a run remember: how often and when each action was taken, and what a review has answered."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from graph.context import Context
from graph.model import JsonValue
from graph.steps.durations import after

_NOTE = "choose"
GRANTS = "grants"
"""The note that counts approvals: each grants a fresh count of tries."""


class Book(BaseModel):
    """The notes, by `step.action` and digest of arguments; `sent` counts an action's writes for good, so that each has a
    key of its own. `fired` are the alarms a person was called for, `answered` those that a review has answered: by the
    digest of the facts they looked at. `grants` is the count of approvals that has been taken in."""

    model_config = ConfigDict(extra="forbid")

    actions: int = 0
    counts: dict[str, int] = {}
    last: dict[str, str] = {}
    sent: dict[str, int] = {}
    fired: dict[str, str] = {}
    answered: dict[str, str] = {}
    grants: int = 0

    @classmethod
    def open(cls, ctx: Context) -> Book:
        """The run's book, with an approval that came since taken in: counts begin anew, alarms are answered."""
        notes = ctx.services.notes()
        book = cls.model_validate(notes.get(_NOTE, {}))
        granted = notes.get(GRANTS, 0)
        if isinstance(granted, int) and granted != book.grants:
            # When each was taken stands: a person allows more queries, not faster ones.
            return cls(last=book.last, sent=book.sent, answered={**book.answered, **book.fired}, grants=granted)
        return book

    def kept(self) -> dict[str, JsonValue]:
        """The note to keep."""
        return {_NOTE: self.model_dump(mode="json", exclude_defaults=True)}

    def done(self, key: str, now: str) -> Book:
        """An action was taken and gave a result."""
        counts = {**self.counts, key: self.counts.get(key, 0) + 1}
        return self.model_copy(update={"actions": self.actions + 1, "counts": counts, "last": {**self.last, key: now}})

    def wrote(self, action: str) -> Book:
        """An action's write is finished; its next one is another."""
        return self.model_copy(update={"sent": {**self.sent, action: self.sent.get(action, 0) + 1}})

    def alarm(self, name: str, digest: str) -> Book:
        """A person is called because of these facts."""
        return self.model_copy(update={"fired": {**self.fired, name: digest}})

    def free_at(self, key: str, cooldown: int) -> str | None:
        """When the action may be taken again (ISO 8601); None for one that was not taken yet."""
        return after(self.last[key], cooldown) if key in self.last else None


def granted(ctx: Context) -> dict[str, JsonValue]:
    """The note of one more approval."""
    known = ctx.services.notes().get(GRANTS, 0)
    return {GRANTS: (known if isinstance(known, int) else 0) + 1}

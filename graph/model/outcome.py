"""What one event led to: all that whoever called the engine has to show and to do."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from graph.model.events import Event, Reply
from graph.model.facts import Lang
from graph.model.requests import Timer
from graph.model.views import RunView


class Outcome(BaseModel):
    """What one event led to. `view` is None where no case exists (a question answered, a refusal). `queued` are the cases
    that wait behind it, `follow` what happens in the thread as soon as the event is done. `first` is what came of a turn
    that had been given up, and was finished before the event was looked at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    thread: str
    event: str
    lang: Lang = "zh"
    view: RunView | None = None
    replies: list[Reply] = []
    timers: list[Timer] = []
    queued: list[RunView] = []
    follow: list[Event] = []
    turn_model_calls: int = 0
    first: Outcome | None = None

    def after(self, first: Outcome) -> Outcome:
        """The same, with what has to be said and done for a turn that was finished before. Of a case that both speak of,
        this one tells how it stands."""
        case = self.view.case if self.view is not None else ""
        elsewhere = first.view is not None and first.view.case != case
        follow = {each.case: each for each in (*self.follow, *first.follow) if each.case != case}
        return self.model_copy(
            update={
                "first": first,
                "timers": [*self.timers, *(first.timers if elsewhere else [])],
                "queued": self.queued or first.queued,
                "follow": list(follow.values()),
            }
        )

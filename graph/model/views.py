"""What people see of a run: the projection that cards, commands and the command line are made from.

Everything here is already masked; whole sensitive values never reach a view.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.model.approvals import Beside, Inquiry, Passage
from graph.model.drill import DrillView
from graph.model.facts import Fact, FactType, JsonValue, Lang, Text
from graph.model.moves import TrailEntry
from graph.model.people import Actor
from graph.model.requests import ClosedRequest, Decision, Offered, Option, Problem, RequestKind, Route


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Status = Literal["working", "waiting", "done", "stopped", "cancelled", "answered"]
StepState = Literal["done", "skipped", "now", "next"]


class Headline(_View):
    """Amount, way and procedure, as every surface opens. `amount` like `80.00 USD`; None while open.

    `priced` is false for a procedure that deals with no money: its amount is not open, it has none.
    """

    amount: str | None
    way: Text | None
    title: Text
    priced: bool = True


class ChoiceView(_View):
    """One value of a choice field. `cue` is a word that counts as having said it, for examples."""

    value: str
    label: Text
    cue: Text | None = None


class FieldView(_View):
    """A field that is asked for. `candidates` are values already named, offered as buttons."""

    name: str
    label: Text
    type: FactType
    unit: str = ""
    sensitive: bool = False
    choices: list[ChoiceView] = []
    current: str = ""
    max_length: int = 300


class FactView(_View):
    """One known fact as shown: `text` is formatted and masked in both languages, `quote` the words it came from."""

    name: str
    label: Text
    text: Text
    quote: str = ""
    by: str = ""
    at: str = ""


class StepView(_View):
    """A step's place on the case card."""

    id: str
    kind: str
    label: Text
    state: StepState
    why: Text | None = None
    note: Text | None = None


class About(_View):
    """What a request is about, as it was when the request was made. The names are those of `RunView`."""

    headline: Headline
    order: str = ""
    customer: str = ""
    product: str = ""
    order_amount: str = ""
    reason: str = ""


class RequestView(_View):
    """A request, open or closed, with all that its card shows. `due` is when it expires, `rises` when it goes to
    `next_level` (ISO 8601). Of `quorum` approvals those in `counted` are there, `votes` are all that ever came; `reminded`
    is when its level was.
    `options` are the buttons of a decision that has more than a yes and a no; `because` says why a person is needed, and
    `tries` what was done before without one, in the states of `states`; `told` is what the customer was told last."""

    id: str
    kind: RequestKind
    step: StepView
    made_at: str
    open: bool
    fields: list[FieldView] = []
    prompt: Text | None = None
    problems: list[Problem] = []
    level: str | None = None
    amount: str | None = None
    routes: list[Route] = []
    quotes: list[FactView] = []
    rules_passed: int = 0
    rules_total: int = 0
    earlier: list[ClosedRequest] = []
    closed: ClosedRequest | None = None
    replaced_by: str | None = None
    error: str | None = None
    next_level: str | None = None
    barred: list[str] = []
    about: About | None = None
    due: str | None = None
    rises: str | None = None
    quorum: int = 1
    votes: list[Decision] = []
    counted: list[Decision] = []
    reminded: str | None = None
    offers: list[Offered] = []
    remark: str = ""
    without: Text | None = None
    beside: Beside | None = None
    policy: Passage | None = None
    reasons: list[Text] = []
    inquiries: list[Inquiry] = []
    asked: Fact | None = None
    options: list[Option] = []
    because: Text | None = None
    tries: list[TrailEntry] = []
    states: dict[str, Text] = {}
    told: str = ""

    @property
    def split(self) -> bool:
        """Whether the approvals that count are for different options."""
        return len({each.option for each in self.counted}) > 1


class ResultView(_View):
    """How a finished run ended: the summary in the run's language, where the money goes, what is left to do. Where a review
    ended it, `closed_by` says who, `closed_at` when, `closed_as` by which button, `remark` why."""

    summary: str
    number: str = ""
    routes: list[Route] = []
    approver: str = ""
    note: str = ""
    closed_by: str = ""
    closed_at: str = ""
    closed_as: str = ""
    remark: str = ""


class StoppedView(_View):
    """What stood against a stopped or cancelled run. `instead` is the open case that has to do with the same."""

    step: str
    rule: str = ""
    why: Text
    next: Text | None = None
    by: str = ""
    at: str = ""
    money_moved: bool = False
    instead: str = ""


class RunView(_View):
    """A whole run as shown. `behind` is the case that a queued one waits for."""

    case: str
    thread: str
    sop: str
    version: str
    lang: Lang
    status: Status
    opener: Actor
    owner: Actor
    opened_at: str
    updated_at: str
    headline: Headline
    order: str = ""
    customer: str = ""
    product: str = ""
    order_amount: str = ""
    reason: str = ""
    steps: list[StepView] = []
    facts: list[FactView] = []
    correctable: list[FieldView] = []
    trail: list[TrailEntry] = []
    requests: list[RequestView] = []
    waiting: str | None = None
    behind: str = ""
    result: ResultView | None = None
    stopped: StoppedView | None = None
    plain: dict[str, JsonValue] = {}
    model_calls: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    drill: DrillView | None = None

    def open_request(self) -> RequestView | None:
        """The request that waits, or None."""
        return next((request for request in self.requests if request.id == self.waiting), None)

"""What comes in from people and clocks, and what is said back without changing a case."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.model.facts import Text
from graph.model.people import Actor, Said

EventKind = Literal[
    "message",  # words said in the thread
    "answer",  # choice buttons or a form that answer an `ask` or a `confirm`
    "decision",  # approve (another amount: `values["amount"]`) or reject, on an approval card
    "inquire",  # an approver's question to the requester, in `text`
    "correct",  # the form that corrects fields of an open case
    "cancel",
    "hand_over",
    "retry",  # of a step that waits for the back office
    "settle",  # a lead says what became of a write whose result is unknown: `values["outcome"]` is paid or unpaid
    "queue",  # a request is to be carried out behind the case that is open: `text`; `values` say whose and which it is
    "apart",  # such a request is to have a thread of its own
    "start",  # a queued case begins: `case`
    "begin",  # of the procedures that words came near one was chosen: `text`; `values` say whose, which, and the procedure
    "show",  # facts, trail or help; changes nothing
    "timer",
    "practise",  # opens a drill: `values["scenario"]` is which
]
Verdict = Literal["approve", "reject"]
Shown = Literal["facts", "trail", "help"]


class Event(BaseModel):
    """One thing that happened. `id` is unique and the same on every redelivery; `at` is when it was stored.

    `private` asks for an answer that only the actor sees. `addressed` is false for words in a thread that do not name
    the bot: they may be for somebody else, so only what is understood is answered once no case waits there.
    `mentioned` are the people that the words name, the bot left out. `quotes` are the words that each of `values` was
    taken from, where they were said.
    `request` names the request that is answered. `values` are the raw words of a form, or the value of a choice,
    by field. `said_at` is the platform's own time of the message.

    `further` are the requests that the same words make after the first, `also` further values of the field that is
    answered: each is carried out by a case of its own, behind this one. `case` is the case that a press or a form is
    about, and the queued one that begins or is dropped; versions before stored it of a cancel and a start alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    thread: str
    kind: EventKind
    actor: Actor
    at: datetime
    said_at: datetime | None = None
    text: Said = ""
    request: str | None = None
    values: dict[str, Said] = {}
    quotes: dict[str, Said] = {}
    verdict: Verdict | None = None
    reason: Said = ""
    to: Actor | None = None
    mentioned: tuple[Actor, ...] = ()
    further: tuple[Said, ...] = ()
    also: tuple[Said, ...] = ()
    case: str = ""
    shown: Shown | None = None
    private: bool = False
    addressed: bool = True
    timer: str | None = None

    @property
    def about(self) -> str:
        """The case that an act of a person's names, itself or by its request; '' where it is whichever is open."""
        return "" if self.kind in ("start", "timer") else self.case or (self.request or "").partition("/")[0]


ReplyKind = Literal["policy", "no_policy", "facts", "trail", "help", "note", "refused"]
ReplyCode = Literal[
    "",
    "not_listed",  # may not decide at this level
    "foreign",  # of another team than the desk's
    "own_facts",  # supplied a fact that is decided on
    "own_facts_of",  # stands in for somebody who supplied one
    "voted",  # has approved already; counted once
    "voted_for",  # the person they stand in for, or who stands in for them, has approved already
    "counted",  # an approval that is not yet the last one needed
    "expired",  # nobody decided in time
    "passed",  # it went to the next level
    "resubmit",  # after an expiry: submit again, correct or cancel
    "changed",  # the facts are no longer those of the card
    "decided",  # somebody decided before
    "withdrawn",  # the case was cancelled, and the request with it
    "stale",  # the request was answered, withdrawn or replaced
    "not_lead",  # only a lead settles a write whose result is unknown
    "still_parked",  # until a lead settles it
    "not_yours",  # only the case's agent or a lead
    "no_case",
    "already_paid",
    "nothing_to_retry",
    "no_reason",  # a rejection, or another amount, without a reason
    "amount",  # another amount could not be taken; `text` says why
    "raised",  # approved, but with what has come beside it the tier is a higher one
    "against",  # a rule stands against the other amount; `text` says which
    "said_earlier",  # words that were said before the case began; `values` name it
    "said_before",  # a typed yes that was said before the question was put
    "field",  # a corrected field could not be taken; `text` says why
    "cancelled_done",  # cancel or correct came after the end
    "queued",
    "another",  # the words ask for something else: `values` hold the request, its id and who made it
    "another_long",  # the same, but too long for a button
    "queued_before",
    "meant_correct",  # a model takes the words for a correction: `values` hold it; a press makes it
    "meant_cancel",  # a model takes the words for a cancel
    "apart",  # the request has a thread of its own now
    "why",  # the answer to "why do you ask"
    "to_whom",  # a hand-over that names nobody
    "not_understood",
    "begun_before",  # of the procedures that words came near one was chosen already
    "not_asker",  # only whoever said the words chooses
    "chat",  # a greeting or thanks
    "gate",  # a wish for what comes only after `fields` are there and confirmed
    "other_subject",  # the words name another order than the case's; `values` name both
    "press_button",  # an approver wrote words instead of pressing a button
    "still_waiting",  # for a decision; what was said is not used
    "still_held",  # for the back office
    "in_doubt",  # a write may have happened; it is finished first
    "waits_until",  # a clock runs; `values` say until when
    "noted",  # the same, and what was said is kept: `values` say what
    "standing",  # how far the case is
]


class Reply(BaseModel):
    """Something said to one event that is no projection of the case: an answer from the handbook, a refusal.

    `private` replies are seen by `to` alone. `text` holds ready words in both languages where the engine has them;
    `values` are the placeholders of the phrase that `code` names. `prose`: running words, which may be shown as they come.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ReplyKind
    to: str
    private: bool = False
    code: ReplyCode = ""
    text: Text | None = None
    quote: str = ""
    source: Text | None = None
    prose: bool = False
    values: dict[str, str] = {}

"""An approver asks the requester; the requester answers in the thread. The request waits on as it did."""

from __future__ import annotations

from graph.context import Context
from graph.model import Event, Inquiry, JsonValue, Request, Stay, TrailEntry


def waits_for_reply(request: Request) -> bool:
    """Whether a question to the requester is not answered yet."""
    return any(not each.answer for each in request.inquiries)


def ask_requester(request: Request, event: Event, ctx: Context) -> Stay:
    """Put the question beside the request."""
    inquiry = Inquiry(question=event.text.strip(), by=ctx.actor.id, name=ctx.actor.name, at=ctx.now, request=request.id)
    entry = TrailEntry(step=request.step, what="inquire", at=ctx.now, by=ctx.actor.id, reason=inquiry.question)
    return Stay(request=_with(request, [*request.inquiries, inquiry]), trail=[entry])


def take_reply(request: Request, event: Event, ctx: Context) -> Stay:
    """What the requester said answers every question that is open. It changes no fact: for that there is a correction."""
    said = event.text.strip()
    answered = {
        "answer": said, "answered_by": ctx.actor.name, "answered_id": ctx.actor.id, "answered_at": ctx.now
    }
    inquiries = [each if each.answer else each.model_copy(update=answered) for each in request.inquiries]
    entry = TrailEntry(step=request.step, what="reply", at=ctx.now, by=ctx.actor.id, reason=said)
    return Stay(request=_with(request, inquiries), trail=[entry])


def passed_on(request: Request) -> dict[str, JsonValue]:
    """The note that keeps what the requester was asked, for the request that takes this one's place."""
    return {_note(request.step): [each.model_dump(mode="json") for each in request.inquiries]}


def taken_over(made: Stay, ctx: Context) -> Stay:
    """A new request with what the requester was asked before it; the note is used up."""
    note = _note(made.request.step)
    kept = ctx.services.notes().get(note)
    if not isinstance(kept, list) or not kept:
        return made
    asked = [Inquiry.model_validate(each) for each in kept]
    return made.model_copy(update={"request": _with(made.request, asked), "notes": {**made.notes, note: []}})


def _note(step: str) -> str:
    return f"inquiries.{step}"


def _with(request: Request, inquiries: list[Inquiry]) -> Request:
    return request.model_copy(update={"inquiries": inquiries})

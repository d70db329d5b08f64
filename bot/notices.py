"""Outcome -> notices: what should stand in Slack, with ids that are the same for the same state (law 5). Pure."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.notice import Notice
from graph.model import ClosedRequest, Decision, Inquiry, Lang, Outcome, Reply, RequestView, RunView

ShownKind = Literal[
    "case",  # the card at the head of the thread
    "request",  # ask, confirm, hold, park, drill: in the thread
    "approval",  # in the channel of the level
    "reminder",  # under that card
    "question",  # an approver's, in the thread
    "reply_to",  # its answer, under the card
    "deputised",  # to an approver, directly: what was decided in their place
    "told",  # a line in the thread about a request that ended without the agent's doing
    "handed",  # to whom the case was handed over, and with what note
    "unbound",  # that something was not written, because it is no longer what was approved
    "result",
    "reply",  # to one event; never edited
    "root",  # the head of a new thread, for a request that has one of its own
]
_SILENT = ("wait",)
_TOLD = ("rejected", "expired")
_OVER = ("done", "stopped", "cancelled")


class Shown(BaseModel):
    """The payload of a notice made here: all that its rendering needs. `request` names the one of `view` it is about."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    kind: ShownKind
    lang: Lang = "zh"
    view: RunView | None = None
    request: str | None = None
    reply: Reply | None = None
    vote: Decision | None = None
    inquiry: Inquiry | None = None


def notices(outcome: Outcome) -> list[Notice]:
    """What the outcome shows, in the order in which it should appear in each place. Of what stands in it twice, because a
    turn was finished before, the later."""
    mine = _notices(outcome)
    newer = {each.id for each in mine}
    first = notices(outcome.first) if outcome.first is not None else []
    return [each for each in first if each.id not in newer] + mine


def _notices(outcome: Outcome) -> list[Notice]:
    view = outcome.view
    found: list[Notice] = []
    if view is not None and view.status != "answered":
        found.append(_in_thread(f"{view.case}/card", "case", view, _for_case(view) if view.drill is None else _brief(view)))
        for request in view.requests:
            found += _of_request(view, request)
        handed = [entry for entry in view.trail if entry.what == "hand_over"]
        for number, entry in enumerate(handed, 1):
            told = _for_case(view).model_copy(update={"trail": [entry], "requests": []})
            found.append(_in_thread(f"{view.case}/handed/{number}", "handed", view, told, once=True))
        for number, entry in enumerate([each for each in view.trail if each.what == "unbound"], 1):
            told = _for_case(view).model_copy(update={"trail": [entry], "requests": []})
            found.append(_in_thread(f"{view.case}/unbound/{number}", "unbound", view, told, once=True))
        if view.status in _OVER:
            found.append(_in_thread(f"{view.case}/result", "result", view, _for_case(view)))
    found += [_in_thread(f"{each.case}/card", "case", each, _for_case(each)) for each in outcome.queued]
    found += [_root(outcome, reply) for reply in outcome.replies if reply.code == "apart"]
    return found + [_reply(outcome, number, reply) for number, reply in enumerate(outcome.replies)]


def _root(outcome: Outcome, reply: Reply) -> Notice:
    """The first message of a thread of its own for a request; the request is put there once this is posted."""
    return Notice(
        id=f"apart:{reply.values['of']}",
        kind="root",
        thread=outcome.thread,
        place="channel",
        to=outcome.thread,
        once=True,
        payload=Shown(kind="root", lang=outcome.lang, reply=reply).model_dump(mode="json"),
    )


def _of_request(view: RunView, request: RequestView) -> list[Notice]:
    if request.kind in _SILENT:
        return []
    if request.kind != "approve":
        return [_in_thread(request.id, "request", view, _for_request(view, request), request.id)]
    alone = _for_request(view, request)
    card = Notice(
        id=request.id,
        kind="approval",
        thread=view.thread,
        place="level",
        to=request.level or "",
        payload=Shown(kind="approval", lang=view.lang, view=alone, request=request.id).model_dump(mode="json"),
    )
    found = [card, *_beside(view, request, alone)]
    if request.closed is None or not _is_told(request, request.closed):
        return found
    return [*found, _in_thread(f"{request.id}/{request.closed.ending}", "told", view, alone, request.id)]


def _is_told(request: RequestView, closed: ClosedRequest) -> bool:
    """Whether the agent hears of the end by a message of its own: also of another amount than was asked, and why."""
    return closed.ending in _TOLD or (closed.ending == "approved" and closed.answer not in ("", request.amount))


def _beside(view: RunView, request: RequestView, alone: RunView) -> list[Notice]:
    """The reminder under the card; and word to whoever had somebody decide in their place."""
    found: list[Notice] = []
    if request.reminded:
        shown = Shown(kind="reminder", lang=view.lang, view=alone, request=request.id)
        found.append(
            Notice(
                id=f"{request.id}/reminder",
                kind="reminder",
                thread=view.thread,
                place="level",
                to=request.level or "",
                once=True,
                under=request.id,
                payload=shown.model_dump(mode="json"),
            )
        )
    found += _inquiries(view, request)
    for number, vote in enumerate(request.votes, 1):
        undecided = request.closed is not None and request.closed.ending == "replaced"
        if vote.of == vote.by or undecided:
            continue
        shown = Shown(kind="deputised", lang=view.lang, view=alone, request=request.id, vote=vote)
        found.append(
            Notice(
                id=f"{request.id}/deputised/{number}",
                kind="deputised",
                thread=view.thread,
                place="user",
                to=vote.of,
                once=True,
                payload=shown.model_dump(mode="json"),
            )
        )
    return found


def _inquiries(view: RunView, request: RequestView) -> list[Notice]:
    """Each question in the thread, each answer under the card: who must act, or waits for it, gets a new message."""
    found: list[Notice] = []
    alone = _for_case(view).model_copy(update={"requests": [], "trail": [], "updated_at": view.opened_at, "waiting": None})
    for number, inquiry in enumerate(request.inquiries, 1):
        asked = inquiry.model_copy(update={"answer": "", "answered_by": "", "answered_at": ""})
        shown = Shown(kind="question", lang=view.lang, view=alone, inquiry=asked)
        found.append(
            Notice(
                id=f"{inquiry.request or request.id}/question/{number}",
                kind="question",
                thread=view.thread,
                place="thread",
                to=view.thread,
                once=True,
                payload=shown.model_dump(mode="json"),
            )
        )
        if inquiry.answered_at > request.made_at or (inquiry.answer and inquiry.request == request.id):
            shown = Shown(kind="reply_to", lang=view.lang, view=alone, inquiry=inquiry)
            found.append(
                Notice(
                    id=f"{request.id}/answer/{number}",
                    kind="reply_to",
                    thread=view.thread,
                    place="level",
                    to=request.level or "",
                    once=True,
                    under=request.id,
                    payload=shown.model_dump(mode="json"),
                )
            )
    return found


def _in_thread(
    id_: str, kind: ShownKind, view: RunView, seen: RunView, request: str | None = None, *, once: bool = False
) -> Notice:
    return Notice(
        id=id_,
        kind=kind,
        thread=view.thread,
        place="thread",
        to=view.thread,
        once=once,
        payload=Shown(kind=kind, lang=view.lang, view=seen, request=request).model_dump(mode="json"),
    )


def _reply(outcome: Outcome, number: int, reply: Reply) -> Notice:
    view = outcome.view
    whole = reply.kind in ("facts", "trail")
    shown = Shown(
        kind="reply",
        lang=view.lang if view else outcome.lang,
        view=view if view is None or whole else _of_reply(view, reply),
        reply=reply,
    )
    return Notice(
        id=f"{outcome.event}/{number}",
        kind="reply",
        thread=outcome.thread,
        place="user" if reply.private else "thread",
        to=reply.to if reply.private else outcome.thread,
        once=True,
        payload=shown.model_dump(mode="json"),
    )


def _of_reply(view: RunView, reply: Reply) -> RunView:
    """The view as far as a reply shows it: of the record, what was done last, where it is asked how far the case is."""
    done = [entry for entry in view.trail if entry.tool or "told" in entry.values] if reply.code == "standing" else []
    return _for_case(view).model_copy(update={"trail": done[-1:]}) if done else _for_case(view)


def _for_case(view: RunView) -> RunView:
    """The view as far as the case card shows it."""
    cancelled = [entry for entry in view.trail if entry.what == "cancel"]
    return view.model_copy(update={"trail": cancelled[-1:], "facts": [], "plain": {}, "model_calls": 0})


def _brief(view: RunView) -> RunView:
    """The view as far as the first card of a drill shows it, which is the same to its end."""
    drill = view.drill.brief() if view.drill else None
    still: dict[str, object] = {"status": "working", "updated_at": view.opened_at, "waiting": None, "drill": drill}
    return _for_case(view).model_copy(update={"requests": [], "steps": [], "trail": [], "result": None, **still})


def _for_request(view: RunView, request: RequestView) -> RunView:
    """The view as far as the card of one request shows it, so that what happens elsewhere edits no card."""
    newer = [other for other in view.requests if other.id == request.replaced_by]
    drill = view.drill.brief() if view.drill else None
    hidden: dict[str, object] = {"steps": [], "updated_at": view.opened_at, "waiting": None, "drill": drill}
    if request.kind != "approve":
        hidden |= {"status": "working", "result": None, "stopped": None}
    return _for_case(view).model_copy(update={"requests": [request, *newer], **hidden})

"""Outcome -> notices: what should stand in Slack, with ids that are the same for the same state (law 5). Pure."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.notice import Notice
from graph.model import Lang, Outcome, Reply, RequestView, RunView

ShownKind = Literal[
    "case",  # the card at the head of the thread
    "request",  # ask, confirm, hold, park, drill: in the thread
    "approval",  # in the channel of the level
    "told",  # a line in the thread about a request that ended without the agent's doing
    "result",
    "reply",  # to one event; never edited
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


def notices(outcome: Outcome) -> list[Notice]:
    """What the outcome shows, in the order in which it should appear in each place."""
    view = outcome.view
    found: list[Notice] = []
    if view is not None and view.status != "answered":
        card = Shown(kind="case", lang=view.lang, view=_bare(view, view.requests))
        found.append(_in_thread(f"{view.case}/card", card, view))
        for request in view.requests:
            found += _of_request(view, request)
        if view.status in _OVER:
            shown = Shown(kind="result", lang=view.lang, view=_bare(view, []))
            found.append(_in_thread(f"{view.case}/result", shown, view))
    lang = view.lang if view is not None else "zh"
    for number, reply in enumerate(outcome.replies):
        shown = Shown(kind="reply", lang=lang, view=view and _said_in(view, reply), reply=reply)
        found.append(
            Notice(
                id=f"{outcome.event}/{number}",
                kind="reply",
                thread=outcome.thread,
                place="user" if reply.private else "thread",
                to=reply.to if reply.private else outcome.thread,
                once=True,
                payload=shown.model_dump(mode="json"),
            )
        )
    return found


def _of_request(view: RunView, request: RequestView) -> list[Notice]:
    if request.kind in _SILENT:
        return []
    alone = _bare(view, [request])
    if request.kind != "approve":
        shown = Shown(kind="request", lang=view.lang, view=alone, request=request.id)
        return [_in_thread(request.id, shown, view)]
    shown = Shown(kind="approval", lang=view.lang, view=alone, request=request.id)
    card = Notice(
        id=request.id,
        kind="approval",
        thread=view.thread,
        place="level",
        to=request.level or "",
        payload=shown.model_dump(mode="json"),
    )
    if request.closed is None or request.closed.ending not in _TOLD:
        return [card]
    told = Shown(kind="told", lang=view.lang, view=alone, request=request.id)
    return [card, _in_thread(f"{request.id}/{request.closed.ending}", told, view)]


def _in_thread(id_: str, shown: Shown, view: RunView) -> Notice:
    return Notice(
        id=id_,
        kind=shown.kind,
        thread=view.thread,
        place="thread",
        to=view.thread,
        payload=shown.model_dump(mode="json"),
    )


def _said_in(view: RunView, reply: Reply) -> RunView:
    """The case as far as the reply shows it."""
    return view if reply.kind in ("facts", "trail") else _bare(view, view.requests)


def _bare(view: RunView, requests: list[RequestView]) -> RunView:
    """The view without what no card shows, so that a change elsewhere edits no card."""
    return view.model_copy(update={"requests": requests, "trail": [], "plain": {}})

"""Notices -> cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from blocks import (
    Card,
    Surroundings,
    approval_card,
    ask_card,
    brief_card,
    case_card,
    confirm_card,
    customer_card,
    deputised_card,
    hold_card,
    inquiry_card,
    offer_card,
    received,
    reminder_card,
    reply_card,
    result_card,
    review_card,
    score_card,
    unbound_card,
)
from blocks.kit import card, section
from blocks.text import channel as channel_link
from blocks.text import clock, clock_after, md, mention, push
from blocks.words import headline
from bot.clicks import Origin, origin_of
from bot.directory import DirectoryUnavailable
from bot.intake import place_of
from bot.notice import Notice
from bot.notices import Shown
from bot.pictures import Pictures
from bot.streaming import Reader
from graph.errors import SopdeskError
from graph.model import Actor, DrillView, Lang, Level, RequestView, RunView
from graph.phrases import say, text

LINK_WAIT = 1.0
"""Seconds for which a case card waits for the approval card that it links to."""


class Surrounds(Protocol):
    """What is around a case; `bot.around` asks Slack, the command line needs none."""

    async def of(self, cases: Iterable[str] = (), requests: Iterable[str] = (), wait: float = 0.0) -> Surroundings:
        """Surroundings with links to the cards of these cases and requests."""
        ...


class People(Protocol):
    """Who somebody is; `bot.directory` asks Slack."""

    async def actor(self, user: str) -> Actor:
        """The person with name and language."""
        ...


class Unrenderable(SopdeskError):
    """A notice lacks what its kind shows."""


class _Queued(BaseModel):
    """The payload of the notices that the queues make themselves."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    event: str
    lang: Lang = "zh"
    actor: str = ""


class Renderer:
    """Makes the card of every kind of notice."""

    def __init__(
        self, around: Surrounds, people: People, levels: Mapping[str, Level], pictures: Pictures | None = None
    ) -> None:
        self._pictures = pictures
        self._around = around
        self._people = people
        self._levels = levels

    async def card(self, notice: Notice) -> Card:
        """The card. Raises Unrenderable, pydantic.ValidationError."""
        if notice.kind == "received":
            return received(await self._lang(notice.to, _Queued.model_validate(notice.payload).lang))
        if notice.kind in ("failed", "parked"):
            queued = _Queued.model_validate(notice.payload)
            if not queued.actor:
                return _line("\n".join(text(f"edge.{notice.kind}_unread").model_dump().values()))
            lang = await self._lang(queued.actor, queued.lang)
            return _line(say(f"edge.{notice.kind}", lang, who=mention(queued.actor)))
        return await self._shown(notice, Shown.model_validate(notice.payload))

    async def unreachable(self, notice: Notice, channel: str) -> Card:
        """The line that says that a card could not go to its level's channel and stands in the thread instead."""
        lang = Shown.model_validate(notice.payload).lang
        level = self._levels.get(notice.to)
        words = say(
            "edge.unreachable",
            lang,
            channel=channel_link(channel),
            level=md(level.label.in_(lang) if level else notice.to, 60),
        )
        return _line(words)

    def reader(self, notice: Notice) -> Reader | None:
        """Running words are shown as they come to whoever asked for them, and a recommendation to the agent."""
        if notice.place != "thread" or notice.kind not in ("reply", "request"):
            return None
        shown, team = Shown.model_validate(notice.payload), notice.thread.partition(":")[0]
        if shown.reply is not None:
            return Reader(team, shown.reply.to) if shown.reply.prose else None
        view = shown.view
        request = next((each for each in view.requests if each.id == shown.request), None) if view else None
        return Reader(team, view.owner.id) if view and request and request.open and request.offers else None

    def origin(self, notice: Notice) -> Origin | None:
        """Where the click was that a private notice answers, else the thread; None: it answers nothing, and goes to its
        reader directly."""
        if notice.kind == "deputised":
            return None
        event = notice.id.removeprefix("received:").rpartition("/")[0] or notice.id.removeprefix("received:")
        clicked = origin_of(event)
        if clicked is not None:
            return clicked
        channel, thread_ts = place_of(notice.thread)
        return Origin(channel=channel, thread_ts=thread_ts)

    async def _shown(self, notice: Notice, shown: Shown) -> Card:
        view = shown.view
        if shown.kind == "reply" and shown.reply is not None:
            lang = await self._lang(shown.reply.to, shown.lang) if notice.place == "user" else shown.lang
            return reply_card(shown.reply, view, await self._around.of(), lang)
        if shown.kind == "root" and shown.reply is not None:
            request = md(shown.reply.values["request"], 1000)
            return _line(say("edge.root", shown.lang, who=mention(shown.reply.to), request=request))
        if view is None:
            raise Unrenderable(f"the notice {notice.id} of kind {shown.kind} has no view")
        if view.drill is not None:
            return await self._of_drill(notice, shown, view, view.drill)
        if shown.kind == "case":
            waiting = view.open_request()
            asked = [waiting.id] if waiting is not None and waiting.kind == "approve" else []
            return case_card(view, await self._around.of(requests=asked, wait=LINK_WAIT))
        if shown.kind == "unbound":
            return unbound_card(view, view.lang)
        if shown.kind == "handed":
            return _handed(view)
        if shown.kind in ("question", "reply_to") and shown.inquiry is not None:
            level = self._levels.get(notice.to) if notice.place == "level" else None
            return inquiry_card(view, shown.inquiry, level.lang if level else view.lang, answered=shown.kind == "reply_to")
        if shown.kind == "result":
            instead = view.stopped.instead if view.stopped is not None else ""
            return result_card(view, await self._around.of(cases=[instead] if instead else []))
        return await self._of_request(notice, shown, view, _request(notice, shown, view))

    async def _of_drill(self, notice: Notice, shown: Shown, view: RunView, drill: DrillView) -> Card:
        if shown.kind == "case":
            return brief_card(view, drill)
        if shown.kind == "result":
            return score_card(view, drill, await self._pictures.of(view.case, drill, view.lang) if self._pictures else None)
        return customer_card(view, _request(notice, shown, view))

    async def _of_request(self, notice: Notice, shown: Shown, view: RunView, request: RequestView) -> Card:
        if shown.kind == "told":
            return _told(view, request)
        replaced = [request.replaced_by] if request.replaced_by else []
        around = await self._around.of(cases=[view.case], requests=replaced, wait=LINK_WAIT)
        if shown.kind == "deputised" and shown.vote is not None:
            links = await self._around.of(requests=[request.id], wait=LINK_WAIT)
            return deputised_card(view, request, shown.vote, links, await self._lang(notice.to, view.lang))
        if shown.kind in ("approval", "reminder"):
            level = self._levels.get(notice.to)
            decides = review_card if request.options else approval_card
            make = decides if shown.kind == "approval" else reminder_card
            return make(view, request, around, level.lang if level else view.lang)
        return _in_thread(view, request, around)

    async def _lang(self, user: str, otherwise: Lang) -> Lang:
        try:
            return (await self._people.actor(user)).lang
        except DirectoryUnavailable:
            return otherwise


def _request(notice: Notice, shown: Shown, view: RunView) -> RequestView:
    for request in view.requests:
        if request.id == shown.request:
            return request
    raise Unrenderable(f"the notice {notice.id} is about the request {shown.request}, which its view lacks")


def _in_thread(view: RunView, request: RequestView, around: Surroundings) -> Card:
    if request.kind == "confirm":
        return confirm_card(view, request, around)
    if request.kind in ("hold", "park"):
        return hold_card(view, request, around)
    if request.step.kind == "offer":
        return offer_card(view, request, around)
    return ask_card(view, request, around)


def _told(view: RunView, request: RequestView) -> Card:
    """That a request was rejected, or that nobody decided: who must act now gets a new message."""
    closed = request.closed
    if closed is None:
        raise Unrenderable(f"the request {request.id} is still open")
    lang = view.lang
    return _line(
        say(
            f"edge.told_{closed.ending}",
            lang,
            who=mention(view.owner.id),
            headline=md(headline(view.headline, lang, request.amount), 120),
            name=md(closed.name, 40) or say("cards.someone", lang),
            at=clock_after(closed.at, request.made_at),
            reason=md(closed.reason),
            amount=md(closed.answer, 40),
        )
    )


def _handed(view: RunView) -> Card:
    """Who has the case now: a new message, for an edited card tells nobody."""
    entry = view.trail[0]
    note = f": {md(entry.reason)}" if view.lang == "en" else f"：{md(entry.reason)}"
    return _line(
        say(
            "edge.handed",
            view.lang,
            who=mention(str(entry.values.get("to", ""))),
            by=mention(entry.by),
            at=clock(entry.at),
            note=note if entry.reason else "",
        )
    )


def _line(words: str) -> Card:
    return card(push(words, ""), section(words))

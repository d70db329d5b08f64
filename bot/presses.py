"""What happens when somebody presses a button."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from slack_sdk.web.async_client import AsyncWebClient

from blocks import (
    Card,
    Json,
    Press,
    amount_form,
    cancel_form,
    correct_form,
    details_form,
    hand_over_form,
    option_form,
    question_form,
    reject_form,
    settle_form,
    turns_card,
)
from blocks.text import md
from bot import acts
from bot.background import Background
from bot.clicks import Click
from bot.clients import SlackFailed, asked
from bot.coaching import Coaching
from bot.desk import Desk
from bot.inbox import Inbox
from bot.intake import stub
from bot.private import Private
from bot.showing import Showing, edge
from graph.model import Actor, Lang, RequestView, RunView

RECEIPT_AFTER = 2.5
"""Seconds after which somebody whose click or message is still being worked on is told that it was received (law 9)."""
OPEN_WITHIN = 2.0
"""Seconds to open a form: its trigger lives three."""
_log = logging.getLogger(__name__)


class Presses:
    """Stores what a button does, opens forms, shows what was asked for."""

    def __init__(
        self,
        desk: Desk,
        inbox: Inbox,
        client: AsyncWebClient,
        showing: Showing,
        private: Private,
        background: Background,
        now: Callable[[], datetime],
        coaching: Coaching,
    ) -> None:
        self._desk = desk
        self._inbox = inbox
        self._client = client
        self._showing = showing
        self._private = private
        self._background = background
        self._now = now
        self._coaching = coaching

    async def pressed(self, click: Click) -> None:
        """Once this returns the click may be acknowledged. Raises when what it does could not be stored."""
        press = click.press
        if press.do == "go":
            return
        if press.do == "practise" and not press.thread:
            self._background.start(self._practise(click), "practise")
        elif press.do in acts.SHOWN:
            self._background.start(self._show(click), f"show {press.do}")
        elif press.do in acts.FORMS and press.thread:
            await self._open(click)
        else:
            event = acts.pressed(press, click.event_id, stub(click.user, click.team), self._now()) if press.thread else None
            if event is None:
                _log.warning("a button %s that nobody handles was pressed", press.do)
                self._tell(click, "form_closed", "zh")
            else:
                await self._inbox.put(event, receipt_after=RECEIPT_AFTER)

    async def _open(self, click: Click) -> None:
        """Open a form while its trigger lives. Whoever may not is told instead; a decision's refusal is recorded."""
        press = click.press
        view = await self._desk.show(press.case)
        if view is None:
            self._tell(click, "form_closed", "zh")
            return
        actor = await self._showing.who(click.user, click.team)
        lang = actor.lang if actor else view.lang
        if actor is not None and not self._allowed(press, view, actor):
            if press.do in acts.DECISIONS:
                event = acts.refused_at_once(press, click.event_id, stub(click.user, click.team), self._now())
                await self._inbox.put(event, receipt_after=RECEIPT_AFTER)
            else:
                key = "not_lead" if press.do in ("paid", "unpaid") else "not_yours"
                event = acts.refused_form(press, click.event_id, actor, self._now())
                await self._desk.refused(view.case, event, key)
                self._tell(click, key, lang, name=md(view.owner.name, 40))
            return
        form = form_of(press, view, lang)
        if form is None:
            self._tell(click, "form_closed", lang)
            return
        try:
            view_of_form = form | {"external_id": click.mark}
            await asked(self._client.views_open(trigger_id=click.trigger, view=view_of_form), OPEN_WITHIN)
        except SlackFailed as error:
            _log.warning("the form %s could not be opened (%s)", press.do, error.code)
            self._tell(click, "not_now", lang)

    def _allowed(self, press: Press, view: RunView, actor: Actor) -> bool:
        if press.do in acts.DECISIONS:
            return not self._desk.may_decide(view, press.request, actor, acts.judged_as(press), acts.choice_of(press))
        if press.do in ("paid", "unpaid"):
            return self._desk.may_settle(actor)
        return self._desk.may_act(view, actor)

    async def _practise(self, click: Click) -> None:
        actor = await self._showing.who(click.user, click.team)
        if actor is None:
            answer = edge("no_rights", "zh")
        elif click.press.value:
            answer = await self._coaching.start(actor, click.origin.channel, click.press.value)
        else:
            answer = self._coaching.scenarios(actor.lang)
        await self._private.say(click.user, click.origin, answer)

    async def _show(self, click: Click) -> None:
        press = click.press
        if press.do == "audit":
            await self._show_audit(click)
            return
        view = await self._desk.show(press.case)
        lang = await self._showing.lang(click.user, view.lang if view else "zh")
        await self._private.say(click.user, click.origin, await self._card(press, view, lang))

    async def _show_audit(self, click: Click) -> None:
        """Another page of an audit log. Whether somebody may read it is asked again."""
        press, actor = click.press, await self._showing.who(click.user, click.team)
        page = int(press.value) if press.value.isdecimal() else 0
        card = await self._showing.audit(actor, press.case, press.field, page) if actor else edge("no_rights", "zh")
        await self._private.say(click.user, click.origin, card)

    async def _card(self, press: Press, view: RunView | None, lang: Lang) -> Card:
        if view is None:
            return edge("no_such_case", lang, case=md(press.case, 40))
        if press.do in ("trail", "trail_page"):
            return await self._showing.case(view, "trail", lang, int(press.value) if press.value.isdecimal() else 0)
        if press.do == "turns" and view.drill is not None:
            return turns_card(view.drill, lang)
        return await self._showing.case(view, "facts", lang)

    def _tell(self, click: Click, key: str, lang: Lang, **values: str) -> None:
        self._background.start(
            self._private.say(click.user, click.origin, edge(key, lang, **values)), f"tell {key}"
        )


def form_of(press: Press, view: RunView, lang: Lang) -> Json | None:
    """The form that a press opens; None when what it is about is over."""
    if press.do in ("form", "paid", "unpaid", *acts.DECISIONS):
        request = open_request(view, press.request)
        if request is None:
            return None
        if press.do in acts.DECISIONS:
            return _decision_form(press, view, request, lang)
        if press.do in ("paid", "unpaid"):
            return settle_form(view, request, lang, "paid" if press.do == "paid" else "unpaid")
        return details_form(view, request, lang)
    if view.status not in ("working", "waiting"):
        return None
    if press.do == "correct":
        return correct_form(view, lang)
    return cancel_form(view, lang) if press.do == "cancel" else hand_over_form(view, lang)


def _decision_form(press: Press, view: RunView, request: RequestView, lang: Lang) -> Json | None:
    match press.do:
        case "option":
            return option_form(view, request, press, lang)
        case "another_amount":
            return amount_form(view, request, lang)
        case "ask_requester":
            return question_form(view, request, lang)
        case _:
            return reject_form(view, request, lang, request.reasons)


def open_request(view: RunView, request_id: str) -> RequestView | None:
    """The request of this id, if it still waits."""
    return next((request for request in view.requests if request.id == request_id and request.open), None)

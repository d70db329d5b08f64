"""What happens when somebody sends a form: checked, stored, acknowledged, in this order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from blocks import Surroundings, changed_values, form_errors, reason_of, reply_card
from bot import acts
from bot.acts import DECISIONS, choice_of, judged_as
from bot.clicks import Submission
from bot.desk import Desk
from bot.directory import Directory, DirectoryUnavailable
from bot.inbox import Inbox
from bot.intake import stub
from bot.plain import clocks_at, shown
from bot.presses import RECEIPT_AFTER, open_request
from graph.model import Actor, Lang, Reply, ReplyCode, RunView
from graph.phrases import say

CHECK_WITHIN = 2.0
"""Seconds for all checks: Slack waits three for the answer."""


class Submissions:
    """Takes forms in."""

    def __init__(
        self, desk: Desk, inbox: Inbox, directory: Directory, now: Callable[[], datetime]
    ) -> None:
        self._desk = desk
        self._inbox = inbox
        self._directory = directory
        self._now = now

    async def submitted(self, form: Submission) -> dict[str, str]:
        """What stands against the form, by block; nothing: it is stored. Raises when it could not be stored."""
        view = await self._desk.show(form.press.case)
        if view is None:
            return _general(form, say("edge.form_closed", "zh"))
        try:
            async with asyncio.timeout(CHECK_WITHIN):
                actor = await self._directory.actor(form.user, form.team)
                offset = await self._directory.utc_offset(form.user)
                to = await self._receiver(form)
        except (DirectoryUnavailable, TimeoutError):
            return _general(form, say("edge.no_rights", view.lang))
        values = changed_values(view, form.values) if form.press.do == "correct" else form.values
        errors = self._problems(form, view, actor, values, to, offset)
        if errors:
            if code := self._forbidden(form, view, actor):
                refused = acts.refused_form(form.press, form.event_id, actor, self._now(), reason_of(values))
                await self._desk.refused(view.case, refused, code)
            return errors
        if form.press.do == "correct" and not values:
            return _general(form, say("edge.nothing_changed", actor.lang))
        event = acts.sent(form.press, form.event_id, stub(form.user, form.team), self._now(), values, to)
        if event is None:
            return _general(form, say("edge.form_closed", actor.lang))
        await self._inbox.put(event, receipt_after=RECEIPT_AFTER)
        return {}

    async def _receiver(self, form: Submission) -> Actor | None:
        """Who a case is handed to; None for anybody who cannot act."""
        to = form.values.get("to", "") if form.press.do == "hand_over" else ""
        if not to or not await self._directory.is_active(to):
            return None
        return await self._directory.actor(to, form.team)

    def _problems(
        self, form: Submission, view: RunView, actor: Actor, values: dict[str, str], to: Actor | None, offset: int
    ) -> dict[str, str]:
        press, lang = form.press, actor.lang
        if press.do in DECISIONS:
            if code := self._desk.may_decide(view, press.request, actor, judged_as(press), choice_of(press)):
                return _general(form, _refusal(code, actor, view, press.request, offset))
            return self._deciding(form, view, lang)
        if press.do in ("paid", "unpaid"):
            return self._settling(form, view, actor)
        if not self._desk.may_act(view, actor):
            return _general(form, say("edge.not_yours", lang, name=view.owner.name))
        if press.do in ("correct", "cancel", "hand_over") and view.status not in ("working", "waiting"):
            return _general(form, say(f"replies.{'already_paid' if _paid(view) else 'cancelled_done'}", lang))
        if press.do == "form" and open_request(view, press.request) is None:
            return _general(form, say("edge.form_closed", lang))
        if press.do == "hand_over" and to is None:
            return form_errors({"to": say("edge.no_such_person", lang)})
        if press.do == "cancel" and not values.get("reason", "").strip():
            return form_errors({"reason": say("edge.reason_missing", lang)})
        if press.do in ("form", "correct"):
            found = self._desk.form_problems(view, press.request or None, values)
            return _placed(form, {name: why.in_(lang) for name, why in found.items()})
        return {}

    def _forbidden(self, form: Submission, view: RunView, actor: Actor) -> str:
        """Why this person may not send this form, for the audit log; empty when what is wrong is what they entered."""
        press = form.press
        if press.do in DECISIONS:
            return self._desk.may_decide(view, press.request, actor, judged_as(press), choice_of(press))
        if press.do in ("paid", "unpaid"):
            return "" if self._desk.may_settle(actor) else "not_lead"
        return "" if self._desk.may_act(view, actor) else "not_yours"

    def _deciding(self, form: Submission, view: RunView, lang: Lang) -> dict[str, str]:
        """What a decision's form lacks, or what its amount may not be."""
        values, errors = form.values, dict[str, str]()
        if form.press.do == "ask_requester":
            missing = {} if values.get("question", "").strip() else {"question": say("edge.question_missing", lang)}
            return form_errors(missing)
        if form.press.do == "another_amount":
            wrong = self._desk.amount_problem(view, form.press.request, values.get("amount", ""))
            errors |= {"amount": wrong.in_(lang)} if wrong is not None else {}
        if not reason_of(values).strip():
            errors["reason"] = say("edge.reason_missing", lang)
        return form_errors(errors)

    def _settling(self, form: Submission, view: RunView, actor: Actor) -> dict[str, str]:
        if not self._desk.may_settle(actor):
            return _general(form, say("edge.not_lead", actor.lang))
        if open_request(view, form.press.request) is None:
            return _general(form, say("edge.form_closed", actor.lang))
        missing = {} if form.values.get("remark", "").strip() else {"remark": say("edge.remark_missing", actor.lang)}
        return form_errors(missing)


def _refusal(code: ReplyCode, actor: Actor, view: RunView, request_id: str, offset: int) -> str:
    closed = next((request.closed for request in view.requests if request.id == request_id), None)
    values = {"name": closed.name, "at": closed.at, "ending": closed.ending} if closed else {}
    reply = Reply(kind="refused", to=actor.id, code=code, values=values)
    return shown(clocks_at(reply_card(reply, view, Surroundings(), actor.lang).text, offset))


def _paid(view: RunView) -> bool:
    moved = view.result is not None or (view.stopped is not None and view.stopped.money_moved)
    return view.headline.priced and moved


def _placed(form: Submission, errors: dict[str, str]) -> dict[str, str]:
    """Each error under its field; one about a field that the form lacks stands under the first."""
    found = form_errors(errors)
    known = {block: words for block, words in found.items() if block in form.inputs}
    if found and not known:
        return _general(form, next(iter(found.values())))
    return known


def _general(form: Submission, words: str) -> dict[str, str]:
    """An error about the whole form, under its first field: Slack has no other place."""
    return {form.inputs[0] if form.inputs else "form": words}

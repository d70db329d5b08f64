"""Requests that wait behind the open case of a thread: each has a case of its own, and begins when the one before ends.

The queue is a part of the run's state, so it is stored with the run's turn. The case that ends names the next one in its
outcome, and the event that begins it enters the mailbox in the same script that marks the turn's event done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graph.corrections import belonging
from graph.engine import Engine
from graph.fields import parse
from graph.model import Actor, Event, Fact, Lang, Reply, ReplyCode
from graph.opening import opened, run_id_of, set_out, take_up, understood
from graph.projection import row_of
from graph.reading.explicit import spelled
from graph.records import CaseId, Records
from graph.state import RunState
from graph.turn import Turn
from graph.unbegun import cancelled, going_on


class Placed(NamedTuple):
    """What an event does to the queue: how it stands afterwards, None where it stays as it was; or the answer to an
    event that does nothing. `only`: that is all the event is about."""

    queue: list[RunState] | None = None
    reply: Reply | None = None
    only: bool = False


class First(NamedTuple):
    """The run that an event begins, and what waits behind it. No run where there is nothing to begin."""

    run: RunState | None
    queue: list[RunState]
    reply: Reply | None = None


@dataclass(frozen=True)
class Queueing:
    """Takes requests down behind an open case, and brings them to their turn."""

    engine: Engine
    records: Records

    async def first(
        self, event: Event, lang: Lang, fence: int, claimed: str, waiting: Sequence[RunState]
    ) -> First:
        """What an event begins in a thread where no case is open. `claimed`: the case id that was taken for it. What is
        `waiting` there, because its beginning was given up, waits behind it."""
        begun = await self._first(event, lang, fence, claimed)
        if begun.run is None or event.kind == "start":
            return begun
        behind = (each.model_copy(update={"behind": begun.run.case, "queue": []}) for each in waiting if not each.over)
        return begun._replace(queue=[*begun.queue, *behind])

    async def _first(self, event: Event, lang: Lang, fence: int, claimed: str) -> First:
        if event.kind == "start":
            held = await self.records.case(event.case)
            if held is None or held.over or not held.behind:
                return First(None, [])
            rest = [each.model_copy(update={"behind": held.case}) for each in held.queue if not each.over]
            return First(held.model_copy(update={"behind": "", "queue": []}), rest)
        if event.kind == "begin":
            return await self._chosen(event, lang)
        request = event.values.get("of", event.id) if event.kind == "queue" else event.id
        run_id = run_id_of(event.thread, request)
        case, known = CaseId(claimed, known=False) if claimed else await self.records.new_case(run_id)
        if known:
            return First(None, [])
        run = opened(event, run_id, case, lang, event.text)
        return First(run, await self._further(event, run, fence))

    async def _chosen(self, event: Event, lang: Lang) -> First:
        """The run of a procedure that was chosen, with the words that were said before. The same choice begins it once."""
        run_id = run_id_of(event.thread, chosen(event))
        case, known = await self.records.new_case(run_id)
        refused = _unchosen(event, begun=known)
        if refused is not None:
            return First(None, [], refused)
        return First(opened(event, run_id, case, lang, spelled(event.values["sop"], event.text)), [])

    def elsewhere(self, event: Event, run: RunState) -> bool:
        """Whether an event is about another case than the open one, and not to be placed behind it."""
        dropped = event.kind == "cancel" and any(each.case == event.about for each in run.queue)
        return event.about not in ("", run.case) and not dropped

    async def placed(self, event: Event, run: RunState, fence: int) -> Placed:
        """What an event does to the queue behind the open case."""
        match event.kind:
            case "start":
                held = await self.records.case(event.case)
                waiting = [held] if held is not None and held.behind and not held.over else []
                return Placed(self._with(run, [*waiting, *(each for one in waiting for each in one.queue)]), only=True)
            case "queue":
                if event.values.get("by") != event.actor.id:
                    return Placed(reply=_refused(event, "not_yours", name=run.owner.name))
                asked = await self._planned(event, event.values.get("of", event.id), event.text, run, fence)
                known = asked is not None and await self.records.case(asked.case) is not None
                if asked is None or known:
                    return Placed(reply=_refused(event, "queued_before" if known else "not_understood"))
                return Placed(self._with(run, [asked]), only=True)
            case "begin":
                _, known = await self.records.new_case(run_id_of(event.thread, chosen(event)))
                return Placed(reply=_unchosen(event, begun=known) or aside_of(event, run))
            case "cancel" if event.case and event.case != run.case:
                return self._cancelled(event, run)
            case "answer" if event.also:
                return Placed(self._with(run, await self._twins(event, run)))
            case _ if event.further:
                return Placed(self._with(run, await self._further(event, run, fence)))
            case _:
                return Placed()

    async def settled(self, run: RunState, event: Event, fence: int) -> list[Event]:
        """Keep the cases behind a run, and name what begins now that it has ended. Safe to do again: what has been
        cancelled or has begun since does not wait any more."""
        queue = [each for each in run.queue if await self._waits(each)]
        waiting = [each for each in queue if not each.over]
        following = waiting[0].model_copy(update={"queue": waiting[1:]}) if waiting and run.over else None
        for each in queue:
            held = following if following is not None and each.case == following.case else each
            await self.records.shelve(held, row_of(held, self.engine), fence)
        if following is None:
            return []
        return [going_on(following, following.opener, f"start:{following.case}/{run.case}", event)]

    async def _waits(self, queued: RunState) -> bool:
        held = await self.records.case(queued.case)
        return held is None or (held.behind != "" and not held.over)

    def _with(self, run: RunState, added: list[RunState]) -> list[RunState]:
        known = {each.case for each in run.queue}
        behind = [each.model_copy(update={"behind": run.case, "queue": []}) for each in added if each.case not in known]
        return [*run.queue, *behind]

    async def _further(self, event: Event, run: RunState, fence: int) -> list[RunState]:
        found = [
            await self._planned(event, f"{event.id}/{number}", words, run, fence)
            for number, words in enumerate(event.further, 1)
        ]
        return [each for each in found if each is not None]

    async def _planned(self, event: Event, request: str, words: str, run: RunState, fence: int) -> RunState | None:
        """The case of a request that waits, with what it says; None where it asks for no procedure."""
        turn = Turn(self.engine, event, fence)
        heard = await understood(words, f"plan/{request}", turn)
        sop = self.engine.library.sops.get(heard.sop or "") if heard.mode == "sop" else None
        if sop is None:
            return None
        planned = await self._opened(event, request, run, words, event.actor)
        planned.model_calls = heard.reading.model_calls
        take_up(planned, heard, sop, turn.now)
        return planned

    async def _twins(self, event: Event, run: RunState) -> list[RunState]:
        """A case for each further value of the field that is answered, with all else that people told for this one."""
        sop, fields = self.engine.sop_of(run), self.engine.library.words.fields
        twins = []
        for value in event.also:
            answered = {name: fact for name in event.values if isinstance(fact := parse(fields[name], value), Fact)}
            signed = {
                name: fact.model_copy(update={"by": event.actor.id, "at": event.at.isoformat()})
                for name, fact in answered.items()
            }
            told = {name: run.facts[name] for name in sop.told if name in run.facts}
            stale = belonging(fields, signed)
            facts = {name: fact for name, fact in told.items() if name not in stale} | signed
            twin = await self._opened(event, f"{event.id}/{value}", run, run.text, run.opener)
            twin.owner, twin.names = run.owner, run.names
            set_out(twin, sop, facts, event.at.isoformat())
            twins.append(twin)
        return twins

    async def _opened(self, event: Event, request: str, run: RunState, words: str, by: Actor) -> RunState:
        run_id = run_id_of(run.thread, request)
        case, _ = await self.records.new_case(run_id)
        return opened(event, run_id, case, run.lang, words, by=by).model_copy(update={"behind": run.case})

    def _cancelled(self, event: Event, run: RunState) -> Placed:
        held = next((each for each in run.queue if each.case == event.case and not each.over), None)
        if held is None:
            return Placed(reply=_refused(event, "cancelled_done"))
        ended = cancelled(event, held, self.engine)
        if isinstance(ended, Reply):
            return Placed(reply=ended)
        return Placed([ended if each is held else each for each in run.queue], only=True)


def chosen(event: Event) -> str:
    """The request that the choice of a procedure makes: one for the words that it was offered for."""
    return f"{event.values.get('of', event.id)}/chosen"


def aside_of(event: Event, run: RunState) -> Reply:
    """The question where a chosen procedure belongs while another case is open in the thread."""
    request = spelled(event.values["sop"], event.text)
    values = {"request": request, "of": chosen(event), "by": event.actor.id, "case": run.case}
    return Reply(kind="note", code="another", to=event.actor.id, values=values)


def _unchosen(event: Event, *, begun: bool) -> Reply | None:
    """Why a choice does not count; None when it does."""
    if event.values.get("by") != event.actor.id:
        return _refused(event, "not_asker")
    return _refused(event, "begun_before") if begun else None


def apart(event: Event) -> Reply:
    """The answer to whoever wants a thread of its own for a request that they made."""
    if event.values.get("by") != event.actor.id:
        return _refused(event, "not_yours")
    values = {"request": event.text, "of": event.values.get("of", ""), "by": event.actor.id}
    return Reply(kind="note", code="apart", to=event.actor.id, values=values)


def _refused(event: Event, code: ReplyCode, **values: str) -> Reply:
    return Reply(kind="refused", code=code, to=event.actor.id, private=True, values=values)

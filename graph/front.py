"""What an event means for the run as it stands: answered aside, refused, or let through to resume it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graph.answering import answer
from graph.beside import beside, question_meant
from graph.corrections import begins_write
from graph.engine import Engine
from graph.fields import parse
from graph.meaning import meant, unplaced
from graph.model import ClosedRequest, Event, Lang, Problem, Reply, Request, Text
from graph.model.events import ReplyCode
from graph.moves import another
from graph.opening import cards
from graph.phrases import fact_money, problem_text
from graph.reading import recognise
from graph.reading.explicit import explicit
from graph.reading.overheard import answers, decides
from graph.state import RunState
from graph.steps import KINDS
from graph.steps.inquiry import waits_for_reply
from graph.subject import named_instead
from graph.turn import Turn
from graph.whys import asked_of

_SHOWN = ("facts", "trail", "help")
_BUTTON_TEXT = 900  # signs of a request that a button can carry


@dataclass(frozen=True)
class Front:
    """Judges events without changing anything."""

    engine: Engine

    def language(self, event: Event) -> Lang:
        """A thread speaks the language of its first sentence (cards 0)."""
        if any("一" <= sign <= "鿿" for sign in event.text):
            return "zh"
        letters = sum(sign.isalpha() and sign.isascii() for sign in event.text)
        return "en" if letters > 6 else event.actor.lang

    def overheard(self, run: RunState, event: Event, meant: Event) -> bool:
        """Whether words, read as `meant`, are not for the bot: somebody else said them, without naming it, and they answer
        nothing that waits. They get no answer; those of the agent of the case always do (law 9)."""
        if event.kind != "message" or event.addressed or self._acts(run, event, meant.case):
            return False
        if run.over or (meant.kind == "show" and meant.shown != "help"):
            return run.over and meant.kind not in ("message", "show")
        if run.request is None:
            return False
        if self._decider(run, run.request, event):
            return not decides(event.text)
        return not answers(event.text, run.request, run.facts, self.engine.library.words.fields)

    def aside(self, run: RunState | None, event: Event) -> Reply | None:
        """The reply to what only wants to be shown something; None for everything else."""
        if event.kind == "show" and event.shown in _SHOWN and run is not None:
            return Reply(kind=event.shown, to=event.actor.id, private=event.private)
        if event.kind == "message" and run is not None and not run.over:
            return asked_of(run, event, self.engine)
        return None

    async def question(self, run: RunState, event: Event) -> tuple[Reply | None, int]:
        """A question in the middle of a case, answered from the handbook, or talk beside it; the case waits as it did. What
        code cannot place is shown to the model, where there is one."""
        if event.kind != "message" or explicit(event.text, cards(self.engine.library)) is not None:
            return None, 0
        asking = recognise(event.text) == "question"
        if self._acts(run, event):
            reply, calls = await beside(self.engine, run, event, asking=asking)
            if reply is None and not asking:
                reply, more = await self._meant(run, event)
                calls += more
            if reply is not None or not asking:
                return reply, calls
        elif not asking:
            return None, 0
        engine = self.engine
        asked = (question_meant(engine, run, event.text), run.lang, event.actor.id)
        reply, calls = await answer(*asked, engine.library.handbook, engine.llm, engine.sections)
        return reply, calls

    async def _meant(self, run: RunState, event: Event) -> tuple[Reply | None, int]:
        """What the model takes words of the agent's to mean that answer nothing and ask for nothing else."""
        if self.engine.llm is None or run.request is None or not self._acts(run, event):
            return None, 0
        asked_back = run.request.kind == "approve" and waits_for_reply(run.request)
        if asked_back or recognise(event.text) is not None or another(event, run, self.engine):
            return None, 0
        return await meant(event, run, self.engine) if unplaced(event, run, self.engine) else (None, 0)

    def fits(self, run: RunState, event: Event) -> bool:
        """Whether a timer belongs to the request that waits."""
        return run.request is not None and any(timer.id == event.timer for timer in run.request.timers)

    def refusal(self, run: RunState, event: Event) -> Reply | None:
        """Why an event does not count; None when it does."""
        if event.kind == "timer":
            return None
        if event.kind == "retry" and run.over:
            return _refused(event, "nothing_to_retry")
        if run.over or run.request is None:
            return self.stale(run, event)
        if event.request is not None and event.request != run.request.id:
            return self.stale(run, event)
        if event.kind == "message" and (another_asked := self._another(run, event)):
            return another_asked
        if event.case != run.case and run.began_after(event.said_at or (None if event.request else event.at)):
            return Reply(kind="refused", code="said_earlier", to=event.actor.id, values={"case": run.case})
        if event.kind in ("decision", "inquire"):
            if run.request.kind != "approve" or event.request != run.request.id:
                return self.stale(run, event)
        elif event.kind == "settle":
            return self._settling(run.request, event)
        elif event.kind == "message" and self._decider(run, run.request, event):
            return Reply(kind="note", code="press_button", to=event.actor.id, private=True)
        elif not self._acts(run, event):
            return _refused(event, "not_yours", name=run.owner.name)
        if event.kind == "retry" and run.request.kind != "hold":
            return _refused(event, "nothing_to_retry")
        if event.kind in ("cancel", "correct"):
            refused = self._meddling(run, event)
            if refused is not None or event.kind == "cancel":
                return refused
        if event.kind == "hand_over" and event.to is None:
            return _refused(event, "to_whom")
        if event.kind in ("correct", "hand_over"):
            return None
        sop = self.engine.sop_of(run)
        spec = sop.step(run.request.step)
        ctx = Turn(self.engine, event, 0).context(run, event)
        listens = event.kind == "message" and KINDS[spec.kind].listens(spec, run.request, ctx)
        if run.request.kind in ("hold", "park") and event.kind != "retry" and not listens:
            code: ReplyCode = "still_held" if run.request.kind == "hold" else "still_parked"
            return Reply(kind="note", code=code, to=event.actor.id)
        if run.request.kind == "approve" and event.kind == "message" and waits_for_reply(run.request):
            return None
        if run.request.kind == "approve" and event.kind not in ("decision", "inquire"):
            return Reply(kind="note", code="still_waiting", to=event.actor.id)
        if elsewhere := self._elsewhere(run, run.request, event):
            return elsewhere
        return KINDS[spec.kind].refusal(spec, run.facts, run.request, event, ctx)

    def form_problems(self, values: Mapping[str, str]) -> dict[str, Text]:
        """What is wrong with the fields of a form, by field, in words."""
        fields = self.engine.library.words.fields
        found = {name: parse(fields[name], raw) for name, raw in values.items() if name in fields and raw.strip()}
        return {
            name: problem_text(each, fields[name].label, hidden=fields[name].sensitive)
            for name, each in found.items()
            if isinstance(each, Problem)
        }

    def _decider(self, run: RunState, request: Request, event: Event) -> bool:
        """Words of an approver decide nothing: they are told where the buttons are."""
        return (
            request.kind == "approve"
            and not self._acts(run, event)
            and self.engine.library.words.authority.may_decide(request.level or "", event.actor, event.at)
        )

    def _settling(self, request: Request, event: Event) -> Reply | None:
        """Only a lead says what became of a write, and says how they know."""
        if request.kind != "park" or event.request != request.id:
            return _refused(event, "stale")
        if not self.engine.library.words.authority.is_lead(event.actor):
            return _refused(event, "not_lead")
        if event.values.get("outcome") not in ("paid", "unpaid") or not event.reason.strip():
            return _refused(event, "no_reason")
        return None

    def _another(self, run: RunState, event: Event) -> Reply | None:
        """Whoever asks for something else is asked where it is to be carried out: behind this case, or by itself."""
        if not another(event, run, self.engine):
            return None
        values = {"request": event.text, "of": event.id, "by": event.actor.id, "case": run.case}
        code: ReplyCode = "another" if len(event.text) <= _BUTTON_TEXT else "another_long"
        return Reply(kind="note", code=code, to=event.actor.id, values=values)

    def _elsewhere(self, run: RunState, request: Request, event: Event) -> Reply | None:
        """Words about another order must not move this one's money."""
        if event.kind != "message":
            return None
        asked = (*request.missing, *request.reads)
        named = named_instead(event.text, run.facts, self.engine.library.words.fields, asked)
        if named is None:
            return None
        return Reply(kind="note", code="other_subject", to=event.actor.id, values={"known": named[0], "named": named[1]})

    def stale(self, run: RunState, event: Event) -> Reply:
        """The answer to a click on something that no longer waits: what happened since."""
        closed = next((each for each in run.closed if each.request.id == event.request), None)
        if closed is None:
            if run.has_written:
                return _refused(event, "already_paid")
            return _refused(event, "cancelled_done" if run.over and event.request is None else "stale")
        if closed.ending in ("approved", "rejected"):
            return _refused(event, "decided", name=closed.name, at=closed.at, ending=closed.ending)
        if closed.ending in ("expired", "passed"):
            return _refused(event, "expired" if closed.ending == "expired" else "passed", at=closed.at)
        if closed.ending in ("withdrawn", "replaced") and closed.request.kind == "approve":
            code: ReplyCode = "changed" if closed.ending == "replaced" else "withdrawn"
            return _refused(event, code, **self._change(run, closed))
        return _refused(event, "stale", name=closed.name, at=closed.at, ending=closed.ending)

    def _change(self, run: RunState, closed: ClosedRequest) -> dict[str, str]:
        old, new = closed.request.amount, run.facts.get("amount")
        values = {"name": closed.name, "at": closed.at, "ending": closed.ending}
        moved = old is not None and new is not None and old.value != new.value
        return values | ({"old": fact_money(old), "new": fact_money(new)} if old and new and moved else {})

    def _acts(self, run: RunState, event: Event, case: str = "") -> bool:
        owner = next((each.owner.id for each in run.queue if each.case == case), run.owner.id)
        return event.actor.id == owner or self.engine.library.words.authority.is_lead(event.actor)

    def in_doubt(self, run: RunState) -> bool:
        """Whether the case waits with a write that may have happened."""
        request = run.request
        return (
            request is not None
            and request.kind in ("hold", "park")
            and not (request.error or "").startswith("missing:")
            and begins_write(request, self.engine.library.words.tools)
        )

    def _meddling(self, run: RunState, event: Event) -> Reply | None:
        """Cancel and correct come too late once a write has begun: begun means committed (law 4)."""
        if run.has_written:
            return _refused(event, "already_paid")
        if self.in_doubt(run):
            return _refused(event, "in_doubt")
        if event.kind == "cancel":
            return None
        fields = self.engine.library.words.fields
        for name, raw in event.values.items():
            if name not in fields or not raw.strip():
                continue
            parsed = parse(fields[name], raw)
            if isinstance(parsed, Problem):
                why = problem_text(parsed, fields[name].label, hidden=fields[name].sensitive)
                return Reply(kind="refused", code="field", to=event.actor.id, private=True, text=why)
        return None


def _refused(event: Event, code: ReplyCode, **values: str) -> Reply:
    return Reply(kind="refused", code=code, to=event.actor.id, private=True, values=values)

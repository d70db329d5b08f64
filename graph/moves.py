"""What words in a thread with a case are beside an answer: a correction, a cancel, a hand-over, a wish to see something.

State outranks classification: what answers the question that waits is an answer, whatever else it could be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.engine import Engine
from graph.fields.words import Source
from graph.model import Event
from graph.opening import cards, codes_of
from graph.reading import recognise
from graph.reading.alone import read_alone
from graph.reading.changes import Changes, changes
from graph.reading.explicit import explicit
from graph.reading.listening import listen
from graph.reading.orders import drops, hands_over, names_case
from graph.reading.several import behind, beside, says_both, several
from graph.reading.understand import asks_for
from graph.state import RunState
from graph.subject import named_instead

_SHOWN = ("facts", "trail", "help")


def moved(event: Event, run: RunState | None, engine: Engine, waiting: Sequence[RunState] = ()) -> Event:
    """The event as what its words are. Those of an answer, a question or anything not recognised stay a message. `waiting`
    are the cases that wait behind one that has ended."""
    if event.kind != "message" or (run is not None and run.sop is not None and engine.sop_of(run).internal):
        return event
    if run is None or run.sop is None:
        return _counted(event, engine)
    if explicit(event.text, cards(engine.library)) is not None:
        return _counted(event, engine) if run.over else event
    talk = recognise(event.text)
    if talk in _SHOWN:
        return event.model_copy(update={"kind": "show", "shown": talk})
    if talk == "retry":
        return event.model_copy(update={"kind": "retry"})
    if (queued := _queued(event, run, engine, waiting)) is not None:
        return event.model_copy(update={"kind": "cancel", "reason": event.text, "case": queued.case})
    if talk == "cancel" or (talk is None and _dropped(event, run, engine, waiting)):
        return event.model_copy(update={"kind": "cancel", "reason": event.text})
    if talk is not None:
        return event
    if given := hands_over(event.text):
        to = event.mentioned[0] if given == "named" and len(event.mentioned) == 1 else None
        return event.model_copy(update={"kind": "hand_over", "to": to})
    changed = changed_by(event, run, engine) or _by_the_way(event, run, engine)
    if changed is not None and (changed.fields or not run.over):
        return correction(event, changed, run)
    return _counted(event, engine) if run.over else _parted(event, run, engine)


def changed_by(event: Event, run: RunState, engine: Engine) -> Changes | None:
    """What the words of a message correct in this case."""
    words = engine.library.words.fields
    told = [words[name] for name in engine.sop_of(run).told]
    asked = [words[name] for name in (run.request.missing if run.request else []) if name in words]
    return changes(event.text, run.facts, told, asked, engine.today(event.at))


def _by_the_way(event: Event, run: RunState, engine: Engine) -> Changes | None:
    """What the procedure listens for, such as a complaint, told while something else is waited for: kept, with what the
    message answers beside it. A step that listens itself hears it without this."""
    request, names, fields = run.request, engine.sop_of(run).listened, engine.library.words.fields
    if run.over or run.has_written or request is None or request.kind not in ("ask", "approve") or not names:
        return None
    today = engine.today(event.at)
    heard = listen(event.text, [fields[name] for name in names], today=today)
    news = {name: fact for name, fact in heard.items() if name not in run.facts or run.facts[name].value != fact.value}
    if not news:
        return None
    asked = [fields[name] for name in request.missing if name in fields and fields[name].type != "text"]
    answers = dict(read_alone(event.text, asked, asked=True, today=today).fields) if asked else {}
    return Changes(fields={**answers, **news})


def correction(event: Event, changed: Changes, run: RunState) -> Event:
    """The event of the correction form, with these values and the words they were taken from; that of the form which the
    case waits for, where nothing known is another."""
    values = {name: str(fact.value) for name, fact in changed.fields.items()}
    values |= {problem.field: problem.quote for problem in changed.problems if problem.field not in values}
    quotes = {name: fact.quote or "" for name, fact in changed.fields.items()}
    given = {"values": values, "quotes": quotes}
    if changed.answers and run.request is not None:
        return event.model_copy(update={"kind": "answer", "request": run.request.id, **given})
    return event.model_copy(update={"kind": "correct", **given})


def another(event: Event, run: RunState, engine: Engine) -> bool:
    """Whether the whole message asks for something else than what is open: another order, or another procedure for one it
    names. While an order is asked for, naming one is the answer."""
    sops = cards(engine.library)
    if explicit(event.text, sops) is not None:
        return True
    if _asks_for_code(run, engine) or _names_its_own(event.text, run, engine):
        return False
    found = beside(event.text, sops, codes_of(run, engine))
    if found is not None:
        return found[0] == ""
    wanted = asks_for(event.text, sops) if beside(event.text, sops, ()) else ""
    return wanted != "" and run.sop is not None and wanted != run.sop.name


def _names_its_own(text: str, run: RunState, engine: Engine) -> bool:
    """Whether words name the order of the case and turn down every other: 不是 778，是 788."""
    norm = Source(text).norm
    own = any(code.lower() in norm for code in codes_of(run, engine))
    return own and named_instead(text, run.facts, engine.fields_of(run), ()) is None


def _counted(event: Event, engine: Engine) -> Event:
    """A first message with its further requests apart."""
    first, *further = several(event.text, cards(engine.library))
    return event.model_copy(update={"text": first, "further": tuple(further)}) if further else event


def _parted(event: Event, run: RunState, engine: Engine) -> Event:
    """An answer, with the request that follows it apart; all of the orders, where it is asked which."""
    request = run.request
    several_named = [each for each in request.problems if each.code == "several"] if request is not None else []
    if request is not None and several_named and _asks_for_code(run, engine):
        first, *also = several_named[0].candidates or [""]
        if also and says_both(event.text):
            values = {several_named[0].field: first}
            return event.model_copy(update={"kind": "answer", "request": request.id, "values": values, "also": tuple(also)})
        return event
    if words := behind(event.text, cards(engine.library)):
        values = {"of": event.id, "by": event.actor.id}
        return event.model_copy(update={"kind": "queue", "text": words, "values": values})
    found = beside(event.text, cards(engine.library), codes_of(run, engine))
    if found is None or not found[0]:
        return event
    return event.model_copy(update={"text": found[0], "further": (found[1],)})


def _asks_for_code(run: RunState, engine: Engine) -> bool:
    fields = engine.library.words.fields
    asked = run.request.missing if run.request is not None else []
    return any(name in fields and fields[name].type == "code" for name in asked)


def _dropped(event: Event, run: RunState, engine: Engine, waiting: Sequence[RunState]) -> bool:
    """Whether the words drop this case; where it is over, the first that waits. Where free text is asked for they may be
    the answer (取消了), unless they name the case itself; words that name another order drop nothing."""
    fields = engine.library.words.fields
    asked = run.request.missing if run.request else []
    story = any(name in fields and fields[name].type == "text" for name in asked)
    if (run.over and not waiting) or not drops(event.text) or (story and not names_case(event.text)):
        return False
    return named_instead(event.text, waiting[0].facts if run.over else run.facts, fields, ()) is None


def _queued(event: Event, run: RunState, engine: Engine, waiting: Sequence[RunState]) -> RunState | None:
    """The case behind this one that the words drop, by its id or its order: 取消 C-7K3F, KL-901 那单不办了."""
    said = event.text.upper()
    for each in waiting if run.over else [other for other in run.queue if not other.over]:
        for name in (each.case, *sorted(codes_of(each, engine) - codes_of(run, engine))):
            rest = re.sub(rf"{re.escape(name)}[ 的那这个单]*", "", said)
            if rest != said and (recognise(rest) == "cancel" or drops(rest)):
                return each
    return None

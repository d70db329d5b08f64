"""A run as people see it: everything formatted and masked."""

from __future__ import annotations

from graph.engine import Engine
from graph.masking import masked_fact
from graph.model import CaseRow, Fact, JsonValue, Request, ResultView, RunView
from graph.model.rows import LEADS
from graph.phrases import without_numbers
from graph.projection.about import about_run, word
from graph.projection.drill import drill_of, row_of_drill
from graph.projection.requests import all_requests, request_view
from graph.projection.shown import fact_view, field_view, masked_closed, masked_route, people, safe_entry
from graph.projection.steps import step_views
from graph.sop import Sop
from graph.state import RunState
from graph.steps import AskSpec

__all__ = ["row_of", "view_of"]


def view_of(run: RunState, engine: Engine) -> RunView:
    """The whole projection of a run that follows a procedure."""
    sop = engine.sop_of(run)
    fields = engine.library.words.fields
    steps = step_views(run, sop, engine)
    by_id = {step.id: step for step in steps}
    what = about_run(run, engine)
    return RunView(
        case=run.case,
        thread=run.thread,
        sop=sop.name,
        version=sop.digest[:4],
        lang=run.lang,
        status=run.status,
        opener=run.opener,
        owner=run.owner,
        opened_at=run.opened_at,
        updated_at=run.updated_at,
        headline=what.headline,
        order=what.order,
        customer=what.customer,
        product=what.product,
        order_amount=what.order_amount,
        reason=what.reason,
        steps=steps,
        facts=[fact_view(name, fact, fields.get(name), run) for name, fact in run.facts.items() if _has_line(name, fact)],
        correctable=[field_view(fields[name], run.facts.get(name)) for name in _askable(run, sop)],
        trail=[safe_entry(entry) for entry in run.trail],
        requests=[request_view(each, closed, run, sop, engine, by_id) for each, closed in all_requests(run)],
        waiting=run.request.id if run.request else None,
        behind=run.behind,
        result=_result(run) if run.status == "done" else None,
        stopped=run.stopped,
        plain=_plain(run),
        model_calls=run.model_calls,
        tokens_read=run.tokens_read,
        tokens_written=run.tokens_written,
        drill=drill_of(run, engine),
    )


def row_of(run: RunState, engine: Engine) -> CaseRow:
    """A run as a line in a list."""
    what = about_run(run, engine)
    return CaseRow(
        case=run.case,
        thread=run.thread,
        status=run.status,
        headline=what.headline,
        order=what.order,
        customer=what.customer,
        lang=run.lang,
        waits_for=run.request.kind if run.request else "queued" if run.behind else "",
        updated_at=run.updated_at,
        sop=run.sop.name if run.sop else "",
        owner=run.owner.id,
        **_waits(run.request),
        asks_agent=_asks_agent(run.request),
        needed_person=any(each.kind in ("approve", "park") for each, _ in all_requests(run)),
        drill=row_of_drill(run, engine),
    )


def _asks_agent(request: Request | None) -> bool:
    """Whether an answer of the agent's is waited for."""
    if request is None:
        return False
    return request.kind in ("ask", "confirm") or any(not each.answer for each in request.inquiries)


def _waits(request: Request | None) -> dict[str, str]:
    """What of a row says where it waits, for whom and since when."""
    if request is None:
        return {}
    level = request.level or ""
    place = LEADS if request.kind == "park" else level if request.kind == "approve" else ""
    return {"request": request.id, "level": level, "place": place, "since": request.made_at}


def _askable(run: RunState, sop: Sop) -> list[str]:
    """What can be corrected now: nothing after a payout, and nothing while the case waits behind another."""
    if run.has_written or run.behind:
        return []
    names = [*sop.fields, *(name for step in sop.steps if isinstance(step, AskSpec) for name in step.fields)]
    return list(dict.fromkeys(names))


def _has_line(name: str, fact: Fact) -> bool:
    return fact.value not in (None, "")


def _result(run: RunState) -> ResultView:
    routes = [route for entry in run.trail for route in entry.routes]
    made = (fact.at_path(name) for fact in run.facts.values() for name in ("compensation_no", "refund_no"))
    number = next((found for found in made if found), None)
    note = run.facts.get("note")
    approver = run.facts.get("approved_by") or run.facts.get("approver")
    who = word(approver)
    return ResultView(
        summary=run.summary,
        number=word(number),
        routes=[masked_route(route) for route in routes],
        approver=people(who, run),
        note=word(note.at_path("id") if note else None),
        **_closing(run),
    )


def _closing(run: RunState) -> dict[str, str]:
    """How a review ended the run; nothing where it went on after the last one."""
    last = masked_closed(run.closed[-1]) if run.closed else None
    if last is None or not last.request.options or last.ending != "rejected":
        return {}
    return {"closed_by": last.name, "closed_at": last.at, "closed_as": last.answer, "remark": without_numbers(last.reason)}


def _plain(run: RunState) -> dict[str, JsonValue]:
    return {name: masked_fact(fact).plain() for name, fact in run.facts.items()}

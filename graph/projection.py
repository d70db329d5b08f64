"""A run as people see it: everything formatted and masked."""

from __future__ import annotations

from collections.abc import Mapping

from graph.engine import Engine
from graph.fields import FieldSpec, masked_quote, shown
from graph.model import (
    CaseRow,
    ChoiceView,
    ClosedRequest,
    Fact,
    FactView,
    FieldView,
    Headline,
    JsonValue,
    Request,
    RequestView,
    ResultView,
    Route,
    RunView,
    StepState,
    StepView,
    Text,
)
from graph.phrases import both, catalogue, fact_money, last_four, masked, text
from graph.sop import Sop
from graph.state import RunState
from graph.steps import AnySpec, ApproveSpec, AskSpec, CallSpec, CheckSpec
from graph.steps.approve import setters
from graph.steps.call import masked as masked_fact


def view_of(run: RunState, engine: Engine) -> RunView:
    """The whole projection of a run that follows a procedure."""
    sop = engine.sop_of(run)
    fields = engine.library.words.fields
    steps = _steps(run, sop, engine)
    by_id = {step.id: step for step in steps}
    order = run.facts.get("order")
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
        headline=headline(run, engine),
        order=_word(run.facts.get("order_id")),
        customer=_word(order.at_path("customer") if order else None),
        product=_word(order.at_path("product") if order else None),
        order_amount=_money(order.at_path("amount") if order else None),
        reason=_word(run.facts.get("reason")),
        steps=steps,
        facts=[_fact_view(name, fact, fields.get(name), run) for name, fact in run.facts.items() if _has_line(name, fact)],
        correctable=[] if run.written else [_field_view(fields[name], run.facts.get(name)) for name in _askable(sop)],
        trail=run.trail,
        requests=[_request_view(each, closed, run, sop, engine, by_id) for each, closed in _requests(run)],
        waiting=run.request.id if run.request else None,
        result=_result(run) if run.status == "done" else None,
        stopped=run.stopped,
        plain=_plain(run),
        model_calls=run.model_calls,
    )


def headline(run: RunState, engine: Engine) -> Headline:
    """Amount, way, procedure."""
    amount = run.facts.get("amount")
    way = run.facts.get("comp_type")
    spec = engine.library.words.fields.get("comp_type")
    choice = spec.choice(str(way.value)) if way is not None and spec is not None else None
    return Headline(
        amount=fact_money(amount) if amount is not None and amount.type == "money" else None,
        way=(choice.short or choice.label) if choice else None,
        title=engine.sop_of(run).noun,
    )


def row_of(run: RunState, engine: Engine) -> CaseRow:
    """A run as a line in a list."""
    order = run.facts.get("order")
    return CaseRow(
        case=run.case,
        thread=run.thread,
        status=run.status,
        headline=headline(run, engine),
        order=_word(run.facts.get("order_id")),
        customer=_word(order.at_path("customer") if order else None),
        lang=run.lang,
        waits_for=run.request.kind if run.request else "",
        updated_at=run.updated_at,
    )


def _requests(run: RunState) -> list[tuple[Request, ClosedRequest | None]]:
    found: list[tuple[Request, ClosedRequest | None]] = [(each.request, each) for each in run.closed]
    if run.request is not None:
        found.append((run.request, None))
    return found


def _steps(run: RunState, sop: Sop, engine: Engine) -> list[StepView]:
    now = run.cursor if not run.over else None
    stopped = run.stopped.step if run.stopped else None
    skipped = {entry.step: entry.reason for entry in run.trail if entry.what == "skip"}
    passed = {entry.step for entry in run.trail}
    views: list[StepView] = []
    reached = False
    for step in sop.steps:
        state: StepState = "next"
        if step.id in (now, stopped):
            state, reached = ("now", True)
        elif not reached and step.id in skipped and step.id in run.done:
            state = "skipped"
        elif not reached and step.id in passed:
            state = "done"
        reason = skipped.get(step.id)
        views.append(
            StepView(
                id=step.id,
                kind=step.kind,
                label=_label(step, run, engine),
                state=state,
                why=_skipped(step, run) if state == "skipped" and reason else None,
                note=_note(step, run) if state == "done" else None,
            )
        )
    return views


def _label(step: AnySpec, run: RunState, engine: Engine) -> Text:
    if step.title is not None:
        return both(step.title.zh or step.id, step.title.en or step.id)
    match step:
        case CallSpec():
            return catalogue().get(f"tools.{step.tool}") or both(step.tool)
        case CheckSpec():
            return text("steps.check")
        case AskSpec():
            labels = [engine.library.words.fields[name].label for name in step.fields]
            named = both("、".join(each.zh for each in labels), ", ".join(each.en for each in labels))
            return text("steps.ask", fields=named)
        case ApproveSpec():
            known = [each for each in (run.request, *(each.request for each in reversed(run.closed))) if each]
            level = next((each.level for each in known if each.step == step.id), None)
            label = engine.library.words.authority.levels.get(level or "")
            if label is not None:
                return text("steps.approve_by", level=label.label)
            return text("steps.auto" if run.done.get(step.id) else "steps.approve")
        case _:
            return text("steps.confirm")


def _skipped(step: AnySpec, run: RunState) -> Text | None:
    """Why a step did not apply, in words where the condition is one of the usual ones."""
    known = catalogue().get(f"steps.skipped_{step.id}")
    return known or text("steps.skipped", condition=step.when.source if step.when else "")


def _note(step: AnySpec, run: RunState) -> Text | None:
    if isinstance(step, CallSpec):
        fact = run.facts.get(step.save_as)
        if fact is not None and fact.type == "money":
            return both(fact_money(fact))
    return None


def _request_view(
    request: Request,
    closed: ClosedRequest | None,
    run: RunState,
    sop: Sop,
    engine: Engine,
    steps: dict[str, StepView],
) -> RequestView:
    words = engine.library.words
    rules = [name for step in sop.steps if isinstance(step, CheckSpec) for name in step.rules]
    passed = {str(name) for entry in run.trail if entry.what == "check" for name in _names(entry.values.get("passed"))}
    names = request.missing or (request.reads if request.kind == "confirm" else [])
    earlier = [each for each in run.closed if each.request.kind == "approve" and each.request.id != request.id]
    before = [_masked_closed(each) for each in earlier if each.request.made_at <= request.made_at]
    later = [each for each, _ in _requests(run) if each.step == request.step and each.made_at > request.made_at]
    return RequestView(
        id=request.id,
        kind=request.kind,
        step=steps[request.step],
        made_at=request.made_at,
        open=closed is None,
        fields=[_field_view(words.fields[name], run.facts.get(name)) for name in names if name in words.fields],
        prompt=request.prompt if _asks_all(request, sop) else None,
        problems=request.problems,
        level=request.level,
        amount=fact_money(request.amount) if request.amount else None,
        routes=[_masked_route(route) for route in request.routes],
        quotes=_quotes(request, run, words.fields) if request.kind == "approve" else [],
        rules_passed=len(passed & set(rules)),
        rules_total=len(set(rules)),
        earlier=[each for each in before if each.ending == "rejected"],
        closed=_masked_closed(closed) if closed else None,
        replaced_by=later[0].id if later else None,
        error=request.error,
        next_level=words.authority.next_level(request.level or ""),
        barred=sorted(setters(request.reads, run.facts) | {run.owner.id, run.opener.id})
        if request.kind == "approve"
        else [],
    )


def _names(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _masked_closed(closed: ClosedRequest) -> ClosedRequest:
    routes = [_masked_route(route) for route in closed.request.routes]
    return closed.model_copy(update={"request": closed.request.model_copy(update={"routes": routes})})


def _masked_route(route: Route) -> Route:
    return route if route.account is None else route.model_copy(update={"account": last_four(route.account)})


def _quotes(request: Request, run: RunState, fields: Mapping[str, FieldSpec]) -> list[FactView]:
    """The words that the decided facts were taken from: the opening sentence, then what was said later."""
    decided = {name: run.facts[name] for name in request.reads if name in run.facts and run.facts[name].quote}
    opening = run.text
    for fact in run.facts.values():
        if fact.sensitive and fact.quote:
            opening = opening.replace(fact.quote, masked(fact.quote).in_(run.lang))
    said = FactView(name="", label=both(""), text=both(opening), quote=opening, by=run.opener.name, at=run.opened_at)
    later = [
        _fact_view(name, fact, fields.get(name), run)
        for name, fact in decided.items()
        if not fact.sensitive and (fact.quote or "") not in run.text
    ]
    return [said, *later]


def _asks_all(request: Request, sop: Sop) -> bool:
    """Whether the step's own prompt fits: it names all its fields, so it is shown only while all are missing."""
    step = sop.step(request.step)
    return not isinstance(step, AskSpec) or set(request.missing) == set(step.fields)


def _field_view(spec: FieldSpec, fact: Fact | None) -> FieldView:
    current = "" if fact is None or spec.sensitive else str(fact.value)
    return FieldView(
        name=spec.name,
        label=spec.label,
        type=spec.type,
        unit=spec.currency or "",
        sensitive=spec.sensitive,
        choices=[ChoiceView(value=each.value, label=each.label) for each in spec.choices],
        current=current,
        max_length=spec.max_length,
    )


def _askable(sop: Sop) -> list[str]:
    names = [*sop.fields, *(name for step in sop.steps if isinstance(step, AskSpec) for name in step.fields)]
    return list(dict.fromkeys(names))


def _has_line(name: str, fact: Fact) -> bool:
    return fact.value not in (None, "")


def _fact_view(name: str, fact: Fact, spec: FieldSpec | None, run: RunState) -> FactView:
    by = fact.by or ""
    return FactView(
        name=name,
        label=spec.label if spec else _fact_label(name),
        text=shown(spec, fact) if spec else _shown(fact),
        quote=masked_quote(spec, fact.quote) if spec and fact.quote else "",
        by=run.names.get(by, "" if by.startswith("tool:") else by),
        at=fact.at or "",
    )


def _fact_label(name: str) -> Text:
    return catalogue().get(f"facts.{name}") or both(name)


def _shown(fact: Fact) -> Text:
    if fact.sensitive and isinstance(fact.value, str):
        return masked(fact.value)
    if fact.type == "money":
        return both(fact_money(fact))
    if isinstance(fact.value, dict):
        parts = [_shown(inner) for inner in fact.value.values() if inner.type not in ("record", "list")]
        return both(" · ".join(part.zh for part in parts), " · ".join(part.en for part in parts))
    if isinstance(fact.value, list):
        return both(str(len(fact.value)))
    return both(str(fact.value))


def _result(run: RunState) -> ResultView:
    routes = [route for entry in run.trail for route in entry.routes]
    number = next((found for fact in run.facts.values() if (found := fact.at_path("compensation_no"))), None)
    note = run.facts.get("note")
    approver = run.facts.get("approved_by") or run.facts.get("approver")
    who = _word(approver)
    return ResultView(
        summary=run.summary,
        number=_word(number),
        routes=[_masked_route(route) for route in routes],
        approver=run.names.get(who, who),
        note=_word(note.at_path("id") if note else None),
    )


def _plain(run: RunState) -> dict[str, JsonValue]:
    return {name: masked_fact(fact).plain() for name, fact in run.facts.items()}


def _word(fact: Fact | None) -> str:
    return "" if fact is None or fact.value is None else str(fact.value)


def _money(fact: Fact | None) -> str:
    return fact_money(fact) if fact is not None and fact.type == "money" else ""

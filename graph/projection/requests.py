"""Requests as their cards show them, open or closed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from graph.authority import counting
from graph.engine import Engine
from graph.fields import FieldSpec
from graph.masking import masked_words
from graph.model import (
    ClosedRequest,
    Fact,
    FactView,
    Inquiry,
    JsonValue,
    Request,
    RequestView,
    StepView,
    Text,
    TrailEntry,
)
from graph.phrases import both, fact_money, masked, without_numbers
from graph.projection.about import about, word
from graph.projection.shown import fact_view, field_view, masked_closed, masked_route, safe_entry
from graph.sop import Sop
from graph.state import RunState
from graph.steps import ApproveSpec, AskSpec, CheckSpec
from graph.steps.approval_request import ESCALATE, EXPIRE, due, kept_out


def all_requests(run: RunState) -> list[tuple[Request, ClosedRequest | None]]:
    """Every request of the run in order, with how it ended."""
    found: list[tuple[Request, ClosedRequest | None]] = [(each.request, each) for each in run.closed]
    if run.request is not None:
        found.append((run.request, None))
    return found


def request_view(
    request: Request,
    closed: ClosedRequest | None,
    run: RunState,
    sop: Sop,
    engine: Engine,
    steps: dict[str, StepView],
) -> RequestView:
    """A request with all that its card shows, as it was when it was made."""
    words = engine.library.words
    rules = [name for step in sop.steps if isinstance(step, CheckSpec) for name in step.rules]
    passed = {str(name) for entry in run.trail if entry.what == "check" for name in _names(entry.values.get("passed"))}
    facts = request.facts or run.facts
    left_out = _barred(request, facts, run, sop, run.owners)
    then = left_out if closed is None else _barred(request, facts, run, sop, run.owners_until(closed.at))
    names = request.missing or (request.reads if request.kind == "confirm" else [])
    earlier = [each for each in run.closed if each.request.kind == "approve" and each.request.id != request.id]
    before = [masked_closed(each) for each in earlier if each.request.made_at <= request.made_at]
    same = [each for each, _ in all_requests(run) if (each.step, each.kind) == (request.step, request.kind)]
    later = [each for each in same if each.made_at > request.made_at]
    return RequestView(
        id=request.id,
        kind=request.kind,
        step=steps[request.step],
        made_at=request.made_at,
        open=closed is None,
        fields=[field_view(words.fields[name], facts.get(name)) for name in names if name in words.fields],
        prompt=request.prompt if _asks_all(request, sop) else None,
        problems=request.problems,
        level=request.level,
        amount=fact_money(request.amount) if request.amount else None,
        routes=[masked_route(route) for route in request.routes],
        quotes=_facts_shown(request, run, facts, words.fields),
        rules_passed=len(passed & set(rules)),
        rules_total=len(set(rules)),
        earlier=[each for each in before if each.ending != "passed"],
        closed=masked_closed(closed) if closed else None,
        replaced_by=later[0].id if later else None,
        error=request.error or ("nobody" if closed is None and _nobody(request, left_out, engine) else None),
        next_level=words.authority.next_level(request.level or ""),
        barred=sorted(left_out),
        about=about(request.facts, words.fields, sop.noun, sop.amount) if request.facts else None,
        due=due(request, EXPIRE),
        rises=due(request, ESCALATE),
        quorum=request.quorum,
        votes=request.votes,
        counted=counting(request.votes, then),
        reminded=request.reminded,
        offers=request.offers,
        remark=request.remark,
        without=request.without,
        beside=request.beside,
        policy=request.policy,
        reasons=request.reasons,
        inquiries=[_safe(each, run, words.fields) for each in request.inquiries],
        asked=request.amount,
        options=request.options,
        because=_because(request.facts.get("progress")) if request.options else None,
        tries=_tries(request, run) if request.options else [],
        states={name: step.label for name, step in steps.items()} if request.options else {},
        told=_told(request, run) if request.options else "",
    )


def _safe(inquiry: Inquiry, run: RunState, fields: Mapping[str, FieldSpec]) -> Inquiry:
    """A question and its answer without what is sensitive in their words."""
    said = {name: without_numbers(masked_words(words, fields.values(), run.lang)) for name, words in (
        ("question", inquiry.question), ("answer", inquiry.answer)
    )}
    return inquiry.model_copy(update=said)


def _barred(
    request: Request, facts: Mapping[str, Fact], run: RunState, sop: Sop, owners: Collection[str]
) -> set[str]:
    spec = sop.step(request.step)
    if request.kind != "approve" or not isinstance(spec, ApproveSpec):
        return set()
    return kept_out(request, facts, run.opener.id, owners, separate=spec.separate)


def _nobody(request: Request, left_out: set[str], engine: Engine) -> bool:
    """Whether nobody is left who may decide: a case may have been handed to the only one."""
    authority = engine.library.words.authority
    return request.kind == "approve" and not authority.has_anyone(request.level or "", left_out)


def _because(progress: Fact | None) -> Text | None:
    """Why a `choose` step left the case to a person."""
    if progress is None:
        return None
    return both(word(progress.at_path("zh")), word(progress.at_path("en")))


def _tries(request: Request, run: RunState) -> list[TrailEntry]:
    """What was chosen before the request was made."""
    return [safe_entry(each) for each in run.trail if each.what == "choose" and each.at <= request.made_at]


def _told(request: Request, run: RunState) -> str:
    """What a `wait` step said last that the customer may be told."""
    said = [each.values["told"] for each in run.trail if "told" in each.values and each.at <= request.made_at]
    return str(said[-1]) if said else ""


def _names(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _facts_shown(
    request: Request, run: RunState, facts: Mapping[str, Fact], fields: Mapping[str, FieldSpec]
) -> list[FactView]:
    """What is shown of the facts: the words that a decision rests on, or what is to be confirmed."""
    if request.kind == "approve":
        return _quotes(request, run, facts, fields)
    named = request.reads if request.kind == "confirm" else []
    return [fact_view(name, facts[name], fields.get(name), run) for name in named if name in facts]


def _quotes(request: Request, run: RunState, facts: Mapping[str, Fact], fields: Mapping[str, FieldSpec]) -> list[FactView]:
    """The words that the decided facts were taken from: the opening sentence, then what was said later."""
    decided = {name: facts[name] for name in request.reads if name in facts and facts[name].quote}
    opening = run.text
    for fact in run.facts.values():
        if fact.sensitive and fact.quote:
            opening = opening.replace(fact.quote, masked(fact.quote).in_(run.lang))
    opening = masked_words(opening, fields.values(), run.lang)
    opening = without_numbers(opening)
    said = FactView(name="", label=both(""), text=both(opening), quote=opening, by=run.opener.name, at=run.opened_at)
    later = [
        fact_view(name, fact, fields.get(name), run)
        for name, fact in decided.items()
        if not fact.sensitive and (fact.quote or "") not in run.text
    ]
    return [said, *later]


def _asks_all(request: Request, sop: Sop) -> bool:
    """Whether the step's own prompt fits: it names all its fields, so it is shown only while all are missing."""
    step = sop.step(request.step)
    return not isinstance(step, AskSpec) or set(request.missing) == set(step.fields)

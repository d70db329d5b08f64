"""Views with arbitrary, long and hostile text in every place that takes text."""

from __future__ import annotations

from typing import TypeVar, get_args

from hypothesis import strategies as st

from blocks.text import sound
from graph.model import (
    About,
    Actor,
    CaseRow,
    ChoiceView,
    ClosedRequest,
    Ending,
    Fact,
    FactType,
    FactView,
    FieldView,
    Headline,
    Problem,
    ProblemCode,
    Reply,
    ReplyCode,
    ReplyKind,
    Request,
    RequestKind,
    RequestView,
    ResultView,
    Route,
    RouteKind,
    RunView,
    Status,
    StepState,
    StepView,
    StoppedView,
    Text,
    TrailEntry,
    TrailKind,
)

T = TypeVar("T")
HOSTILE = (
    "",
    "<!channel>",
    "<!here|x> <@U0EVIL> <#C0EVIL> <!subteam^S0EVIL>",
    "<https://evil.example|click>",
    "*bold* _slant_ ~gone~ `code` ```block```",
    "> quote\n• fake\n*已批准* 9,999.00 USD",
    "&lt;!channel&gt;",
    "{amount} {0} %s",
    '"\\' * 200,
    "&" * 500,
    "<" * 500,
    "字" * 4000,
    "\u202e\u0000\ud800\u2028",
    "😀" * 300,
    " ",
)
words = st.sampled_from(HOSTILE) | st.text(max_size=60)
texts = st.builds(Text, zh=words, en=words)
ids = st.sampled_from(("U0LI", "r1/a/1", "tool:get_order", "<@U0EVIL>", "x" * 400)) | words
times = st.sampled_from(("2026-11-30T14:02:00+00:00", "0001-01-01", "9999-12-31T23:59:59+00:00", "", "soon"))
maybe_words = st.none() | words
names = words.map(sound)


def repeated(each: st.SearchStrategy[T], most: int) -> st.SearchStrategy[list[T]]:
    """A list of up to `most`, made of few different ones: long lists without long generation."""
    few = st.lists(each, min_size=1, max_size=2)
    return st.tuples(few, st.integers(0, most)).map(lambda pair: (pair[0] * most)[: pair[1]])


actors = st.builds(Actor, id=ids, name=words)
steps = st.builds(
    StepView,
    id=ids,
    kind=words,
    label=texts,
    state=st.sampled_from(get_args(StepState)),
    why=st.none() | texts,
    note=st.none() | texts,
)
facts = st.builds(FactView, name=words, label=texts, text=texts, quote=words, by=ids, at=times)
choices = st.builds(ChoiceView, value=names, label=texts, cue=st.none() | texts)
fields = st.builds(
    FieldView,
    name=names,
    label=texts,
    type=st.sampled_from(get_args(FactType)),
    unit=words,
    sensitive=st.booleans(),
    choices=repeated(choices, 120),
    current=words,
    max_length=st.integers(-5, 5000),
)
routes = st.builds(
    Route, kind=st.sampled_from(get_args(RouteKind)), amount=words | st.just("NaN"), currency=words, account=maybe_words
)
problems = st.builds(
    Problem,
    field=words,
    code=st.sampled_from(get_args(ProblemCode)),
    quote=words,
    candidates=repeated(words, 8),
    limit=words,
)
made = st.builds(
    Request,
    id=ids,
    kind=st.just("approve"),
    step=words,
    made_at=times,
    amount=st.none() | st.just(Fact(type="money", value="300", currency="USD")),
)
closings = st.builds(
    ClosedRequest,
    request=made,
    ending=st.sampled_from(get_args(Ending)),
    by=ids,
    name=words,
    at=times,
    event=words,
    reason=words,
    answer=words,
)
headlines = st.builds(Headline, amount=maybe_words, way=st.none() | texts, title=texts, priced=st.booleans())
abouts = st.builds(About, headline=headlines, order=words, customer=words, product=words, order_amount=words, reason=words)
requests = st.builds(
    RequestView,
    id=ids,
    kind=st.sampled_from(get_args(RequestKind)),
    step=steps,
    made_at=times,
    open=st.booleans(),
    fields=repeated(fields, 30),
    prompt=st.none() | texts,
    problems=repeated(problems, 10),
    level=maybe_words | st.just("supervisor"),
    amount=maybe_words,
    routes=repeated(routes, 15),
    quotes=repeated(facts, 30),
    earlier=st.lists(closings, max_size=1),
    closed=st.none() | closings,
    replaced_by=st.none() | ids,
    error=maybe_words | st.just("nobody"),
    next_level=maybe_words,
    due=st.none() | times,
    about=st.none() | abouts,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=4,
)
entries = st.builds(
    TrailEntry,
    step=ids,
    what=st.sampled_from(get_args(TrailKind)),
    at=times,
    by=ids,
    rule=maybe_words,
    level=maybe_words,
    reason=words,
    goto=maybe_words,
    fields=repeated(words, 12),
    values=st.dictionaries(words, json_values, max_size=3),
    routes=repeated(routes, 15),
)
results = st.builds(ResultView, summary=words, number=words, routes=repeated(routes, 15), approver=ids, note=words)
stops = st.builds(
    StoppedView, step=ids, rule=words, why=texts, next=st.none() | texts, by=ids, at=times, money_moved=st.booleans()
)


@st.composite
def runs(draw: st.DrawFn) -> RunView:
    """A whole run; one of its requests waits, if it has any."""
    asked = draw(st.lists(requests, max_size=2))
    return RunView(
        case=draw(words),
        thread=draw(ids),
        sop=draw(words),
        version=draw(words),
        lang=draw(st.sampled_from(("zh", "en"))),
        status=draw(st.sampled_from(get_args(Status))),
        opener=draw(actors),
        owner=draw(actors),
        opened_at=draw(times),
        updated_at=draw(times),
        headline=draw(headlines),
        order=draw(words),
        customer=draw(words),
        product=draw(words),
        order_amount=draw(words),
        reason=draw(words),
        steps=draw(repeated(steps, 60)),
        facts=draw(repeated(facts, 300)),
        correctable=draw(repeated(fields, 120)),
        trail=draw(repeated(entries, 300)),
        requests=asked,
        waiting=asked[-1].id if asked else None,
        result=draw(st.none() | results),
        stopped=draw(st.none() | stops),
    )


rows = st.builds(
    CaseRow,
    case=words,
    thread=ids,
    status=st.sampled_from(get_args(Status)),
    headline=headlines,
    order=words,
    customer=words,
    waits_for=words | st.sampled_from(("ask", "approve", "supervisor")),
    updated_at=times,
)
replies = st.builds(
    Reply,
    kind=st.sampled_from(get_args(ReplyKind)),
    to=ids,
    code=st.sampled_from(get_args(ReplyCode)),
    text=st.none() | texts,
    quote=words,
    source=st.none() | texts,
    values=st.dictionaries(st.sampled_from(("level", "name", "at", "old", "new", "problem", "case")), words),
)

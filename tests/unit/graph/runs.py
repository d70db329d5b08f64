"""Runs made up at random, with everything that one can hold."""

from __future__ import annotations

from hypothesis import strategies as st

from graph.model import (
    Actor,
    ClosedRequest,
    Decision,
    Fact,
    Problem,
    Reply,
    Request,
    Route,
    StoppedView,
    Text,
    Timer,
    TrailEntry,
)
from graph.state import RunState, Sealed

#: Whatever a person may type: controls, quotes, joiners, emoji, astral planes; what UTF-8 cannot hold is refused earlier.
WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name != "lc")
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**18).map(str)
SIGNED = {"quote": st.none() | WORDS, "by": st.none() | WORDS, "at": st.none() | WORDS, "sensitive": st.booleans()}

SCALARS = st.one_of(
    st.builds(Fact, type=st.sampled_from(["code", "choice", "text", "date", "phone", "account"]), value=WORDS, **SIGNED),
    st.builds(Fact, type=st.just("money"), value=DECIMALS, currency=st.sampled_from(["USD", "CNY"]), **SIGNED),
    st.builds(Fact, type=st.just("percent"), value=DECIMALS, **SIGNED),
    st.builds(Fact, type=st.just("integer"), value=st.integers(-(2**53), 2**53), **SIGNED),
    st.builds(Fact, type=st.just("boolean"), value=st.booleans(), **SIGNED),
    st.builds(Fact, type=st.sampled_from(["text", "money", "integer"]), value=st.none(), currency=st.just("USD")),
)
FACTS: st.SearchStrategy[Fact] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(Fact, type=st.just("record"), value=st.dictionaries(NAMES, inner, max_size=3), **SIGNED),
        st.builds(Fact, type=st.just("list"), value=st.lists(inner, max_size=3), **SIGNED),
    ),
    max_leaves=6,
)
TEXTS = st.builds(Text, zh=WORDS, en=WORDS)
ACTORS = st.builds(
    Actor, id=WORDS, name=WORDS, lang=st.sampled_from(["zh", "en"]), groups=st.lists(WORDS, max_size=2).map(tuple)
)
JSON = st.recursive(
    st.one_of(WORDS, st.integers(-(2**53), 2**53), st.booleans(), st.none()),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)
ROUTES = st.builds(
    Route, kind=st.sampled_from(["gateway", "credit"]), amount=DECIMALS, currency=st.just("USD"), account=st.none() | WORDS
)
PROBLEMS = st.builds(
    Problem, field=NAMES, code=st.sampled_from(["range", "several"]), quote=WORDS, candidates=st.lists(WORDS, max_size=2)
)
VOTES = st.builds(
    Decision, verdict=st.just("approve"), by=WORDS, name=WORDS, at=WORDS, event=WORDS, of=WORDS, of_name=WORDS, option=NAMES
)
REQUESTS = st.builds(
    Request,
    id=WORDS,
    kind=st.sampled_from(["ask", "confirm", "approve", "hold", "park"]),
    step=NAMES,
    made_at=WORDS,
    missing=st.lists(NAMES, max_size=2),
    prompt=st.none() | TEXTS,
    problems=st.lists(PROBLEMS, max_size=1),
    amount=st.none() | SCALARS,
    digest=st.none() | WORDS,
    routes=st.lists(ROUTES, max_size=1),
    facts=st.dictionaries(NAMES, FACTS, max_size=1),
    timers=st.lists(st.builds(Timer, id=WORDS, due=WORDS), max_size=1),
    quorum=st.integers(1, 20),
    votes=st.lists(VOTES, max_size=2),
)
CLOSED = st.builds(
    ClosedRequest,
    request=REQUESTS,
    ending=st.sampled_from(["approved", "replaced"]),
    by=WORDS,
    name=WORDS,
    at=WORDS,
    event=WORDS,
    answer=WORDS,
)
TRAIL = st.builds(
    TrailEntry,
    step=NAMES,
    what=st.sampled_from(["call", "ask"]),
    at=WORDS,
    reason=WORDS,
    values=st.dictionaries(NAMES, JSON, max_size=2),
)
REPLIES = st.builds(
    Reply,
    kind=st.sampled_from(["policy", "note"]),
    to=WORDS,
    text=st.none() | TEXTS,
    values=st.dictionaries(NAMES, WORDS, max_size=1),
)
STOPPED = st.builds(StoppedView, step=NAMES, why=TEXTS, next=st.none() | TEXTS, money_moved=st.booleans())

RUNS = st.builds(
    RunState,
    run=WORDS,
    case=WORDS,
    thread=WORDS,
    lang=st.sampled_from(["zh", "en"]),
    opener=ACTORS,
    owner=ACTORS,
    opened_at=WORDS,
    updated_at=WORDS,
    text=WORDS,
    mode=st.sampled_from(["sop", "question"]),
    sop=st.builds(Sealed, name=NAMES, digest=WORDS, text=WORDS),
    cursor=st.none() | NAMES,
    facts=st.dictionaries(NAMES, FACTS, max_size=3),
    made=st.dictionaries(NAMES, NAMES, max_size=2),
    heard=st.lists(PROBLEMS, max_size=1),
    visits=st.dictionaries(NAMES, st.integers(0, 99), max_size=2),
    done=st.dictionaries(NAMES, WORDS, max_size=2),
    written=st.lists(NAMES, max_size=2),
    request=st.none() | REQUESTS,
    closed=st.lists(CLOSED, max_size=2),
    trail=st.lists(TRAIL, max_size=2),
    status=st.sampled_from(["waiting", "done", "stopped"]),
    stopped=st.none() | STOPPED,
    summary=WORDS,
    worded=st.booleans(),
    replies=st.lists(REPLIES, max_size=1),
    applied=st.lists(WORDS, max_size=2),
    names=st.dictionaries(NAMES, WORDS, max_size=2),
    model_calls=st.integers(0, 1000),
)

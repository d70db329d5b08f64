"""Whatever the input, Slack takes the card, and outside text pings nobody."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import blocks
from blocks import Card, Json, Surroundings, counted
from deploy.local.workspace.limits import check_view
from graph.model import CaseRow, Lang, Reply, RequestView, RunView
from tests.unit.blocks import strange as s
from tests.unit.blocks.reading import require_sendable
from tests.unit.blocks.views import AROUND

AROUND_ALL = AROUND.model_copy(
    update={
        "offers": frozenset({"another_amount", "ask_requester", "settle", "new_case", "handbook", "practise"}),
        "links": {"r1/a/1": "https://example.slack.com/p1"},
    }
)
OURS = re.compile(
    r"<!date\^\d+\^(?:\{date_short_pretty\} )?\{time\}\|[\d :-]+>"
    r"|<@U0LI>|<#C0(?:SUP|MAN)>"
    r"|<https://example\.slack\.com/p1\|[^<>|]+>"
    r"|" + "|".join(re.escape(each) for each in ("<@U0WANG> <@U0KIM>", "<@U0ZHAO>", "<@U0ZHOU>"))
)
# Without shrinking: it takes minutes on views as large as these.
QUIET = settings(
    max_examples=15,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
langs = st.sampled_from(("zh", "en"))


def _require_quiet(words: str) -> None:
    """Nothing but our own marks stands in brackets, and no formatting of others survives."""
    left = OURS.sub("", words)
    assert not re.search(r"[<>~]|^&gt;|:[a-z]+:", left, re.MULTILINE), left
    assert "`" not in left or "`/sop facts`" in left, left


def _marked(part: object) -> list[str]:
    """All text that Slack would interpret."""
    if isinstance(part, dict):
        if part.get("type") == "mrkdwn":
            assert part["verbatim"] is True
            return [str(part["text"])]
        return [words for inner in part.values() for words in _marked(inner)]
    return [words for inner in part for words in _marked(inner)] if isinstance(part, list) else []


def _plain(part: object) -> list[str]:
    """All text that Slack shows as it is."""
    if isinstance(part, dict):
        own = [str(part["text"])] if part.get("type") == "plain_text" else []
        return own + [words for inner in part.values() for words in _plain(inner)]
    return [words for inner in part for words in _plain(inner)] if isinstance(part, list) else []


def _require(card: Card) -> None:
    require_sendable(card)
    for words in [card.text, *_marked(card.blocks)]:
        _require_quiet(words)
    for words in _plain(card.blocks):
        assert not re.search("[<>]", words)


CARDS: dict[str, Callable[[RunView, Lang], Card]] = {
    "case": lambda view, lang: blocks.case_card(view, AROUND_ALL),
    "queued": lambda view, lang: blocks.case_card(view.model_copy(update={"behind": "<!channel>" * 50}), Surroundings()),
    "result": lambda view, lang: blocks.result_card(view, AROUND_ALL),
    "facts": lambda view, lang: blocks.facts_card(view, lang, AROUND_ALL),
    "trail": lambda view, lang: blocks.trail_card(view, lang, 0, AROUND_ALL),
    "oldest": lambda view, lang: blocks.trail_card(view, lang, 99),
}
ASKED: dict[str, Callable[[RunView, RequestView, Lang], Card]] = {
    "ask": lambda view, request, lang: blocks.ask_card(view, request, AROUND_ALL),
    "confirm": lambda view, request, lang: blocks.confirm_card(view, request, AROUND_ALL),
    "hold": lambda view, request, lang: blocks.hold_card(view, request, AROUND_ALL),
    "approval": lambda view, request, lang: blocks.approval_card(view, request, AROUND_ALL, lang),
}
FORMS: dict[str, Callable[[RunView, RequestView, Lang], Json]] = {
    "details": lambda view, request, lang: blocks.details_form(view, request, lang, {"amount": view.reason}),
    "correct": lambda view, request, lang: blocks.correct_form(view, lang),
    "cancel": lambda view, request, lang: blocks.cancel_form(view, lang),
    "hand_over": lambda view, request, lang: blocks.hand_over_form(view, lang),
    "reject": lambda view, request, lang: blocks.reject_form(view, request, lang, [view.headline.title]),
    "another_amount": lambda view, request, lang: blocks.amount_form(view, request, lang),
    "ask_requester": lambda view, request, lang: blocks.question_form(view, request, lang),
    "paid": lambda view, request, lang: blocks.settle_form(view, request, lang, "paid"),
}


@pytest.mark.parametrize("name", CARDS)
@given(view=s.runs(), lang=langs)
@QUIET
def test_any_run_makes_a_card_that_slack_takes(name: str, view: RunView, lang: Lang) -> None:
    """Arbitrary text, 0–60 steps, 0–300 facts and entries: within the limits, quiet, with a text."""
    _require(CARDS[name](view, lang))


@pytest.mark.parametrize("name", ASKED)
@given(view=s.runs(), lang=langs)
@QUIET
def test_any_request_makes_a_card_that_slack_takes(name: str, view: RunView, lang: Lang) -> None:
    """Open or ended, of whatever kind: within the limits, quiet, with a text."""
    assume(view.requests)
    _require(ASKED[name](view, view.requests[-1], lang))


@pytest.mark.parametrize("name", FORMS)
@given(view=s.runs(), lang=langs)
@QUIET
def test_any_form_is_one_that_slack_takes(name: str, view: RunView, lang: Lang) -> None:
    """Long labels, many fields, odd values: a valid view, or no form when its press cannot be carried."""
    assume(view.requests)
    try:
        form = FORMS[name](view, view.requests[-1], lang)
    except ValueError:
        assert any(len(each) > 100 or "\ud800" in each for each in (view.thread, view.case, view.requests[-1].id))
        return
    assert check_view(form) == []
    for words in _marked(form):
        _require_quiet(words)


@given(reply=s.replies, view=st.none() | s.runs(), lang=langs)
@QUIET
def test_any_reply_makes_a_card_that_slack_takes(reply: Reply, view: RunView | None, lang: Lang) -> None:
    """Every kind and code with any words: within the limits, quiet, with a text."""
    _require(blocks.reply_card(reply, view, AROUND_ALL, lang))


@given(rows=s.repeated(s.rows, 60), lang=langs)
@QUIET
def test_any_rows_make_a_list_and_a_home_that_slack_takes(rows: list[CaseRow], lang: Lang) -> None:
    """Sixty cases with odd names stay within the limits of a message and of the Home."""
    _require(blocks.case_list(rows, lang, AROUND_ALL))
    view = blocks.home(rows, rows, rows, AROUND_ALL, lang)
    assert check_view(view) == []
    for words in _marked(view):
        _require_quiet(words)


def test_nothing_to_say_still_is_a_message() -> None:
    """A card without words gets a sign instead of an empty text, which Slack would refuse."""
    assert counted(0, 0, "en").text
    assert blocks.kit.card("").text == "–"

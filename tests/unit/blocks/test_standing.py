"""How far a case is, in words that an agent can pass on."""

from __future__ import annotations

import json

import pytest

from blocks.standing import standing_card
from blocks.surroundings import Surroundings
from blocks.trail import trail_line
from graph.model import Lang, Reply
from tests.unit.blocks.test_review_card import TRIED
from tests.unit.blocks.views import t1_approval


@pytest.mark.parametrize(
    ("lang", "said", "record"),
    [
        ("zh", "查渠道状态：状态 处理中、已提交渠道 否", "转人工"),
        ("en", "Channel status: status processing", "review by a person"),
    ],
)
def test_the_last_answer_without_how_it_was_picked(lang: Lang, said: str, record: str) -> None:
    """What was asked and what came back; what else could have been picked stands in the record, in people's words, too."""
    view = t1_approval(lang).model_copy(update={"trail": [TRIED]})
    reply = Reply(kind="note", code="standing", to="U0LI", values={"until": "2026-09-04T02:02:00+00:00"})
    shown = json.dumps(standing_card(reply, view, Surroundings(), lang).blocks, ensure_ascii=False)
    assert said in shown
    assert record not in shown and "query_channel" not in shown
    line = trail_line(TRIED, view, Surroundings(), lang)
    assert record in line and "query_channel" not in line

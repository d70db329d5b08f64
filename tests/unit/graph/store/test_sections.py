"""The handbook's sections are found in an index, and found again when Redis has lost it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from redis.asyncio import Redis

from graph.answering import answer
from graph.handbook import Handbook
from graph.handbook.terms import terms_of
from graph.store.keys import Keys
from graph.store.sections import SectionIndex

SOPS = Path(__file__).parents[4] / "sops"
QUESTIONS = ["先补偿了还能退款吗", "how do I cancel a case", "300美元要谁批", "can we pay in euros?", "網關餘額不夠怎麼辦"]


@pytest.fixture(scope="module")
def handbook() -> Handbook:
    """The shipped handbooks."""
    return Handbook.load(SOPS)


@pytest.mark.parametrize("question", QUESTIONS)
async def test_a_question_finds_by_the_index_what_a_look_at_all_would(
    redis: Redis, keys: Keys, handbook: Handbook, question: str
) -> None:
    """In either language the answer is the same, and only some sections were looked at."""
    index = SectionIndex(redis, keys, handbook.terms)
    near = await index.near(terms_of(question))
    assert 0 < len(near) <= 24 < len(handbook.passages)
    indexed, _ = await answer(question, "zh", "U1", handbook, None, index)
    assert indexed == (await answer(question, "zh", "U1", handbook, None))[0]
    assert indexed.kind == "policy" and indexed.source is not None


async def test_what_no_section_says_is_said_to_be_missing(redis: Redis, keys: Keys, handbook: Handbook) -> None:
    """No term found, or none that fits, is no passage."""
    index = SectionIndex(redis, keys, handbook.terms)
    assert await index.near(terms_of("zzyzx qqq")) == [] == await index.near([])
    assert (await answer("zzyzx qqq?", "en", "U1", handbook, None, index))[0].kind == "no_policy"


async def test_a_lost_index_is_made_again(redis: Redis, keys: Keys, handbook: Handbook) -> None:
    """After the index was dropped with its sections, the next question finds as before; two processes share one."""
    first, second = (SectionIndex(redis, keys, handbook.terms) for _ in range(2))
    terms = terms_of(QUESTIONS[0])
    before = (await first.near(terms))[0]
    assert before == (await second.near(terms))[0]
    (digest,) = await redis.zrange(keys.handbooks(), 0, -1)
    await redis.ft(f"{keys.handbooks()}:{digest!s}").dropindex(delete_documents=True)
    assert (await first.near(terms))[0] == before


async def test_handbooks_that_nobody_opens_are_dropped(redis: Redis, keys: Keys) -> None:
    """A week after their last use the sections of an older state go, those in use stay."""
    await SectionIndex(redis, keys, [["old"]]).near(["old"])
    (old,) = await redis.zrange(keys.handbooks(), 0, -1)
    await redis.zadd(keys.handbooks(), {str(old): time.time() - 8 * 86400})
    new = SectionIndex(redis, keys, [["new"], ["newer", "old"]])
    assert await new.near(["old"]) == [1]
    assert await redis.exists(keys.section(str(old), "0")) == 0
    assert len(await redis.zrange(keys.handbooks(), 0, -1)) == 1

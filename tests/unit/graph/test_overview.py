"""What waits on whom, and the audit log as leads and auditors read it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from redis.asyncio import Redis

from deploy.local.backoffice.faults import Fault
from deploy.local.backoffice.seed import seed_orders
from deploy.local.redis_server import RedisServer
from graph.library import open_library
from graph.model import Actor, Broken, Outcome
from graph.store.keys import Keys
from tests.unit.graph.builders import (
    KIM,
    LI,
    RULES,
    STRANGER,
    SUN,
    T1,
    T4,
    T6,
    TOOLS,
    WANG,
    ZHAO,
    ZHOU,
    Desk,
    open_desk,
    view,
    waits,
    write_library,
)

ORDER = next(
    each.order_id
    for each in seed_orders()
    if each.payment_status == "paid" and each.fraud_status == "pass" and each.order_id.startswith("KL-1")
)



async def waiting(desk: Desk, actor: Actor) -> list[str]:
    """The cases that wait for somebody."""
    return [row.case for row in await desk.runner.waiting_for(actor)]


async def at(desk: Desk, thread: str, words: str, actor: Actor = LI) -> Outcome:
    """A new case in a thread of its own."""
    desk.thread = thread
    return await desk.say(words, actor)


async def test_an_approval_waits_for_all_who_may_decide_it_and_nobody_else(desk: Desk) -> None:
    """Listed at the level or above, own facts apart; oldest first; no longer once it is decided."""
    first = view(await at(desk, "one", T4)).case
    second = await at(desk, "two", f"给 {ORDER} 补 60 美元积分，导游迟到", WANG)
    assert waits(second)[0] == "approve"
    expected = {LI: [], ZHOU: [], STRANGER: [], WANG: [first], KIM: [first, view(second).case]}
    for actor, cases in (expected | {ZHAO: expected[KIM], SUN: expected[KIM]}).items():
        assert await waiting(desk, actor) == cases, actor.name
    [row] = await desk.runner.waiting_for(WANG)
    assert (row.level, row.place, row.request) == ("supervisor", "supervisor", f"{first}/approval/1")
    await desk.advance(desk.event("decision", KIM, thread="two", request=view(second).waiting, verdict="approve"))
    assert await waiting(desk, ZHAO) == [first]


async def test_questions_wait_for_the_agent_who_has_the_case(desk: Desk) -> None:
    """And after a hand-over for the new one alone."""
    case = view(await at(desk, "one", "给 KL-778 补 80 美元，导游迟到")).case
    assert await waiting(desk, LI) == [case]
    await desk.advance(desk.event("hand_over", LI, to=KIM))
    assert (await waiting(desk, LI), await waiting(desk, KIM)) == ([], [case])


async def test_what_is_over_waits_for_nobody(desk: Desk, redis: Redis, keys: Keys) -> None:
    """A cancelled case leaves no trace in the index."""
    await at(desk, "one", T4)
    assert await redis.zcard(keys.waiting("supervisor")) + await redis.zcard(keys.waiting("manager")) == 1
    await desk.advance(desk.event("cancel", LI, reason="客人撤回"))
    assert await redis.exists(keys.waiting("supervisor"), keys.waiting("manager")) == 0


async def test_the_log_of_a_case_tells_the_whole_story(desk: Desk) -> None:
    """Decisions with card, digest and version; calls with their attempts; the write begun and done; every move."""
    opened = await at(desk, "one", T1)
    waits = await desk.say("中国银行 6222 0000 1234，户名王女士")
    done = await desk.decide(waits)
    assert view(done).status == "done"
    log = await desk.runner.audit(view(done).case)
    assert await desk.runner.audit_breaks(view(done).case) is None
    assert [each.number for each in log] == list(range(1, len(log) + 1))
    lines = [each.line for each in log]
    assert {each.log for each in lines} == {"decision", "execution", "state"}
    assert all(each.request_id and each.trace_id and each.version for each in lines)
    assert len({each.trace_id for each in lines}) == 1
    [approved] = [each for each in lines if each.what == "approve"]
    assert (approved.by, approved.name, approved.level, approved.card) == (WANG.id, "王", "supervisor", view(waits).waiting)
    assert len(approved.digest) == 64
    assert approved.amount == "80.00 USD"
    writes = [(each.step, each.outcome, each.attempts) for each in lines if each.effect]
    assert writes == [("submit", "begun", 0), ("submit", "done", 1), ("note", "begun", 0), ("note", "done", 1)]
    moves = [(each.before, each.after) for each in lines if each.what == "moved"]
    assert all(before[1] == after[0] for before, after in pairwise(moves))
    assert (moves[0][0].split()[0], moves[-1][1]) == ("working", "done")
    assert "6222" not in str(lines)
    assert view(opened).case == view(done).case


async def test_an_order_has_one_chain_over_its_cases(desk: Desk) -> None:
    """In any spelling; the case that came first comes first."""
    one = view(await at(desk, "one", T4)).case
    await desk.advance(desk.event("cancel", LI, reason="重来"))
    two = view(await at(desk, "two", T4)).case
    for spelling in ("KL-502", "kl-502"):
        log = await desk.runner.audit_of_order(spelling)
        assert list(dict.fromkeys(each.case for each in log)) == [one, two]
    assert await desk.runner.audit_of_order("KL-1") == []
    await desk.redis.delete(desk.keys.audit(one), desk.keys.case(one))
    broken = {case: await desk.runner.audit_breaks(case) for case in await desk.runner.cases_about("kl-502")}
    assert broken == {one: Broken(case=one, line=1, why="gone"), two: None}


async def test_calls_that_fail_are_recorded(desk: Desk) -> None:
    """With how often they were tried, and why they failed: a read that is given up, a write of which nothing is known."""
    desk.backoffice.faults.add(Fault(mode="down", times=2))
    held = await at(desk, "one", T6)
    desk.backoffice.faults.clear()
    desk.backoffice.faults.add(Fault(mode="error_after_commit", times=2, method="POST"))
    unknown = await desk.advance(desk.event("retry", LI))
    assert (waits(held)[:2], waits(unknown)[:2]) == (("hold", "load_order"), ("hold", "submit"))
    log = [each.line for each in await desk.runner.audit(view(unknown).case)]
    calls = [(each.step, each.outcome, each.attempts) for each in log if each.log == "execution"]
    assert (calls[0], calls[1]) == (("load_order", "unavailable", 2), ("load_order", "done", 1))
    assert calls[-2:] == [("submit", "begun", 0), ("submit", "unknown", 2)]
    assert [each.code for each in log if each.outcome in ("unavailable", "unknown")] == ["down", "down"]


async def test_auditors_read_and_decide_nothing(
    redis: Redis, redis_server: RedisServer, keys: Keys, tmp_path: Path
) -> None:
    """By name or group, and not from another team; leads may read, too."""
    directory = write_library(tmp_path / "sops")
    file = directory / "approvals.yaml"
    nobody, somebody = "auditors:\n  people: []\n", "auditors:\n  people: [U0EVE]\n  groups: [S0AUDIT]\n"
    assert nobody in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(nobody, somebody), "utf-8")
    library = open_library(directory, TOOLS, RULES)
    async with open_desk(redis, redis_server.url, keys, tmp_path, library=library) as desk:
        eve = Actor(id="U0EVE", name="Eve")
        group = Actor(id="U0X", name="X", groups=("S0AUDIT",))
        allowed = {one.id: desk.runner.may_audit(one) for one in (eve, group, ZHOU, WANG, LI, STRANGER)}
        assert allowed == {"U0EVE": True, "U0X": True, ZHOU.id: True, WANG.id: False, LI.id: False, STRANGER.id: False}
        assert not desk.runner.may_audit(eve.model_copy(update={"foreign": True}))
        await at(desk, "one", T4)
        assert await waiting(desk, eve) == []


@pytest.mark.parametrize("words", [T4, T6])
async def test_a_row_says_whether_somebody_was_needed(desk: Desk, words: str) -> None:
    """An approval by a person, not one by the tier alone."""
    outcome = await at(desk, "one", words)
    [row] = await desk.runner.cases_of(LI.id)
    assert (row.sop, row.owner, row.needed_person) == ("compensation", LI.id, words == T4)
    assert view(outcome).status == ("waiting" if words == T4 else "done")


async def test_a_question_of_an_approver_waits_for_the_agent(desk: Desk) -> None:
    """Until it is answered; the way leads to the thread. The approver still has the decision before them."""
    waiting_ = await at(desk, "one", T4)
    case = view(waiting_).case
    assert await waiting(desk, LI) == []
    await desk.advance(desk.event("inquire", WANG, request=view(waiting_).waiting, text="哪一天迟到的？"))
    [row] = await desk.runner.waiting_for(LI)
    assert (row.case, row.request, row.place) == (case, "", "supervisor")
    assert await waiting(desk, WANG) == [case]
    await desk.say("9 月 1 日")
    assert await waiting(desk, LI) == []

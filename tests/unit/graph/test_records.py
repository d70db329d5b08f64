"""Finding and naming cases."""

from __future__ import annotations

import pytest

from graph.engine import Engine
from graph.errors import StateLost
from graph.store.checkpoint import Seen
from tests.unit.graph.builders import T1, Desk, view
from tests.unit.graph.test_state import run


async def test_a_case_id_is_short_and_the_same_for_the_same_run(desk: Desk) -> None:
    """Another run whose id begins alike gets a longer one."""
    records = desk.runner._records
    one, alike = "0" * 24 + "00abcdef", "1" * 24 + "00abcdef"
    first, known = await records.new_case(one)
    assert (first, known) == await records.new_case(one) == (first, False)
    other, _ = await records.new_case(alike)
    assert other != first and other.startswith(first) and len(other) > len(first)


async def test_without_a_free_id_no_case_begins(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, not somebody else's id."""

    async def taken(case: str, run: str) -> str:
        return ""

    look = desk.saver.look

    async def looked(thread: str, fence: int, event: str, offer: tuple[str, str] | None = None) -> Seen:
        return (await look(thread, fence, event, offer))._replace(claimed=False)

    monkeypatch.setattr(desk.cases, "claim", taken)
    monkeypatch.setattr(desk.saver, "look", looked)
    with pytest.raises(RuntimeError, match="no free case id"):
        await desk.say(T1)


async def test_an_open_case_of_which_the_thread_holds_another_is_not_shown(desk: Desk) -> None:
    """Its checkpoint is gone: nothing is better than another case's facts."""
    first = view(await desk.say(T1)).case
    async with desk.leases.hold(desk.thread) as lease:
        await desk.runner._records.forget(desk.thread, lease.fence)
    assert await desk.runner.show(first) is None
    second = view(await desk.say(T1)).case
    assert second != first
    assert await desk.runner.show(first) is None


def test_a_run_without_a_procedure_has_none_to_show(desk: Desk) -> None:
    """It has not been understood yet."""
    engine: Engine = desk.engine
    with pytest.raises(StateLost, match="has no procedure yet"):
        engine.sop_of(run())

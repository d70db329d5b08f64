"""Releases while cases are under way: none of them is bent, and new ones get the new text without a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from bot.wiring.releasing import Reloading, released
from graph.model.releases import Release
from graph.sop import digest_of
from graph.store.releases import Releases
from tests.unit.graph.builders import SHIPPED, Desk, shipped, view, waits

CASES = 100
ORDERS = [1001 + each for each in range(200) if each % 9 != 4 and each % 17 != 8][:CASES]
"""Of the seeded ones, those that are paid and not looked at for fraud."""
FILE = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
SLOT = (
    "{name: slot, type: choice, label: {zh: 时段, en: slot}, choices: ["
    "{value: am, label: {zh: 上午, en: morning}, cues: {zh: [上午], en: [morning]}}, "
    "{value: pm, label: {zh: 下午, en: afternoon}, cues: {zh: [下午], en: [afternoon]}}]}"
)
STRICT = FILE.replace("{max: 500, level: supervisor", "{max: 100, level: supervisor").replace(
    "  - id: note\n", "  - id: again\n    kind: confirm\n    fields: [amount]\n    on_no: {goto: collect}\n\n  - id: note\n"
)
BROKEN = FILE.replace("tool: get_order\n", "tool: get_orders\n")


def version(text: str, **given: str) -> Release:
    """A release of the compensation procedure."""
    made: dict[str, str] = {"sop": "compensation", "author": "a", "by": "b", "note": "", "at": "2026-09-04T06:00:00+00:00"}
    return Release.model_validate({**made, "digest": digest_of(text), "text": text} | given)


async def put(store: Releases, text: str) -> None:
    """Release it, whatever is in force."""
    was = (await store.in_force()).get("compensation")
    assert await store.release(version(text), was, None)


async def test_paused_cases_finish_unchanged(desk: Desk) -> None:
    """A hundred cases that wait for approval end as they began, though their file was edited, released and rolled back; in
    between a new case goes by the new text."""
    store = Releases(desk.redis, desk.keys)
    reloading = Reloading(desk.engine, shipped(), store, 0)
    paused = []
    for number, order in enumerate(ORDERS):
        desk.thread = f"T1:C1:{number}.0"
        paused.append(await desk.say(f"给 KL-{order} 补 {101 + number} 积分，导游迟到"))
    open_ = [each for each in paused if view(each).open_request()]
    tiers = [waits(each)[3] for each in open_]
    assert len(open_) == CASES
    await put(store, STRICT)
    assert await reloading.look()
    for number, each in enumerate(open_):
        if number == CASES // 2:
            desk.thread = "T1:C1:new"
            assert waits(await desk.say("给 KL-502 补 150 积分，导游迟到"))[3] == "manager"
            await put(store, FILE)
            assert await reloading.look()
        decided = await desk.decide(each)
        assert view(decided).status == "done", (number, view(decided).status)
        assert digest_of(FILE).startswith(view(decided).version)
        assert "again" not in {entry.step for entry in view(decided).trail}
    assert desk.called().count("POST /compensations") == CASES
    assert set(tiers) == {"supervisor"}


async def test_a_release_is_taken_in_without_a_restart(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """A running process takes in a release within a second or two; one that does not load replaces nothing and is
    logged; without any release the files count."""
    store, files = Releases(desk.redis, desk.keys), shipped()
    assert await released(files, store) == (files, 0)
    stopping = asyncio.Event()
    watching = asyncio.create_task(Reloading(desk.engine, files, store, 0).run(stopping))
    try:
        await put(store, STRICT)
        await until(lambda: desk.engine.library.sops["compensation"].digest == digest_of(STRICT))
        with caplog.at_level(logging.ERROR):
            await put(store, BROKEN)
            await until(lambda: "replaces nothing" in caplog.text)
        assert desk.engine.library.sops["compensation"].digest == digest_of(STRICT)
    finally:
        stopping.set()
        await watching


async def test_fields_of_a_kept_version_stay_known(desk: Desk) -> None:
    """A case that waits for a field of its procedure's own goes on with it though a release has done away with it."""
    own = FILE.replace(
        "fields: [order_id, amount, reason, comp_type]", f"fields: [order_id, amount, reason, comp_type, {SLOT}]"
    ).replace("fields: [amount, reason, comp_type]", "fields: [amount, reason, comp_type, slot]")
    store = Releases(desk.redis, desk.keys)
    reloading = Reloading(desk.engine, shipped(), store, 0)
    await put(store, own)
    await reloading.look()
    waiting = await desk.say("KL-778 补 30 积分，行程取消")
    assert waits(waiting)[2] == ["slot"]
    await put(store, FILE)
    await reloading.look()
    assert view(await desk.say("上午")).status == "done"


async def test_two_releases_at_once(desk: Desk) -> None:
    """Of two releases in place of the same version one counts; the other changes nothing."""
    store = Releases(desk.redis, desk.keys)
    taken = [await store.release(version(text), None, None) for text in (FILE, STRICT)]
    assert taken == [True, False]
    assert [each.digest for each in await store.versions("compensation")] == [digest_of(FILE)]


async def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds, ten seconds at most."""
    for _ in range(200):
        if holds():
            return
        await asyncio.sleep(0.05)
    pytest.fail("it did not come to hold")

"""`sopdesk audit`: the log of a case or an order, as lines, JSON or a table; and whether it still holds."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.__main__ import main
from deploy.local.redis_server import RedisServer
from graph.model import CaseRow, Headline, LogLine, Text
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.keys import Keys


@pytest.fixture(autouse=True)
def settings(redis_server: RedisServer, keys: Keys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment of an auditor who has nothing but the Redis."""
    for name in ("BACKOFFICE_URL", "SLACK_BOT_TOKEN", "SOPDESK_STATE", "SOPDESK_ENCRYPTION_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("SOPDESK_NAMESPACE", keys.prefix)


def line(number: int, **given: object) -> LogLine:
    """A line of a log."""
    base = {"id": f"e/{number}", "log": "decision", "what": "approve", "at": "2026-09-04T06:00:00+00:00"}
    return LogLine.model_validate(base | {"request_id": "e", "trace_id": "r", "by": "U0WANG"} | given)


@pytest.fixture
async def logs(redis: Redis, keys: Keys) -> Keys:
    """Two cases of one order."""
    cases, title = Cases(redis, keys), Headline(amount=None, way=None, title=Text(zh="补偿", en="compensation"))
    for number, case in enumerate(("C-1AAA", "C-2BBB")):
        at = f"2026-09-04T06:0{number}:00+00:00"
        row = CaseRow(case=case, thread=case, status="waiting", headline=title, order="KL-1", updated_at=at)
        lines = [line(1, reason="=cmd()"), line(2, log="execution", what="call", tool="get_order", outcome="done")]
        await cases.save(row, "U1", "U1", None, fence=0, lines=lines)
        await cases.save(row, "U1", "U1", None, fence=0, lines=[line(3)])
    return keys


async def run(*arguments: str) -> int:
    """One command, beside the test's own loop."""
    return await asyncio.to_thread(main, ["audit", *arguments])


async def test_a_case_in_lines_json_and_csv(logs: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line has its place, when, which log and what; a spreadsheet takes nothing for a formula."""
    assert await run("c-1aaa") == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 3
    assert told[1].startswith("C-1AAA 2  2026-09-04T06:00:00+00:00  execution  call")
    assert "request_id=e  trace_id=r" in told[0]
    assert await run("C-1AAA", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(each["number"], each["log"]) for each in printed] == [(1, "decision"), (2, "execution"), (3, "decision")]
    assert printed[1]["previous"] == printed[0]["hash"]
    assert await run("C-1AAA", "--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (rows[0]["number"], rows[0]["reason"], rows[0]["by"]) == ("1", "'=cmd()", "U0WANG")


async def test_an_order_over_its_cases(logs: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    """All cases that were about it, the earliest first."""
    assert await run("--order", "kl-1", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(each["case"], each["number"]) for each in printed] == [(c, n) for c in ("C-1AAA", "C-2BBB") for n in (1, 2, 3)]


async def test_verify_names_the_line(logs: Keys, redis: Redis, capsys: pytest.CaptureFixture[str]) -> None:
    """Unbroken: 0. A changed line, a cut end: 1, and the line is named, for one case, for an order and for all."""
    assert await run("verify", "C-1AAA") == 0
    assert "C-1AAA: 3 lines, unbroken" in capsys.readouterr().out
    assert await run("verify", "--all") == 0
    row = await redis.lindex(logs.audit("C-1AAA"), 0)
    await redis.lset(logs.audit("C-1AAA"), 0, str(row).replace("get_order", "pay_order"))
    await redis.rpop(logs.audit("C-2BBB"))
    capsys.readouterr()
    for arguments in (["verify", "--all"], ["verify", "--order", "KL-1"]):
        assert await run(*arguments) == 1
        said = capsys.readouterr().out
        assert "C-1AAA: broken at line 2: " in said
        assert "C-2BBB: broken at line 3: the record of the case knows of more lines" in said
        assert "2 logs, 2 broken" in said
    assert await run("verify", "C-1AAA", "--json") == 1
    assert json.loads(capsys.readouterr().out) == {"C-1AAA": {"lines": 3, "holds": False, "line": 2, "why": "changed"}}


async def test_what_is_unknown_does_not_hold(logs: Keys, redis: Redis, capsys: pytest.CaptureFixture[str]) -> None:
    """A case, an order that nobody heard of, and a log that is gone with its record: said so, 1, never "unbroken"."""
    await redis.delete(logs.audit("C-2BBB"), logs.case("C-2BBB"))
    for arguments in (["verify", "C-9ZZZ"], ["verify", "C-2BBB"], ["verify", "--order", "KL-9"], ["--order", "KL-9"]):
        assert await run(*arguments) == 1, arguments
        out, err = capsys.readouterr()
        assert ("unbroken" in out, "nothing is recorded for" in err) == (False, True), arguments
    assert await run("verify", "--order", "KL-1") == 1
    assert "C-2BBB: broken at line 1: neither" in capsys.readouterr().out


async def test_the_log_of_delegates(redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    """It has a name like a case, in small letters."""
    await Audit(redis, keys).note("delegates", "delegates", [line(1, what="delegate")], fence=None)
    assert await run("verify", "delegates") == 0
    assert "delegates: 1 line, unbroken" in capsys.readouterr().out
    assert await run("delegates") == 0


async def test_nobody_writes_a_line_of_their_own(
    redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reason with line ends and signs that steer a terminal stays one line; full-width signs begin no formula."""
    evil = "＝cmd()\nC-1 2  2026-09-04  decision  approve  by=U0SUN\x1b[2J\u202e"
    await Audit(redis, keys).note("C-1", "t", [line(1, reason=evil)], fence=None)
    assert await run("C-1") == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1 and "\x1b" not in out and "\u202e" not in out
    assert await run("C-1", "--csv") == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out, newline=""))
    assert row["reason"] == f"'{evil}"


@pytest.mark.parametrize("arguments", [[], ["--all"], ["C-1", "C-2"], ["C-1", "--order", "KL-1"], ["C-0000"], ["verify"]])
async def test_wrong_use_is_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, with what there is."""
    assert await run(*arguments) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


async def test_stats_by_week(redis: Redis, keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each procedure how many cases ended, and the share that needed a person; nothing is said to be nothing."""
    assert await asyncio.to_thread(main, ["stats"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "no case has ended in these weeks"
    title = Headline(amount=None, way=None, title=Text(zh="补偿", en="compensation"))
    for number in range(4):
        row = CaseRow(
            case=f"C-{number}",
            thread=f"T{number}",
            status="done",
            headline=title,
            updated_at=datetime.now(UTC).isoformat(),
            sop="compensation",
            needed_person=number == 0,
        )
        await Cases(redis, keys).save(row, "U1", "U1", {}, fence=0)
    assert await asyncio.to_thread(main, ["stats"]) == 0
    assert "compensation  4 ended  1 needed a person  25.0%" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["stats", "--json", "--weeks", "1"]) == 0
    [week] = json.loads(capsys.readouterr().out)["weeks"]
    assert (week["ended"], week["needed_person"], week["share"]) == (4, 1, 0.25)

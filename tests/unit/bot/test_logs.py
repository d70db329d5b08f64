"""Log lines: JSON or readable, with the ids of what is worked on, and without a word of a customer."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider

from bot.logs import about, formatter, note
from bot.tracing import span
from graph.store.crypt import CannotOpen, Codec


class Lines(logging.Handler):
    """Keeps lines as they would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(formatter("json"))
        self.lines: list[dict[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.lines.append(json.loads(self.format(record)))


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What the logger `bot.test` writes."""
    log, handler = logging.getLogger("bot.test"), Lines()
    log.addHandler(handler)
    log.setLevel("DEBUG")
    yield handler
    log.removeHandler(handler)


async def test_lines_carry_the_ids_of_the_block(lines: Lines) -> None:
    """Ids of the blocks around, those noted later by a task inside, and none afterwards."""
    log = logging.getLogger("bot.test")

    async def inside() -> None:
        note(case="C-1", request="")
        log.info("within")

    with about(event="e1", thread="t1", request=""):
        await asyncio.create_task(inside())
        with about(notice="n1"):
            log.info("deeper")
        log.warning("still %s", "here")
    log.info("after")
    within, deeper, still, after = lines.lines
    assert {name: within[name] for name in ("event", "event_id", "thread", "case", "level", "logger")} == {
        "event": "within",
        "event_id": "e1",
        "thread": "t1",
        "case": "C-1",
        "level": "info",
        "logger": "bot.test",
    }
    assert "request" not in within
    assert (deeper["notice"], deeper["case"]) == ("n1", "C-1")
    assert (still["event"], still["case"]) == ("still here", "C-1")
    assert "notice" not in still
    assert not {"event_id", "thread", "case"} & after.keys()


async def test_two_turns_do_not_mix(lines: Lines) -> None:
    """Turns that run at the same time keep their own ids."""
    log, met = logging.getLogger("bot.test"), asyncio.Barrier(2)

    async def turn(thread: str) -> None:
        with about(thread=thread):
            await met.wait()
            note(case=f"C-{thread}")
            await met.wait()
            log.info("said")

    await asyncio.gather(turn("1"), turn("2"))
    assert sorted((line["thread"], line["case"]) for line in lines.lines) == [("1", "C-1"), ("2", "C-2")]


def test_an_error_is_logged_without_its_words(lines: Lines) -> None:
    """Of an exception and what caused it the classes and places are written, never the messages."""
    log = logging.getLogger("bot.test")
    try:
        try:
            int("6222 0000")
        except ValueError as error:
            raise RuntimeError("账户 6222 0000") from error
    except RuntimeError:
        log.exception("it failed")
    [line] = lines.lines
    assert line["error"].startswith("RuntimeError at test_logs.py:")
    assert " from ValueError at test_logs.py:" in line["error"]
    assert "6222" not in str(line)


def test_an_error_about_settings_is_logged_with_its_words(lines: Lines) -> None:
    """What says nothing of a customer, and what to do, stands in the line."""
    try:
        Codec().open("sealed:x")
    except CannotOpen:
        logging.getLogger("bot.test").exception("cannot go on")
    assert "SOPDESK_ENCRYPTION_KEY is not set" in lines.lines[0]["error"]


def test_lines_carry_the_trace(lines: Lines) -> None:
    """Inside a span, lines name its trace."""
    tracer = TracerProvider(shutdown_on_exit=False).get_tracer("test")
    with span(tracer, "turn"):
        logging.getLogger("bot.test").info("traced")
    logging.getLogger("bot.test").info("not")
    traced, other = lines.lines
    assert len(traced["trace"]) == 32
    assert "trace" not in other


def test_readable_lines_hold_the_same() -> None:
    """In the demo a line is words, with the ids behind them."""
    record = logging.LogRecord("bot.test", logging.INFO, __file__, 1, "said %s", ("so",), None)
    with about(thread="t1"):
        line = formatter("readable").format(record)
    assert "said so" in line
    assert "t1" in line
    assert sys.stderr.isatty() or "\x1b" not in line

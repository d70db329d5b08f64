"""The chain of an audit log: whatever is done to it is found, at the right line."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.model import LogLine
from graph.store.chain import Head, check, extend, head_of, logged, start_of
from tests.unit.graph.runs import JSON, NAMES, WORDS

LINES = st.builds(
    LogLine,
    id=WORDS,
    log=st.sampled_from(["decision", "execution", "state"]),
    what=NAMES,
    at=WORDS,
    request_id=WORDS,
    trace_id=WORDS,
    reason=WORDS,
    attempts=st.integers(0, 9),
    values=st.dictionaries(NAMES, JSON, max_size=2),
)


def log_of(lines: list[LogLine], case: str = "C-1", sizes: Sequence[int] = (1,)) -> tuple[list[str], str]:
    """The rows of a log, and its head as the case's record keeps it. `sizes` of the rows, in turns."""
    rows, head, rest = list[str](), start_of(case), lines
    for size in itertools.cycle(sizes):
        if not rest:
            return rows, str(head) if rows else ""
        row, head = extend(case, head, rest[:size])
        rows, rest = [*rows, row], rest[size:]
    raise AssertionError("sizes are needed")


def hash_of(row: str) -> str:
    """The hash of the last line of a row."""
    return logged(row)[-1].hash


def found(rows: list[str], head: str, case: str = "C-1") -> tuple[int, str] | None:
    """Where the log breaks, and why."""
    broken = check(case, rows, head)
    return None if broken is None else (broken.line, broken.why)


@settings(max_examples=60)
@given(st.lists(LINES, max_size=6), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_what_was_appended_holds_and_is_read_back(lines: list[LogLine], sizes: list[int]) -> None:
    """In rows of any size; the hashes do not depend on it."""
    rows, head = log_of(lines, sizes=sizes)
    assert found(rows, head) is None
    read = [each for row in rows for each in logged(row)]
    assert [each.line for each in read] == lines
    assert read == [each for row in log_of(lines)[0] for each in logged(row)]
    assert head == log_of(lines)[1]


@settings(max_examples=150)
@given(st.data())
def test_tampering_is_found_at_its_line(data: st.DataObject) -> None:
    """A line edited, deleted, inserted, exchanged with another or cut off, whichever it is, where each is a row."""
    lines = data.draw(st.lists(LINES, min_size=2, max_size=8))
    rows, head = log_of(lines)
    at = data.draw(st.integers(0, len(rows) - 1))
    match data.draw(st.sampled_from(["edit", "rehash", "delete", "insert", "swap", "truncate"])):
        case "edit":
            sign = data.draw(st.integers(0, len(rows[at]) - 1))
            rows[at] = rows[at][:sign] + ("0" if rows[at][sign] != "0" else "1") + rows[at][sign + 1 :]
            expected = at + 1
        case "rehash":
            # Whoever knows how it is made can make one line fit itself, but not what comes after it.
            forged = lines[at].model_copy(update={"what": "forged"})
            before = Head(at, hash_of(rows[at - 1])) if at else start_of("C-1")
            rows[at] = extend("C-1", before, [forged])[0]
            expected = min(at + 2, len(rows))
        case "delete":
            del rows[at]
            expected = at + 1
        case "insert":
            rows.insert(at, data.draw(st.sampled_from(rows)))
            # The copy of a line that is put before the line itself takes its place; the line then is the one too many.
            expected = at + 2 if rows[at] == rows[at + 1] else at + 1
        case "swap":
            other = data.draw(st.integers(0, len(rows) - 1).filter(lambda index: index != at))
            rows[at], rows[other] = rows[other], rows[at]
            expected = min(at, other) + 1
        case _:
            del rows[at:]
            expected = at + 1
    broken = found(rows, head)
    assert broken is not None
    assert broken[0] == expected


@settings(max_examples=100)
@given(st.data())
def test_tampering_within_a_row_is_found_at_its_line(data: st.DataObject) -> None:
    """A line of several that are stored together: rewritten, with its signs or without, taken out, doubled, exchanged."""
    lines = data.draw(st.lists(LINES, min_size=2, max_size=8))
    [row], head = log_of(lines, sizes=[len(lines)])
    stored, at = json.loads(row), data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["rewrite", "resign", "delete", "insert", "swap", "common"])):
        case "rewrite":
            stored["lines"][at][1]["what"] = "forged"
            expected = at + 1
        case "resign":
            stored["lines"][at][1]["what"] = "forged"
            forged = [line.model_copy(update={"what": "forged"}) if n == at else line for n, line in enumerate(lines)]
            stored["lines"][at][0] = json.loads(log_of(forged, sizes=[len(lines)])[0][0])["lines"][at][0]
            expected = min(at + 2, len(lines))
        case "delete":
            del stored["lines"][at]
            # Equal lines differ by their numbers, so that the next one, or what the row ends with, does not fit.
            expected = at + 1 if at < len(lines) - 1 else at
        case "insert":
            stored["lines"].insert(at, stored["lines"][at])
            expected = at + 2
        case "swap":
            other = data.draw(st.integers(0, len(lines) - 1).filter(lambda index: index != at))
            stored["lines"][at], stored["lines"][other] = stored["lines"][other], stored["lines"][at]
            expected = min(at, other) + 1
        case _:
            stored["common"]["code"] = "forged"
            expected = 1
    broken = found([json.dumps(stored)], head)
    assert broken is not None
    assert broken[0] == max(1, expected)


def test_a_log_belongs_to_its_case() -> None:
    """Another case's log, put in its place with its head, does not hold."""
    line = LogLine(id="e/0", log="state", what="moved", at="t", request_id="e", trace_id="r")
    rows, head = log_of([line], "C-2")
    assert found(rows, head, "C-1") == (1, "foreign")


def test_what_the_record_of_the_case_knows_counts() -> None:
    """A log that was lost, lines that the record knows nothing of, and a record without a sensible head."""
    line = LogLine(id="e/0", log="state", what="moved", at="t", request_id="e", trace_id="r")
    rows, head = log_of([line, line, line])
    assert found([], head) == (1, "missing")
    assert found(rows, str(Head(2, hash_of(rows[1])))) == (3, "added")
    assert found(rows, "") == (1, "added")
    assert found(rows, "three") == (3, "changed")
    assert found(rows, str(Head(3, hash_of(rows[1])))) == (3, "changed")


def test_a_row_that_is_no_line_is_named() -> None:
    """One that is no row, and one that holds something else than a line though its hashes are right."""
    line = LogLine(id="e/0", log="state", what="moved", at="t", request_id="e", trace_id="r")
    assert found(['{"case":"C-1"}'], "") == (1, "unreadable")
    strange = line.model_construct(**(line.model_dump() | {"log": "poem"}))
    row, head = extend("C-1", start_of("C-1"), [line, strange])
    assert found([row], str(head)) == (2, "unreadable")
    with pytest.raises(ValueError, match="validation error"):
        logged(row)


def test_a_head_is_kept_as_one_word() -> None:
    """Its length and its hash."""
    assert head_of("C-1", "7|ab") == Head(7, "ab")
    assert head_of("C-1", "") == start_of("C-1")

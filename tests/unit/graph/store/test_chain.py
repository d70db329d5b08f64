"""The chain of an audit log: whatever is done to it is found, at the right line."""

from __future__ import annotations

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


def log_of(lines: list[LogLine], case: str = "C-1") -> tuple[list[str], str]:
    """The rows of a log, and its head as the case's record keeps it."""
    rows, head = extend(case, start_of(case), lines)
    return rows, str(head) if rows else ""


def found(rows: list[str], head: str, case: str = "C-1") -> tuple[int, str] | None:
    """Where the log breaks, and why."""
    broken = check(case, rows, head)
    return None if broken is None else (broken.line, broken.why)


@settings(max_examples=60)
@given(st.lists(LINES, max_size=6), st.integers(0, 6))
def test_what_was_appended_holds_and_is_read_back(lines: list[LogLine], cut: int) -> None:
    """In one piece or in two."""
    rows, head = log_of(lines)
    first, middle = extend("C-1", start_of("C-1"), lines[:cut])
    assert first + extend("C-1", middle, lines[cut:])[0] == rows
    assert found(rows, head) is None
    assert [logged(row).line for row in rows] == lines


@settings(max_examples=150)
@given(st.data())
def test_tampering_is_found_at_its_line(data: st.DataObject) -> None:
    """A line edited, deleted, inserted, exchanged with another or cut off, whichever it is."""
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
            before = Head(at, rows[at - 1][:64]) if at else start_of("C-1")
            [rows[at]] = extend("C-1", before, [forged])[0]
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
    assert found(rows, str(Head(2, rows[1][:64]))) == (3, "added")
    assert found(rows, "") == (1, "added")
    assert found(rows, "three") == (3, "changed")
    assert found(rows, str(Head(3, rows[1][:64]))) == (3, "changed")


def test_a_row_that_is_no_line_is_named() -> None:
    """Though its hash is right."""
    import hashlib

    text = '{"case":"C-1"}'
    assert found([hashlib.sha256(text.encode()).hexdigest() + text], "") == (1, "unreadable")
    with pytest.raises(ValueError, match="validation error"):
        logged("x" * 64 + text)


def test_a_head_is_kept_as_one_word() -> None:
    """Its length and its hash."""
    assert head_of("C-1", "7|ab") == Head(7, "ab")
    assert head_of("C-1", "") == start_of("C-1")

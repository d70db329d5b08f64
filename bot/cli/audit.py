"""`sopdesk audit`: the audit log of a case, or of all cases of an order; and whether it still is as it was written."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence

from bot.cli.inbox import somewhere
from bot.settings import Settings
from bot.wiring.engine import open_redis
from graph.errors import SopdeskError
from graph.model import Broken, JsonValue, Logged, LogLine
from graph.store.audit import Audit

_WHY = {
    "changed": "it, or the line before it, is not as it was written",
    "unreadable": "it cannot be read",
    "foreign": "it belongs to another case",
    "moved": "another line belongs here: lines were taken out, put in or exchanged",
    "missing": "the record of the case knows of more lines: the end was cut off",
    "gone": "neither the log nor the record of the case is there",
    "added": "the record of the case knows of fewer lines: this one was added",
}
_SHOWN = (
    *("by", "verdict", "refused", "level", "amount", "rule", "reason", "before", "after", "tool", "outcome", "code"),
    *("attempts", "milliseconds", "card", "effect", "digest", "version", "values", "request_id", "trace_id"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet may carry out; some take the full-width signs for the same."""


class Unknown(SopdeskError):
    """Nothing is known of what was asked for, or it is not clear what that is."""


async def run(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk audit [verify] [CASE] [--order ORDER] [--all]`. 1 when a log does not hold."""
    words: list[str] = list(given.words)
    verifying = words[:1] == ["verify"]
    words = words[1:] if verifying else words
    if len(words) + bool(given.order) + bool(given.all) != 1 or (given.all and not verifying):
        raise Unknown("give one case, or --order ORDER; with verify also --all")
    async with somewhere(settings) as reachable, open_redis(reachable) as (redis, keys, codec):
        audit = Audit(redis, keys, codec)
        if given.all:
            cases = await audit.cases()
        else:
            cases = await _about(audit, given.order) if given.order else await _named(audit, words[0])
        if verifying:
            checked = {case: await audit.verify(case) for case in cases}
        logs = [] if verifying else [each for case in cases for each in await audit.of(case)]
    if not cases and not given.all:
        raise Unknown(f"nothing is recorded for {given.order or words[0]}")
    if verifying:
        return _verified(checked, as_json=given.json)
    if not logs:
        raise Unknown(f"nothing is recorded for {given.order or words[0]}")
    if given.json:
        print(json.dumps([_plain(each) for each in logs], indent=2, ensure_ascii=False))
    elif given.csv:
        _write_csv(logs)
    else:
        for each in logs:
            print(_told(each))
    return 0


async def _named(audit: Audit, name: str) -> list[str]:
    """The log of this name, in any spelling of its letters: a case, `releases` or `delegates`. A name that nobody has heard
    of is none, not one that holds."""
    return [each for each in (name.upper(), name.lower()) if await audit.knows(each)][:1]


async def _about(audit: Audit, order: str) -> list[str]:
    """The cases of an order, in any spelling of its letters."""
    return await audit.about(order) or await audit.about(order.upper())


def _verified(checked: dict[str, tuple[int, Broken | None]], *, as_json: bool) -> int:
    broken = {case: found for case, (_, found) in checked.items() if found is not None}
    if as_json:
        shown = {
            case: {"lines": lines, "holds": found is None, "line": found and found.line, "why": found and found.why}
            for case, (lines, found) in checked.items()
        }
        print(json.dumps(shown, indent=2))
        return int(bool(broken))
    for case, (lines, found) in checked.items():
        if found is None:
            print(f"{case}: {lines} line{'' if lines == 1 else 's'}, unbroken")
        else:
            print(f"{case}: broken at line {found.line}: {_WHY[found.why]}")
    print(f"{len(checked)} log{'' if len(checked) == 1 else 's'}, {len(broken)} broken")
    return int(bool(broken))


def _plain(each: Logged) -> dict[str, JsonValue]:
    place: dict[str, JsonValue] = {"case": each.case, "number": each.number}
    chained: dict[str, JsonValue] = {"previous": each.previous, "hash": each.hash}
    return place | each.line.model_dump(mode="json", exclude_defaults=True) | chained


def _told(each: Logged) -> str:
    """One line: the place, when, which log, what, at which step, then what else there is by name."""
    line = each.line.model_dump(mode="json")
    rest = [f"{name}={_cell(line[name])}" for name in _SHOWN if line[name]]
    words = "  ".join([f"{each.case} {each.number}", each.line.at, each.line.log, each.line.what, each.line.step, *rest])
    # Nothing that a person wrote may look like another line, or steer the terminal.
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in words)


def _write_csv(logs: Sequence[Logged]) -> None:
    writer = csv.writer(sys.stdout)
    names = list(LogLine.model_fields)
    writer.writerow(["case", "number", *names, "previous", "hash"])
    for each in logs:
        line = each.line.model_dump(mode="json")
        writer.writerow(
            [each.case, each.number, *(_harmless(_cell(line[name])) for name in names), each.previous, each.hash]
        )


def _cell(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) if value else ""


def _harmless(cell: str) -> str:
    """What a spreadsheet would carry out as a formula is made plain text."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell

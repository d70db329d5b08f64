"""`python -m tests.bench [--rounds N] [--cases N]`: measure, print the table, write docs/bench.md."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from dataclasses import replace
from pathlib import Path

from tests.bench.report import markdown
from tests.bench.run import Plan, measure

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "bench.md"


def main() -> None:
    """Measure and report; the exit code does not depend on the figures, which depend on the machine."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="measure what a case costs")
    few, many = Plan.crowds
    parser.add_argument("--cases", type=int, default=many, help=f"older cases, compared with {few} (%(default)s)")
    parser.add_argument("--rounds", type=int, default=Plan.rounds, help="repetitions behind each median (%(default)s)")
    parser.add_argument("--no-page", action="store_true", help="print only; leave docs/bench.md as it is")
    given = parser.parse_args()
    plan = replace(Plan(), rounds=given.rounds, crowds=(few, given.cases))
    logging.disable(logging.WARNING)
    figures, redis = asyncio.run(measure(plan, _say))
    command = " ".join(["python -m tests.bench", *sys.argv[1:]])
    page = markdown(figures, redis, command)
    sys.stdout.write(page)
    if not given.no_page:
        _PAGE.write_text(page, encoding="utf-8")


def _say(what: str) -> None:
    sys.stderr.write(f"… {what}\n")


if __name__ == "__main__":
    main()

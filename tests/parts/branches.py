"""Says how many branches of the engine and the cards the tests have taken; fails below 93 in a hundred.

`python -m tests.parts.branches coverage.json`, after `pytest --cov --cov-report=json:coverage.json`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import BaseModel

LEAST = 93.0
ROOMS = ("graph", "blocks")


class _Summary(BaseModel):
    num_branches: int
    covered_branches: int


class _File(BaseModel):
    summary: _Summary


class _Report(BaseModel):
    files: dict[str, _File]


def main(report: Path) -> int:
    """Print a line for each room; 1 when one is below the least."""
    files = _Report.model_validate_json(report.read_text(encoding="utf-8")).files
    short = False
    for room in ROOMS:
        rows = [file.summary for name, file in files.items() if name.startswith(f"{room}/")]
        taken, all_ = sum(row.covered_branches for row in rows), sum(row.num_branches for row in rows)
        share = 100 * taken / all_
        short = short or share < LEAST
        sys.stdout.write(f"branches taken in {room}/: {taken} of {all_}, {share:.1f} %\n")
    return int(short)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

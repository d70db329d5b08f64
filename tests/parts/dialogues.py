"""The shipped dialogues that are also played through Slack."""

from __future__ import annotations

from pathlib import Path

from graph.dialogues.format import TurnOf, read_dialogues

__all__ = ["TurnOf", "dialogues"]

FOLDER = Path(__file__).resolve().parents[1] / "dialogues"


def dialogues() -> dict[str, list[TurnOf]]:
    """All dialogues that stand in the folder itself, by name."""
    return {each.name: each.turns for each in read_dialogues(sorted(FOLDER.glob("*.yaml"))).played}

"""A drill as people see it: the score card, the tree of its scenario, and its line in lists and reports."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.model.facts import Text


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


SlipKind = Literal["skipped_step", "needless_question", "wrong_branch", "early_ending", "missing_fallback"]
"""What a trainee can do wrong."""
NodeTone = Literal["plain", "done", "wrong", "end"]


class TreeNode(_View):
    """A node of the scenario: what it is called, and what the trainee made of it."""

    id: str
    text: Text
    tone: NodeTone = "plain"


class TreeEdge(_View):
    """What leads from one node to another."""

    source: str
    target: str
    text: Text
    tone: NodeTone = "plain"


class DrillTurn(_View):
    """One message of the trainee: what was due and done, and why points were taken off."""

    line: Text
    reason: Text | None = None


class DrillView(_View):
    """A drill. `score` is out of 100, `path` the tree's path in words, `slips` one line for each thing done wrong."""

    scenario: str
    title: Text
    goal: Text
    over: bool = False
    score: int = 100
    path: Text | None = None
    turns: list[DrillTurn] = []
    slips: list[Text] = []
    hints: int = 0
    why: Text | None = None
    nodes: list[TreeNode] = []
    edges: list[TreeEdge] = []

    def brief(self) -> DrillView:
        """As far as its first card shows it, whatever has happened since."""
        return DrillView(scenario=self.scenario, title=self.title, goal=self.goal)


class DrillRow(_View):
    """A drill that has ended, for lists and reports. `slips` counts each kind; `trainee` is a person's id."""

    scenario: str
    title: Text
    trainee: str
    name: str
    score: int
    reason: str
    slips: dict[str, int] = {}
    hints: int = 0
    turns: int = 0


class ScenarioRow(_View):
    """A scenario that can be practised."""

    name: str
    title: Text
    goal: Text

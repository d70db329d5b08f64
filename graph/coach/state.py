"""What is true of a drill: plain JSON, so that it can be kept in a case and taken up again."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.coach.frontier import ending, expected
from graph.coach.hearing import Act
from graph.coach.scenario import Action, EndReason, Fallback, Opening, Question, Scenario
from graph.model import Lang, SlipKind, Text

Stage = Literal["S0", "S1", "S2", "S3", "S4"]
"""S0 opening, S1 asking, S2 solution given, S3 fallback given, S4 ended."""
IntentKind = Literal["answer_slot", "feedback_step_result", "acknowledge", "needs_fallback", "repeat_problem"]
Persona = Literal["plain", "easy", "unlucky", "brief"]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Slip(_Kept):
    """One thing done wrong: which kind, on which node, for how many points."""

    kind: SlipKind
    node: str
    points: int


class Turn(_Kept):
    """One message of the trainee, judged, and what the customer said to it."""

    said: str
    act: Act
    touched: tuple[str, ...]
    expected: tuple[str, ...]
    hit: bool
    points: int
    slips: tuple[Slip, ...] = ()
    reason: Text
    intent: IntentKind | None = None
    reply: str = ""


class DrillState(_Kept):
    """The drill as it stands. `seed` and `persona` settle what the customer will reveal; `hints` how many were taken.

    `version` is the scenario's text that it was begun with. `visible_facts` are slots with their values (`Q1=self`):
    all the customer may repeat.
    """

    scenario: str
    version: str = ""
    lang: Lang
    persona: Persona = "plain"
    seed: int = 0
    stage: Stage = "S0"
    slots: dict[str, str] = {}
    slots_history: tuple[str, ...] = ()
    visible_facts: tuple[str, ...] = ()
    pending_result: bool = False
    turn_index: int = 0
    end_reason: EndReason | None = None
    expected_node_ids: tuple[str, ...] = ()
    opening: str = ""
    turns: tuple[Turn, ...] = ()
    hints: int = 0
    hint_cost: int = 0

    @property
    def over(self) -> bool:
        """Whether the drill has ended."""
        return self.end_reason is not None

    @property
    def score(self) -> int:
        """Points out of 100: what slips and hints cost is taken off, down to nothing."""
        return max(0, 100 - sum(turn.points for turn in self.turns) - self.hints * self.hint_cost)


def with_slot(scenario: Scenario, state: DrillState, node: str, value: str) -> DrillState:
    """The state once `node` has this value: stage, history, what is visible, and the new frontier."""
    slots = {**state.slots, node: value}
    found = scenario.nodes[node]
    shown = (f"{node}={value}",) if isinstance(found, Opening | Question) else ()
    reason = ending(scenario, slots)
    stage: Stage = state.stage
    if isinstance(found, Question):
        stage = "S1"
    elif isinstance(found, Action):
        stage = "S2"
    elif isinstance(found, Fallback):
        stage = "S3"
    return state.model_copy(
        update={
            "slots": slots,
            "slots_history": (*state.slots_history, f"{node}={value}"),
            "visible_facts": (*state.visible_facts, *shown),
            "pending_result": False,
            "end_reason": reason,
            "stage": "S4" if reason else stage,
            "expected_node_ids": tuple(expected(scenario, slots)),
        }
    )

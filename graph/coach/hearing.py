"""The two classifiers: words into events. The trainee's act and nodes, the customer's slot values and results.

Here by cues alone; `graph.coach.model` asks a model first where there is one, and what it says is checked against these.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from graph.coach.lexicon import Lexicon
from graph.coach.scenario import END, Action, Fallback, Question, Scenario
from graph.coach.talk import Clause, clauses, closes, is_polite, offers_help, offers_nothing, worked

Act = Literal["ask_info", "provide_solution", "give_fallback", "close", "small_talk", "unclear"]


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TraineeEvent(_Event):
    """What the trainee did: the act, the questions asked, the steps offered, the slot values taken for granted."""

    agent_act: Act
    asked_slots: tuple[str, ...] = ()
    provided_steps: tuple[str, ...] = ()
    mentioned_facts: tuple[str, ...] = ()

    @property
    def touched(self) -> tuple[str, ...]:
        """Every node touched, questions first; E for an attempt to end."""
        return (*self.asked_slots, *self.provided_steps, *((END,) if self.agent_act == "close" else ()))


class CustomerEvent(_Event):
    """What the customer revealed: slot values, results of steps, and both as plain facts (`Q1=self`)."""

    asked_slots_updates: dict[str, str] = {}
    provided_steps_updates: dict[str, str] = {}
    mentioned_facts: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def _lexicon(words: tuple[tuple[str, tuple[str, ...]], ...]) -> Lexicon:
    return Lexicon(dict(words))


def lexicon(scenario: Scenario) -> Lexicon:
    """The scenario's words, compiled once."""
    return _lexicon(tuple(scenario.words.items()))


def hear_trainee(scenario: Scenario, text: str) -> TraineeEvent:
    """What the trainee did, by the scenario's cues."""
    words = lexicon(scenario)
    said = words.put_right(text)
    pieces = list(clauses(said))
    steps = _steps(scenario, words, pieces)
    asked = tuple(node.id for node in scenario.questions if _asked(words, node, pieces, _offers(scenario, steps), said))
    facts = tuple(
        f"{node.id}={value}"
        for node in scenario.questions
        for value, spec in node.values.items()
        if node.id not in asked and any(not piece.asks and words.says(spec.cues, piece.text) for piece in pieces)
    )
    return TraineeEvent(
        agent_act=_act(scenario, said, pieces, asked, steps),
        asked_slots=asked,
        provided_steps=steps,
        mentioned_facts=facts,
    )


def hear_customer(scenario: Scenario, text: str, step: str | None = None) -> CustomerEvent:
    """What the customer revealed; `step` is the step whose result is awaited."""
    words = lexicon(scenario)
    said = words.put_right(text)
    slots: dict[str, str] = {}
    facts: list[str] = []
    for node in scenario.questions:
        found = [value for value, spec in node.values.items() if words.says(spec.cues, said)]
        facts += [f"{node.id}={value}" for value in found]
        if len(found) == 1:
            slots[node.id] = found[0]
    verdict = worked(said) if step is not None else None
    results = {} if step is None or verdict is None else {step: "success" if verdict else "fail"}
    return CustomerEvent(
        asked_slots_updates=slots,
        provided_steps_updates=results,
        mentioned_facts=(*facts, *(f"{name}={result}" for name, result in results.items())),
    )


def _steps(scenario: Scenario, words: Lexicon, pieces: list[Clause]) -> tuple[str, ...]:
    """Steps are offered over a whole message, but not in clauses that only ask. A fallback outweighs the actions."""
    offered = ", ".join(piece.text for piece in pieces if not offers_nothing(piece))
    fallbacks = [node.id for node in scenario.fallbacks if words.says(node.cues, offered)]
    if fallbacks:
        return tuple(fallbacks)
    return tuple(node.id for node in scenario.actions if words.says(node.cues, offered))


def _offers(scenario: Scenario, steps: tuple[str, ...]) -> list[Action | Fallback]:
    return [node for node in scenario.steps if node.id in steps]


def _asked(words: Lexicon, node: Question, pieces: list[Clause], offers: list[Action | Fallback], said: str) -> bool:
    """A question is asked in a clause that asks and names it, unless the clause already offers a step."""
    for piece in pieces:
        if not piece.asks or (piece.conditional and piece.asks < 2):
            continue
        if any(words.says(step.cues, piece.text) for step in offers):
            continue
        if offers and piece.asks < 2:
            continue
        if words.says(node.cues, piece.text, denied=True):
            return True
    asking = not offers and any(piece.asks == 2 for piece in pieces)
    return (
        asking
        and len(pieces) > 1
        and words.says(node.cues, _joined(pieces), denied=True)
        and not any(words.says(node.cues, piece.text, denied=True) for piece in pieces)
    )


def _joined(pieces: list[Clause]) -> str:
    return " ".join(piece.text for piece in pieces if not piece.conditional)


def _act(scenario: Scenario, said: str, pieces: list[Clause], asked: tuple[str, ...], steps: tuple[str, ...]) -> Act:
    if steps:
        return "give_fallback" if isinstance(scenario.nodes[steps[0]], Fallback) else "provide_solution"
    if asked:
        return "ask_info"
    if closes(said):
        return "close"
    if not offers_help(said) and any(piece.asks == 2 for piece in pieces):
        return "ask_info"
    return "small_talk" if is_polite(said) or offers_help(said) else "unclear"

"""Where a language model helps, and how far it is trusted: not for points, and not for facts.

Points are taken only for what the cues found. Where they found nothing, a model may point at a node that is due, by
quoting words of the message that hold a cue of it; that moves the drill on and can cost nothing. What a model says for
the customer is read back, said again once where it does not fit, and then left to the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from graph.coach.customer import Intent
from graph.coach.hearing import Act, TraineeEvent, lexicon
from graph.coach.prompts import HearReply, hear_messages, speak_messages
from graph.coach.scenario import Fallback, Opening, Question, Scenario
from graph.coach.speaker import fits, spoken_lines
from graph.coach.state import DrillState
from graph.errors import ModelUnavailable
from graph.prompts import Messages

T = TypeVar("T", bound=BaseModel)
_TRIES = 2


class Model(Protocol):
    """What the coach needs of a model; `graph.llm.Llm` is one. Both raise ModelUnavailable."""

    async def json(self, messages: Messages, reply: type[T]) -> T: ...
    async def words(self, messages: Messages) -> str: ...


async def hear_with(model: Model, scenario: Scenario, state: DrillState, said: str, event: TraineeEvent) -> TraineeEvent:
    """The event, helped by a model where the cues found no node and no attempt to end."""
    if event.touched or not said:
        return event
    try:
        reply = await model.json(hear_messages(scenario, said), HearReply)
    except ModelUnavailable:
        return event
    named = {found.id for found in reply.nodes if _shown(scenario, said, found.id, found.quote)}
    due = tuple(node for node in state.expected_node_ids if node in named)
    if not due:
        return event
    asked = tuple(node for node in due if isinstance(scenario.nodes[node], Question))
    steps = tuple(node for node in due if node not in asked)
    return event.model_copy(
        update={"agent_act": _act(scenario, asked, steps), "asked_slots": asked, "provided_steps": steps}
    )


async def speak_with(model: Model, scenario: Scenario, state: DrillState, intent: Intent) -> str | None:
    """The reply in a model's words; None where it says too much or too little twice, or nothing."""
    messages = speak_messages(spoken_lines(scenario, state, intent), state.lang)
    for _ in range(_TRIES):
        try:
            words = (await model.words(messages)).strip()
        except ModelUnavailable:
            return None
        if fits(scenario, state, intent, words):
            return words
    return None


def _shown(scenario: Scenario, said: str, node: str, quote: str) -> bool:
    """Whether the quote stands in the message and holds a word of one of the node's cues."""
    words = lexicon(scenario)
    found = scenario.nodes.get(node)
    quoted = words.put_right(quote).strip()
    if found is None or isinstance(found, Opening) or not quoted or quoted not in words.put_right(said):
        return False
    groups: Sequence[str] = [group for cue in found.cues for group in cue.split() if not group.startswith("!")]
    return any(words.says((group,), quoted) for group in groups)


def _act(scenario: Scenario, asked: tuple[str, ...], steps: tuple[str, ...]) -> Act:
    if not steps:
        return "ask_info" if asked else "unclear"
    return "give_fallback" if isinstance(scenario.nodes[steps[0]], Fallback) else "provide_solution"

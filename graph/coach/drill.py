"""One turn of a drill: hear, judge, plan, speak, read back, and the new state."""

from __future__ import annotations

from graph.coach.customer import Intent, asked_again, plan
from graph.coach.hearing import TraineeEvent, hear_trainee
from graph.coach.model import Model, hear_with, speak_with
from graph.coach.scenario import Scenario
from graph.coach.scoring import Judgement, judge
from graph.coach.speaker import template
from graph.coach.state import DrillState, Turn, with_slot

MOST_SAID = 2000


async def take(scenario: Scenario, state: DrillState, text: str, model: Model | None = None) -> DrillState:
    """The drill after one message of the trainee. A drill that has ended stays as it is."""
    if state.over:
        return state
    said = text.strip()[:MOST_SAID]
    event = hear_trainee(scenario, said)
    if model is not None:
        event = await hear_with(model, scenario, state, said, event)
    judged = judge(scenario, state, event)
    intent = plan(scenario, state, judged, asked_again(scenario, state, event.touched))
    spoken = await speak_with(model, scenario, state, intent) if model is not None else None
    return settle(scenario, state, said, event, judged, intent, spoken or template(scenario, state, intent))


def settle(
    scenario: Scenario,
    state: DrillState,
    said: str,
    event: TraineeEvent,
    judged: Judgement,
    intent: Intent,
    reply: str,
) -> DrillState:
    """The state after a turn whose parts are all known. `reply` has been read back: it reveals what the intent says."""
    turn = Turn(
        said=said,
        act=event.agent_act,
        touched=event.touched,
        expected=state.expected_node_ids,
        hit=judged.hit,
        points=judged.points,
        slips=judged.slips,
        reason=judged.reason,
        intent=intent.kind,
        reply=reply,
    )
    after = state.model_copy(update={"turns": (*state.turns, turn), "turn_index": state.turn_index + 1})
    if intent.node is None or intent.value is None or intent.node in state.slots:
        return after
    return with_slot(scenario, after, intent.node, intent.value)


def hint(state: DrillState) -> DrillState:
    """The drill after a hint was taken, which costs points."""
    return state if state.over else state.model_copy(update={"hints": state.hints + 1})


def stop(scenario: Scenario, state: DrillState) -> DrillState:
    """The drill as the trainee ended it, before its own end: judged like any early ending."""
    if state.over:
        return state
    event = TraineeEvent(agent_act="close")
    after = settle(scenario, state, "", event, judge(scenario, state, event), Intent("repeat_problem"), "")
    return after.model_copy(update={"end_reason": "ended_by_trainee", "stage": "S4", "expected_node_ids": ()})

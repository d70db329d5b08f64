"""`sopdesk drill`: practise on a simulated customer in a terminal. Needs no Redis, no network and no keys."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping

from bot.settings import Settings
from bot.wiring.drills import load_scenario, open_model
from graph.coach.card import hint_text, score_lines
from graph.coach.customer import begin
from graph.coach.drill import hint, stop, take
from graph.coach.scenario import Scenario
from graph.coach.state import DrillState
from graph.model import JsonValue, Lang
from graph.phrases import say


async def drill(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk drill SCENARIO`: with `--json` each line in is a message of the trainee and each line out one object."""
    scenario = load_scenario(settings, given.scenario)
    lang: Lang = given.lang
    state = begin(scenario, lang=lang, persona=given.persona, seed=given.seed)
    async with open_model(settings) as model:
        if given.json:
            _print(_opening(scenario, state))
            async for said in _lines():
                before, state = state, await take(scenario, state, said, model)
                _print(_turn(scenario, before, state))
            return 0
        print(scenario.title.in_(lang), "·", scenario.goal.in_(lang))
        print(say("coach.terminal_help", lang), "\n")
        print(f"{say('coach.customer', lang)}: {state.opening}")
        async for said in _lines():
            match said:
                case "":
                    continue
                case "/hint":
                    print(hint_text(scenario, state).in_(lang))
                    state = hint(state)
                    continue
                case "/end":
                    state = stop(scenario, state)
                case _:
                    state = await take(scenario, state, said, model)
                    print(f"{say('coach.customer', lang)}: {state.turns[-1].reply}")
            if state.over:
                break
        print("\n" + "\n".join(line.in_(lang) for line in score_lines(scenario, state)))
    return 0


def _opening(scenario: Scenario, state: DrillState) -> dict[str, JsonValue]:
    return {
        "reply": state.opening,
        "act": None,
        "touched": [],
        "expected": list(state.expected_node_ids),
        "hit": None,
        "points": 0,
        "violations": [],
        "reason": "",
        "state": _state(scenario, state),
    }


def _turn(scenario: Scenario, before: DrillState, state: DrillState) -> dict[str, JsonValue]:
    if before.over:
        return {**_opening(scenario, state), "reply": "", "expected": [], "reason": say("coach.over", state.lang)}
    turn = state.turns[-1]
    return {
        "reply": turn.reply,
        "act": turn.act,
        "touched": list(turn.touched),
        "expected": list(turn.expected),
        "hit": turn.hit,
        "points": turn.points,
        "violations": [slip.node for slip in turn.slips],
        "reason": turn.reason.in_(state.lang),
        "state": _state(scenario, state),
    }


def _state(scenario: Scenario, state: DrillState) -> dict[str, JsonValue]:
    facts = [scenario.fact(*fact.split("=", 1)).in_(state.lang) for fact in state.visible_facts]
    return {
        "stage": state.stage,
        "slots": dict(state.slots),
        "visible_facts": list(facts),
        "expected": list(state.expected_node_ids),
        "pending_result": state.pending_result,
        "turn": state.turn_index,
        "end_reason": state.end_reason,
    }


def _print(line: Mapping[str, JsonValue]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


async def _lines() -> AsyncIterator[str]:
    """What is typed or piped in, a line at a time, without blocking the loop."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        yield line.strip()



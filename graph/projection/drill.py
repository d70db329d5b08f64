"""A run that practises, as its cards and reports show it."""

from __future__ import annotations

from graph.coach.card import drill_row, drill_view
from graph.coach.scenario import Scenario
from graph.coach.state import DrillState
from graph.engine import Engine
from graph.model import DrillRow, DrillView
from graph.state import RunState
from graph.steps.drill import NOTE


def drill_of(run: RunState, engine: Engine) -> DrillView | None:
    """The drill's view; None for a run that is none, or whose scenario is gone or changed."""
    found = _drill(run, engine)
    return None if found is None else drill_view(*found)


def row_of_drill(run: RunState, engine: Engine) -> DrillRow | None:
    """The drill's line in reports, once it has ended."""
    found = _drill(run, engine)
    return drill_row(*found, run.owner.id, run.owner.name) if found and found[1].over else None


def _drill(run: RunState, engine: Engine) -> tuple[Scenario, DrillState] | None:
    if NOTE not in run.notes:
        return None
    state = DrillState.model_validate(run.notes[NOTE])
    scenario = engine.library.words.scenarios.get(state.scenario)
    return (scenario, state) if scenario is not None and scenario.version == state.version else None

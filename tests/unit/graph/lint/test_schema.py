"""The JSON Schema of procedures says what the loader says, as far as shapes go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bot.wiring.vocabulary import procedure_schema
from graph.draft import draft_of
from graph.sources import load
from graph.steps import KINDS
from tests.unit.graph.builders import SHIPPED, shipped
from tests.unit.graph.lint.patches import GOOD, defects

WORDS = shipped().words
SCHEMA = procedure_schema(None)
VALIDATOR = Draft202012Validator(SCHEMA)
OF_SHAPE = ("unknown-key", "missing-key", "unknown-kind", "wrong-type")
PROCEDURES = [path for path in sorted(SHIPPED.glob("*.yaml")) if path.name not in ("fields.yaml", "approvals.yaml")]


def test_the_file_is_what_the_loader_makes() -> None:
    """After a change of the language or its vocabulary: `sopdesk schema > sops/schema.json`."""
    assert json.loads((SHIPPED / "schema.json").read_text(encoding="utf-8")) == SCHEMA


@pytest.mark.parametrize("path", PROCEDURES, ids=lambda path: path.stem)
def test_each_procedure_points_to_it(path: Path) -> None:
    """So that an editor completes and checks without being set up."""
    assert path.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=schema.json\n")


@pytest.mark.parametrize("path", [*GOOD, *PROCEDURES], ids=lambda path: path.stem)
def test_good_files_fit_it(path: Path) -> None:
    """It refuses nothing that loads."""
    assert VALIDATOR.is_valid(load(path.name, path.read_text(encoding="utf-8")).data)


def test_every_kind_of_step_is_in_it() -> None:
    """With every key of its model."""
    kinds = dict(_steps())
    assert {name: set(keys) for name, keys in kinds.items()} == {
        name: {info.alias or key for key, info in kind.spec.model_fields.items()} for name, kind in KINDS.items()
    }


def test_wrong_shapes_do_not_fit_it() -> None:
    """What the loader refuses for its shape alone, the editor underlines, too."""
    for defect in defects():
        source = load("f.yaml", defect.text())
        draft_of(source, WORDS)
        of_shape = [each for each in source.found if each.code in OF_SHAPE and "this key" in each.message]
        if of_shape:
            assert not VALIDATOR.is_valid(source.data), defect


def _steps() -> Iterator[tuple[str, list[str]]]:
    """The kinds of step in the schema, with their keys."""
    for each in json.loads(json.dumps(SCHEMA))["$defs"].values():
        keys = each["properties"]
        if "kind" in keys and "id" in keys:
            yield keys["kind"]["const"], list(keys)

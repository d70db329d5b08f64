"""What the tests of deploy/ share: its files as data, and the programs and models that judge them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import yaml
from promql_parser import Expr, VectorSelector, walk
from promql_parser import parse as promql
from pydantic import BaseModel, ConfigDict, JsonValue, SecretStr
from pydantic.alias_generators import to_camel

from bot.__main__ import _parser
from bot.metrics import Metrics
from bot.settings import Settings
from tests.unit.project import ROOT

DEPLOY: Final = ROOT / "deploy"
Document = dict[str, JsonValue]


class _Part(BaseModel):
    """A part of an object whose schema no package carries: what is written here is known, all else is a mistake."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


class _Metadata(_Part):
    name: str
    namespace: str
    labels: dict[str, str] = {}


class _Target(_Part):
    name: str


class _Fallback(_Part):
    failure_threshold: int
    replicas: int


class _Trigger(_Part):
    type: str
    metadata: dict[str, str]


class _Scaling(_Part):
    scale_target_ref: _Target
    min_replica_count: int
    max_replica_count: int
    polling_interval: int
    cooldown_period: int
    fallback: _Fallback
    triggers: list[_Trigger]


class ScaledObject(_Part):
    """KEDA's, as far as it is used here."""

    api_version: str
    kind: str
    metadata: _Metadata
    spec: _Scaling


class _Selector(_Part):
    match_labels: dict[str, str]


class _Relabeling(_Part):
    action: str
    source_labels: list[str]
    target_label: str


class _Endpoint(_Part):
    port: str
    path: str
    interval: str
    scrape_timeout: str
    relabelings: list[_Relabeling]


class _Monitoring(_Part):
    job_label: str
    selector: _Selector
    endpoints: list[_Endpoint]


class ServiceMonitor(_Part):
    """The Prometheus operator's, as far as it is used here."""

    api_version: str
    kind: str
    metadata: _Metadata
    spec: _Monitoring


class Notes(_Part):
    """What a person reads of an alert."""

    model_config = ConfigDict(alias_generator=None)

    summary: str
    summary_zh: str
    runbook: str


class Labels(_Part):
    """What routes an alert."""

    severity: str


class Alert(_Part):
    """A rule of Prometheus that alerts. `for_` has a unit."""

    model_config = ConfigDict(alias_generator=lambda name: name.rstrip("_"))

    alert: str
    expr: str
    for_: str = "0s"
    labels: Labels
    annotations: Notes


class RuleGroup(_Part):
    """Rules that are evaluated together."""

    name: str
    rules: list[Alert]


class RuleFile(_Part):
    """A file of rules."""

    groups: list[RuleGroup]


def at(document: JsonValue, *path: str | int) -> JsonValue:
    """What stands at a path of names and positions; fails where it is not there."""
    for step in path:
        match document, step:
            case dict(), str():
                document = document[step]
            case list(), int():
                document = document[step]
            case _:
                raise AssertionError(f"{step!r} does not stand in {document!r}")
    return document


def words(value: JsonValue) -> list[str]:
    """A list of strings."""
    assert isinstance(value, list)
    return [str(each) for each in value]


def table(value: JsonValue) -> dict[str, str]:
    """A mapping from strings to strings."""
    assert isinstance(value, dict)
    return {name: str(each) for name, each in value.items()}


def documents(source: str) -> list[Document]:
    """The YAML documents of a text."""
    return list(yaml.safe_load_all(source))


def items(value: JsonValue) -> list[JsonValue]:
    """A list."""
    assert isinstance(value, list)
    return value


def selectors(expression: str) -> list[VectorSelector]:
    """The series that an expression of PromQL asks for; ValueError when it is none."""
    found: list[VectorSelector] = []

    def visit(node: Expr) -> bool:
        if isinstance(node, VectorSelector):
            found.append(node)
        return True

    walk(promql(expression), visit)
    return found


def exported() -> Mapping[str, tuple[Sequence[str], str]]:
    """The samples of bot/metrics.py, each with its labels and its description."""
    ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count", "")}
    found = {}
    for metric in vars(Metrics()).values():
        for family in getattr(metric, "describe", list)():
            for end in ends.get(family.type, ("",)):
                found[family.name + end] = (tuple(metric._labelnames), family.documentation)
    return found


def variables() -> set[str]:
    """The environment variables that the program reads."""
    return {name.upper() for name in Settings.model_fields}


def secret_variables() -> set[str]:
    """Those of them that are secret."""
    fields = Settings.model_fields.items()
    return {name.upper() for name, field in fields if SecretStr in getattr(field.annotation, "__args__", ())}


def is_command(given: Sequence[str]) -> bool:
    """Whether `sopdesk` takes these arguments; nothing is carried out."""
    try:
        _parser().parse_args(given)
    except SystemExit as end:
        return end.code == 0
    return True


def tool(name: str) -> str:
    """A program that a wheel has put beside this Python."""
    return str(Path(sys.executable).parent / name)


def run(*command: str) -> str:
    """What a program printed; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr

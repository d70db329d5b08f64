"""The shop's own fields and procedure, and models that answer as a script says."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel

from graph.errors import ModelUnavailable
from graph.fields import FieldSpec
from graph.llm import Message
from graph.model import Text
from graph.reading import SopCard

ROOT = Path(__file__).parents[4]
T = TypeVar("T", bound=BaseModel)


def _load() -> dict[str, FieldSpec]:
    raw = yaml.safe_load((ROOT / "sops" / "fields.yaml").read_text(encoding="utf-8"))
    return {name: FieldSpec(name=name, **spec) for name, spec in raw.items()}


FIELDS = _load()
WANTED = ("order_id", "amount", "reason", "comp_type")
SPECS = tuple(FIELDS[name] for name in WANTED)
COLLECT = (FIELDS["amount"], FIELDS["reason"], FIELDS["comp_type"])
COMPENSATION = SopCard(
    name="compensation",
    title=Text(zh="发起补偿", en="Compensation"),
    description=Text(zh="客人因为服务问题要现金或积分补偿", en="A guest is to get cash or credit for bad service"),
    fields=SPECS,
)
REFUND = SopCard(
    name="refund",
    title=Text(zh="退款", en="Refund"),
    description=Text(zh="取消后退款", en="Money back after a cancellation"),
    fields=SPECS,
)


def cases(name: str) -> list[dict[str, str | None]]:
    """The cases of a file in tests/cases."""
    loaded: list[dict[str, str | None]] = yaml.safe_load((ROOT / "tests" / "cases" / name).read_text(encoding="utf-8"))
    return loaded


def external(name: str) -> list[dict[str, object]]:
    """The cases of a file that others wrote."""
    lines = (ROOT / "tests" / "cases" / "external" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


class ScriptedLlm:
    """A model that answers with what the script makes of the messages, through the reply's own validation."""

    def __init__(self, script: Callable[[Sequence[Message]], Mapping[str, object] | str]) -> None:
        self.script = script
        self.calls = 0
        self.seen: list[Sequence[Message]] = []

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """The scripted object, read as `reply`."""
        self.calls += 1
        self.seen.append(messages)
        said = self.script(messages)
        return reply.model_validate_json(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))

    async def words(self, messages: Sequence[Message]) -> str:
        """The scripted words."""
        self.calls += 1
        return str(self.script(messages))


class DeadLlm:
    """A model that cannot be reached after `calls` requests."""

    def __init__(self, calls: int = 1) -> None:
        self.calls = calls

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """No answer."""
        raise ModelUnavailable("down", calls=self.calls)

    async def words(self, messages: Sequence[Message]) -> str:
        """No answer."""
        raise ModelUnavailable("down", calls=self.calls)


def saying(fields: Mapping[str, object], mode: str = "sop", sop: str | None = "compensation") -> ScriptedLlm:
    """A model that always gives these fields."""
    return ScriptedLlm(lambda messages: {"mode": mode, "sop": sop, "fields": dict(fields)})

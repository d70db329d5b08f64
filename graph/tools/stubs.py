"""Stand-ins for interfaces that are not built yet, written as data: what they take, and what they answer to what.

An author writes and tests a procedure with them. They never serve: only `sopdesk check`, `test` and the like know them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from graph.errors import ToolRefused
from graph.model import JsonValue
from graph.sources import Source, load, raise_all
from graph.tools.spec import Call, Parameter, ToolSpec
from graph.tools.values import Money

FILE: Final = Path("stubs") / "tools.yaml"
"""Where a directory of procedures has them."""
Kind = Literal["text", "money", "integer", "boolean"]
_TYPES: Final[Mapping[Kind, type]] = {"text": str, "money": Money, "integer": int, "boolean": bool}
_MONEY: Final = re.compile(r"(\d+(?:\.\d+)?) ([A-Z]{3})")


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(_Plain):
    """The first answer whose `when` fits the arguments is given: a result, or a refusal by its code."""

    when: dict[str, JsonValue] = {}
    give: JsonValue = None
    refuse: str = ""


class Stub(_Plain):
    """One interface. An argument whose name ends in `?` may be left out, money is written `18.50 EUR`; `returns` is one
    value, or a record of them."""

    args: dict[str, Kind]
    returns: Kind | dict[str, Kind]
    answers: tuple[Answer, ...] = Field(min_length=1)
    write: bool = False


def stubs_of(directory: Path) -> dict[str, ToolSpec]:
    """The stand-ins of a directory of procedures; none where it has no such file. SopMistakes names what is wrong."""
    path = directory / FILE
    if not path.is_file():
        return {}
    source = load(str(path), path.read_text(encoding="utf-8"))
    found: dict[str, ToolSpec] = {}
    for name, data in source.data.items() if isinstance(source.data, dict) else ():
        stub = source.read(Stub, data, (name,))
        if stub is not None:
            _check(source, name, stub)
            found[name] = _spec(name, stub)
    if not isinstance(source.data, dict) and not source.found:
        source.wrong((), "the file maps names of interfaces to what they take and answer")
    raise_all([source])
    return found


def _check(source: Source, name: str, stub: Stub) -> None:
    taken = {argument.removesuffix("?") for argument in stub.args}
    for number, answer in enumerate(stub.answers):
        here = (name, "answers", number)
        if (answer.give is None) == (not answer.refuse):
            source.wrong(here, "an answer has one of `give` and `refuse`")
        for argument in answer.when:
            if argument not in taken:
                source.wrong((*here, "when", argument), f"{name} has no argument {argument!r}", allowed=taken, on_key=True)
        if answer.give is not None:
            _check_result(source, (*here, "give"), stub.returns, answer.give)


def _check_result(source: Source, at: tuple[str | int, ...], returns: Kind | dict[str, Kind], given: JsonValue) -> None:
    if isinstance(returns, str):
        if not _fits(returns, given):
            source.wrong(at, f"{given!r} is no {returns}")
    elif not isinstance(given, dict):
        source.wrong(at, f"this interface gives a record of {', '.join(returns)}")
    else:
        for part, value in given.items():
            if part not in returns:
                source.wrong((*at, part), f"no {part!r} is returned", allowed=returns, on_key=True)
            elif not _fits(returns[part], value):
                source.wrong((*at, part), f"{value!r} is no {returns[part]}")


def _fits(kind: Kind, value: JsonValue) -> bool:
    if kind == "money":
        return isinstance(value, str) and _MONEY.fullmatch(value) is not None
    return type(value) is _TYPES[kind]


def _spec(name: str, stub: Stub) -> ToolSpec:
    returns, give = _result(name, stub.returns)

    async def run(call: Call, **given: object) -> object:
        for answer in stub.answers:
            if all(_same(given.get(argument), wanted) for argument, wanted in answer.when.items()):
                if answer.refuse:
                    raise ToolRefused(answer.refuse)
                return give(answer.give)
        raise ToolRefused("not_found", f"the stand-in {name} has no answer to this")

    parameters = tuple(
        Parameter(
            argument.removesuffix("?"),
            _TYPES[kind] | None if argument.endswith("?") else _TYPES[kind],
            required=not argument.endswith("?"),
        )
        for argument, kind in stub.args.items()
    )
    return ToolSpec(
        name=name,
        run=run,
        parameters=parameters,
        returns=returns,
        write=stub.write,
        key="honoured",
        timeout=10.0,
        retries=0,
        pause=0.0,
        breaker="",
        preview=None,
        routes=None,
    )


def _result(name: str, returns: Kind | dict[str, Kind]) -> tuple[object, Callable[[JsonValue], object]]:
    """The type of a result, and how one is made of what the file gives."""
    if isinstance(returns, str):
        return _TYPES[returns], lambda given: _value(returns, given)
    fields: dict[str, object] = {part: (_TYPES[kind] | None, None) for part, kind in returns.items()}
    model: type[BaseModel] = create_model(f"{name}_result", **fields)  # type: ignore[call-overload]  # known at run time only

    def give(given: JsonValue) -> BaseModel:
        parts = given if isinstance(given, dict) else {}
        return model.model_validate({part: _value(returns[part], each) for part, each in parts.items()})

    return model, give


def _value(kind: Kind, value: JsonValue) -> object:
    if kind != "money":
        return value
    amount, currency = str(value).split(" ")
    return Money(amount=Decimal(amount), currency=currency)


def _same(given: object, wanted: JsonValue) -> bool:
    if isinstance(given, Money):
        return _MONEY.fullmatch(str(wanted)) is not None and _value("money", wanted) == given
    return given == wanted

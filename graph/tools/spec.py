"""`@tool`: a backend interface as one typed async function."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Literal, ParamSpec, TypeVar, get_type_hints

from graph.model import Fact, JsonValue, Lang, Route
from graph.tools.backoffice import BackOffice
from graph.tools.values import conforms

P = ParamSpec("P")
R = TypeVar("R")
KeyKind = Literal["honoured", "lookup", "none"]
Preview = Callable[[Mapping[str, Fact], Mapping[str, Fact]], list[Route]]


@dataclass(frozen=True)
class Call:
    """What a tool gets beside its arguments. `key` is the effect's key, sent with every write; None for a read."""

    backoffice: BackOffice
    lang: Lang
    key: str | None = None


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool: its type, and whether it must be given."""

    name: str
    annotation: object
    required: bool


@dataclass(frozen=True)
class ToolSpec:
    """A tool as the engine knows it.

    `key` says what the receiver does with an effect's key: `honoured` (the same key never pays twice), `lookup` (it can
    be asked) or `none`. `timeout` is in seconds for one try, `retries` how many more tries follow the first, `pause` the
    seconds between two. `breaker` is the argument that names what the call reaches behind the back office: each such
    thing is left alone by itself when it fails. `preview` says from arguments and facts where money would go, `routes`
    where it went, `receipt` under which number the receiver knows it.
    """

    name: str
    run: Callable[..., Awaitable[object]]
    parameters: tuple[Parameter, ...]
    returns: object
    write: bool
    key: KeyKind
    timeout: float
    retries: int
    pause: float
    breaker: str
    preview: Preview | None
    routes: Callable[[Fact], list[Route]] | None
    receipt: Callable[[Fact], str] | None = None

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name."""
        return next((each for each in self.parameters if each.name == name), None)

    def takes(self, name: str, value: JsonValue) -> bool:
        """Whether this plain value is one that the argument `name` can be, by the tool's schema."""
        parameter = self.parameter(name)
        return parameter is not None and conforms(value, parameter.annotation)


@dataclass(frozen=True)
class _Marks:
    write: bool
    key: KeyKind
    timeout: float
    retries: int
    pause: float
    breaker: str
    preview: Preview | None
    routes: Callable[[Fact], list[Route]] | None
    receipt: Callable[[Fact], str] | None


def tool(
    *,
    write: bool = False,
    key: KeyKind = "honoured",
    timeout: float = 10.0,
    retries: int = 2,
    pause: float = 0.2,
    breaker: str = "",
    preview: Preview | None = None,
    routes: Callable[[Fact], list[Route]] | None = None,
    receipt: Callable[[Fact], str] | None = None,
) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Awaitable[R]]]:
    """Mark an async function as a tool. Its first parameter is the `Call`, the rest are arguments of the SOP file."""

    def mark(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        function.__dict__["tool"] = _Marks(write, key, timeout, retries, pause, breaker, preview, routes, receipt)
        return function

    return mark


def tools_of(modules: Iterable[ModuleType]) -> dict[str, ToolSpec]:
    """All functions marked as tools in these modules, by name."""
    found: dict[str, ToolSpec] = {}
    for module in modules:
        for name, function in vars(module).items():
            marks = getattr(function, "__dict__", {}).get("tool")
            if not isinstance(marks, _Marks):
                continue
            hints = get_type_hints(function, include_extras=True)
            parameters = list(inspect.signature(function).parameters.values())[1:]
            found[name] = ToolSpec(
                name=name,
                run=function,
                parameters=tuple(
                    Parameter(each.name, hints[each.name], each.default is inspect.Parameter.empty) for each in parameters
                ),
                returns=hints["return"],
                write=marks.write,
                key=marks.key,
                timeout=marks.timeout,
                retries=marks.retries,
                pause=marks.pause,
                breaker=marks.breaker,
                preview=marks.preview,
                routes=marks.routes,
                receipt=marks.receipt,
            )
    return found

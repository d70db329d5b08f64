"""Whether a tool that a procedure's file names exists and takes what it is given."""

from __future__ import annotations

from collections.abc import Mapping

from graph.errors import ToolRefused
from graph.fields import FieldSpec
from graph.sop_fields import allowed_words, one_of
from graph.sources import Source
from graph.tools.spec import Parameter, ToolSpec
from graph.tools.values import fits, to_argument
from graph.when import Expression

At = tuple[str | int, ...]


def check_called(
    source: Source,
    at: At,
    called: str,
    args: Mapping[str, Expression],
    known: set[str],
    fields: Mapping[str, FieldSpec],
    tools: Mapping[str, ToolSpec],
) -> None:
    """Record what is wrong with a tool that is named at `at`, and with its arguments."""
    if not one_of(source, (*at, "tool"), called, tools, "tool"):
        return
    tool = tools[called]
    for name, value in args.items():
        here = (*at, "args", name)
        parameter = tool.parameter(name)
        if parameter is None:
            names = [each.name for each in tool.parameters]
            wrong = f"{called} has no argument {name!r}; {allowed_words(names)}"
            source.wrong(here, wrong, code="unknown-argument", allowed=names, on_key=True)
        known_all = [one_of(source, here, fact, known, "fact of this procedure") for fact in value.names]
        if parameter is not None and all(known_all):
            _check_fit(source, here, value, parameter, fields)
    for each in tool.parameters:
        if each.required and each.name not in args:
            source.wrong((*at, "args"), f"{called} needs the argument {each.name!r}", code="missing-argument")


def _check_fit(source: Source, at: At, value: Expression, parameter: Parameter, fields: Mapping[str, FieldSpec]) -> None:
    """A field, or a literal, of a type that the tool can take. What a result holds is known when it is there."""
    if value.source in fields:
        kind = fields[value.source].type
        if not fits(kind, parameter.annotation):
            wrong = f"the field {value.source!r} is of type {kind}, which this argument cannot take"
            source.wrong(at, wrong, code="wrong-type")
    elif not value.names:
        try:
            to_argument(value.value({}), parameter.annotation)
        except ToolRefused:
            source.wrong(at, f"{value.source} is not what this argument can take", code="wrong-type")

"""What a fact can be, as far as fields and tools tell before any run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from graph.fields import FieldSpec
from graph.lint.parts import calls_of
from graph.sop_file import SopFile, Vocabulary
from graph.tools.values import Money

Model = type[BaseModel]
NUMBERS = ("money", "integer", "percent")
WORDS = ("code", "choice", "text", "phone", "account", "date")


@dataclass(frozen=True)
class Kind:
    """The type of a fact; `values` are all it can be where they are listed, `low` and `high` bound a number.

    `model` is what a record is made from. A type of `""` is not known, and nothing is said against its use.
    """

    type: str = ""
    values: tuple[str, ...] = ()
    low: Decimal | None = None
    high: Decimal | None = None
    model: Model | None = None
    sensitive: bool = False


UNKNOWN = Kind()


@dataclass(frozen=True)
class Lacking:
    """A dotted name that leads nowhere: `name` is the part that is wrong, `allowed` what could stand in its place."""

    name: str
    allowed: tuple[str, ...] = field(default=())


class Facts:
    """The kinds of a procedure's facts."""

    def __init__(self, file: SopFile, words: Vocabulary) -> None:
        self._fields = words.fields
        self._made: dict[str, Kind] = {}
        for step in file.steps:
            for call in calls_of(step):
                tool = words.tools.get(call.tool)
                if call.save_as and tool is not None:
                    kind = kind_of(tool.returns)
                    known = self._made.setdefault(call.save_as, kind)
                    if known != kind:
                        self._made[call.save_as] = UNKNOWN
        self._made |= {name: Kind("text") for name in ("approver", "approved_by")}

    def at(self, path: str) -> Kind | Lacking:
        """What a dotted name stands for."""
        name, _, rest = path.partition(".")
        kind = of_field(self._fields[name]) if name in self._fields else self._made.get(name, UNKNOWN)
        for part in rest.split(".") if rest else ():
            if kind.type == "":
                return UNKNOWN
            if kind.model is None:
                return Lacking(part)
            attributes = kind.model.model_fields
            if part not in attributes:
                return Lacking(part, tuple(attributes))
            kind = kind_of(attributes[part].annotation, sensitive=attributes[part].json_schema_extra == {"sensitive": True})
        return kind

    def secret(self, path: str) -> bool:
        """Whether this fact, or a part of it, is not for everybody's eyes."""
        kind = self.at(path)
        return isinstance(kind, Kind) and (kind.sensitive or any(part.sensitive for part in _parts(kind.model)))


def of_field(spec: FieldSpec) -> Kind:
    """What a field of fields.yaml can be."""
    values = tuple(choice.value for choice in spec.choices)
    low = spec.min
    if spec.type == "money" and low is None:
        low = Decimal("0.01")  # a field's amount is above zero whether bounded or not
    return Kind(spec.type, values, low, spec.max, sensitive=spec.sensitive)


def kind_of(annotation: object, *, sensitive: bool = False) -> Kind:
    """What a tool's result or argument of this type can be."""
    if get_origin(annotation) is Annotated:
        return kind_of(get_args(annotation)[0], sensitive=sensitive)
    if get_origin(annotation) in (Union, UnionType):
        rest = [each for each in get_args(annotation) if each is not NoneType]
        return kind_of(rest[0], sensitive=sensitive) if len(rest) == 1 else UNKNOWN
    if get_origin(annotation) is Literal:
        values = get_args(annotation)
        return (
            Kind("text", tuple(values), sensitive=sensitive) if all(isinstance(each, str) for each in values) else UNKNOWN
        )
    if get_origin(annotation) in (list, tuple):
        inner = kind_of(get_args(annotation)[0]) if get_args(annotation) else UNKNOWN
        return Kind("list", model=inner.model, sensitive=sensitive or inner.sensitive)
    if isinstance(annotation, type):
        if issubclass(annotation, Money):
            return Kind("money", sensitive=sensitive)
        if issubclass(annotation, BaseModel):
            return Kind("record", model=annotation, sensitive=sensitive)
    plain: Mapping[object, str] = {str: "text", int: "integer", bool: "boolean"}
    return Kind(plain.get(annotation, ""), sensitive=sensitive) if annotation in plain else UNKNOWN


def takes(wanted: object, given: Kind) -> bool:
    """Whether an argument of the type `wanted` can be given a fact of this kind. In doubt it can."""
    want = kind_of(wanted)
    if "" in (want.type, given.type):
        return True
    if want.type == "record":
        return given.type == "record" and _covers(want.model, given.model)
    if want.type == "text":
        words = given.type in WORDS or given.type == "percent"
        return words and not (want.values and given.values and not set(given.values) & set(want.values))
    if want.type == "boolean":
        return given.type == "boolean"
    if want.type == "integer":
        return given.type in ("integer", "boolean")
    return want.type == given.type


def _covers(wanted: Model | None, given: Model | None) -> bool:
    if wanted is None or given is None or wanted is given:
        return True
    return all(
        name in given.model_fields and takes(part.annotation, kind_of(given.model_fields[name].annotation))
        for name, part in wanted.model_fields.items()
        if part.is_required()
    )


def _parts(model: Model | None, seen: Sequence[Model] = ()) -> Iterator[Kind]:
    if model is None or model in seen:
        return
    for part in model.model_fields.values():
        kind = kind_of(part.annotation, sensitive=part.json_schema_extra == {"sensitive": True})
        yield kind
        yield from _parts(kind.model, (*seen, model))

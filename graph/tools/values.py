"""Between facts and a tool's typed values."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, PlainSerializer, TypeAdapter, ValidationError

from graph.errors import ToolRefused
from graph.fields import canonical_money
from graph.model import Fact, JsonValue

Exact = Annotated[Decimal, PlainSerializer(canonical_money, return_type=str)]


class Money(BaseModel):
    """An exact amount in a currency."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    amount: Exact
    currency: str


def to_fact(value: object, by: str, at: str) -> Fact:
    """A tool's result as a fact; what is None inside a record is left out."""
    inner = _bare_fact(value)
    if inner is None:
        raise TypeError("a tool returned nothing")
    return inner.model_copy(update={"by": by, "at": at})


def _bare_fact(value: object) -> Fact | None:
    match value:
        case None:
            return None
        case Money():
            return Fact(type="money", value=canonical_money(value.amount), currency=value.currency)
        case BaseModel():
            parts = {name: fact for name in type(value).model_fields if (fact := _bare_fact(getattr(value, name)))}
            for name in _sensitive(type(value)) & parts.keys():
                parts[name] = parts[name].model_copy(update={"sensitive": True})
            return Fact(type="record", value=parts)
        case bool():
            return Fact(type="boolean", value=value)
        case int():
            return Fact(type="integer", value=value)
        case str():
            return Fact(type="text", value=value)
        case list() | tuple():
            return Fact(type="list", value=[fact for item in value if (fact := _bare_fact(item))])
        case _:
            raise TypeError(f"a tool returned a {type(value).__name__}, which no fact can hold")


@cache
def _sensitive(model: type[BaseModel]) -> frozenset[str]:
    fields = model.model_fields.items()
    return frozenset(name for name, info in fields if info.json_schema_extra == {"sensitive": True})


def to_argument(fact: Fact, annotation: object) -> object:
    """A fact as a tool's argument. ToolRefused when its type does not fit."""
    try:
        return _adapter(annotation).validate_python(_plain(fact))
    except ValidationError as error:
        raise ToolRefused("bad_argument", f"a {fact.type} does not fit the tool's {_name(annotation)}") from error


def conforms(value: JsonValue, annotation: object) -> bool:
    """Whether a plain value validates as this type. Money is its bare decimal string."""
    if _without_none(annotation) is Money:
        return isinstance(value, str)
    try:
        _adapter(annotation).validate_python(value)
    except ValidationError:
        return False
    return True


def from_plain(value: JsonValue, annotation: object) -> object:
    """A plain value as a tool's result. pydantic's ValidationError when it has another shape."""
    return _adapter(annotation).validate_python(value)


@cache
def _adapter(annotation: object) -> TypeAdapter[object]:
    return TypeAdapter(annotation)  # type: ignore[arg-type]  # an annotation found by inspection


def fits(fact_type: str, annotation: object) -> bool:
    """Whether a field of this type can be an argument of this type; used when files are checked."""
    wanted = _bare(_without_none(annotation))
    if fact_type == "money":
        return wanted is Money
    if fact_type in ("integer", "boolean"):
        return wanted in (int, bool)
    return wanted is str


def _without_none(annotation: object) -> object:
    if get_origin(annotation) in (Union, UnionType):
        rest = [each for each in get_args(annotation) if each is not NoneType]
        return rest[0] if len(rest) == 1 else annotation
    return annotation


def _bare(annotation: object) -> object:
    """The type under its constraints; a list of allowed words is a word."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return type(get_args(annotation)[0])
    return annotation


def _plain(fact: Fact) -> JsonValue:
    if fact.type == "money":
        return {"amount": str(fact.value), "currency": fact.currency}
    if isinstance(fact.value, dict):
        return {name: _plain(inner) for name, inner in fact.value.items()}
    if isinstance(fact.value, list):
        return [_plain(inner) for inner in fact.value]
    return fact.value


def _name(annotation: object) -> str:
    return getattr(annotation, "__name__", str(annotation))

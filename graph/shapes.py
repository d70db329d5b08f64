"""What pydantic has against a file's data, in the words of its author; and the data without what is wrong in it."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from graph.errors import ExpressionError
from graph.model import JsonValue

Path = tuple[str | int, ...]
T = TypeVar("T")
_PLACES = 20
"""How many wrong keys of one map are taken out before it is given up."""


def in_file(error: ErrorDetails, data: JsonValue) -> Path:
    """The part of pydantic's location that the file has too; tags of unions and models are left out."""
    found: list[str | int] = []
    here: JsonValue = data
    loc = error["loc"]
    for index, key in enumerate(loc):
        if isinstance(here, dict) and isinstance(key, str):
            if key in here:
                found.append(key)
                here = here[key]
            elif index == len(loc) - 1:
                found.append(key)
        elif isinstance(here, list) and isinstance(key, int) and key < len(here):
            found.append(key)
            here = here[key]
    if error["type"].startswith("union_tag"):
        found.append(str(error.get("ctx", {}).get("discriminator", "")).strip("'"))
    return tuple(found)


def mistake_of(error: ErrorDetails) -> tuple[str, str]:
    """A code and a sentence for a validation error."""
    context = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden" if error.get("input") is None:
            return "unknown-key", "this key is not known here; a comma ends a text in {…}: put the text in quotation marks"
        case "extra_forbidden":
            return "unknown-key", "this key is not known here"
        case "missing" if error["loc"][-1] in ("zh", "en"):
            return "missing-translation", "this key is missing"
        case "missing":
            return "missing-key", "this key is missing"
        case "union_tag_invalid":
            return "unknown-kind", f"{context.get('tag')!r} is not allowed; allowed: {context.get('expected_tags')}"
        case "union_tag_not_found":
            return "missing-key", "this key is missing"
        case "model_type" | "model_attributes_type" | "dict_type":
            return "wrong-type", "a map of keys is wanted here"
        case "list_type" | "tuple_type":
            return "wrong-type", "a list is wanted here"
        case "string_type":
            return "wrong-type", "text is wanted here"
        case "literal_error":
            return "wrong-value", f"not allowed; allowed: {context.get('expected')}"
        case "value_error" if isinstance(getattr(context.get("error"), "__cause__", None), ExpressionError):
            return "bad-expression", error["msg"].removeprefix("Value error, ")
        case _:
            return "wrong-value", error["msg"].removeprefix("Value error, ")


def follows(error: ErrorDetails) -> bool:
    """Whether an error only follows from others: a list lacks what was found wrong, or a map is no short form."""
    if error["type"] == "too_short":
        return bool(error["input"])
    return error["type"] == "string_type" and error["loc"][-1] == "str" and isinstance(error["input"], dict)


def given(error: ErrorDetails) -> str:
    """The word of the file that is not one of those allowed; empty where it was no such word."""
    found = error.get("ctx", {}).get("tag", error["input"] if error["type"] == "literal_error" else "")
    return found if isinstance(found, str) else ""


def allowed_by(error: ErrorDetails) -> tuple[str, ...]:
    """The values that the error itself lists."""
    context = error.get("ctx", {})
    listed = context.get("expected_tags") or (context.get("expected") if error["type"] == "literal_error" else "")
    return tuple(re.findall(r"'([^']*)'", str(listed)))


def keys_at(model: type[BaseModel], data: JsonValue, path: Sequence[str | int]) -> tuple[str, ...]:
    """The keys that the map holding `path` may have beside those it has, as the model's JSON Schema tells."""
    whole = model.model_json_schema()
    schema: Mapping[str, object] = whole
    here: JsonValue = data
    for key in path[:-1]:
        schema = _inner(schema, key, here, whole)
        here = _at(here, key)
    properties = _chosen(schema, here, whole).get("properties")
    taken = here if isinstance(here, dict) else {}
    return tuple(name for name in properties if name not in taken) if isinstance(properties, Mapping) else ()


def _at(data: JsonValue, key: str | int) -> JsonValue:
    if isinstance(data, dict):
        return data.get(str(key))
    return data[key] if isinstance(data, list) and isinstance(key, int) else None


def _inner(
    schema: Mapping[str, object], key: str | int, here: JsonValue, whole: Mapping[str, object]
) -> Mapping[str, object]:
    schema = _chosen(schema, here, whole)
    inner = schema.get("items") if isinstance(key, int) else None
    if isinstance(key, str):
        properties = schema.get("properties")
        inner = properties.get(key) if isinstance(properties, Mapping) else None
        inner = inner or schema.get("additionalProperties")
    return inner if isinstance(inner, Mapping) else {}


def _chosen(schema: Mapping[str, object], here: JsonValue, whole: Mapping[str, object]) -> Mapping[str, object]:
    """The schema behind references, and of several the one whose `kind` is that of the data or that holds maps."""
    while "$ref" in schema:
        definitions = whole.get("$defs")
        name = str(schema["$ref"]).rpartition("/")[2]
        found = definitions.get(name) if isinstance(definitions, Mapping) else None
        schema = found if isinstance(found, Mapping) else {}
    several = schema.get("oneOf") or schema.get("anyOf")
    for each in several if isinstance(several, list) else []:
        chosen = _chosen(each, here, whole)
        properties = chosen.get("properties")
        kind = properties.get("kind", {}).get("const") if isinstance(properties, Mapping) else None
        if properties is not None and (kind is None or (isinstance(here, dict) and here.get("kind") == kind)):
            return chosen
    return schema


def mended(adapter: TypeAdapter[T], data: JsonValue) -> T | None:
    """What the model makes of the data once the keys it refuses are taken out; None where they are needed."""
    data = copy.deepcopy(data)
    for _ in range(_PLACES):
        try:
            return adapter.validate_python(data)
        except ValidationError as error:
            taken = [_take_out(data, in_file(each, data)) for each in error.errors()]
            if not all(taken):
                return None
    return None


def _take_out(data: JsonValue, path: Path) -> bool:
    """Whether the innermost map on the path lost the key that leads on; a list keeps its items, for their numbers count."""
    maps: list[tuple[dict[str, JsonValue], str]] = []
    here: JsonValue = data
    for key in path:
        if isinstance(here, dict) and isinstance(key, str) and key in here:
            maps.append((here, key))
            here = here[key]
        elif isinstance(here, list) and isinstance(key, int):
            maps.clear()
            here = here[key]
        else:
            break
    return bool(maps) and maps[-1][0].pop(maps[-1][1], maps) is not maps

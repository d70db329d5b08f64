"""The exam's files: JSON lines, each an utterance with what it says. Every mistake is named with its file and line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from graph.errors import SopMistakes
from graph.exam.forms import definition_in, routes_in, value_in, wants_in
from graph.model import Lang, Text

Said = str | int | float | bool
Wanted = Said | list[Said] | None


class Outline(BaseModel):
    """A procedure as far as routing knows it. Without a name it goes by its title."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str = Field(default="", validation_alias=AliasChoices("name", "id", "sop"))
    title: Text = Text(zh="", en="")
    description: Text = Text(zh="", en="")
    fields: tuple[str, ...] = ()

    @field_validator("title", "description", mode="before")
    @classmethod
    def _in_both(cls, raw: object) -> object:
        if isinstance(raw, Mapping):
            zh, en = raw.get("zh") or raw.get("en"), raw.get("en") or raw.get("zh")
            return {"zh": zh or "", "en": en or ""}
        return {"zh": raw or "", "en": raw or ""} if isinstance(raw, str | None) else raw

    @model_validator(mode="after")
    def _named(self) -> Outline:
        if not self.name and not self.title.zh:
            raise ValueError("a procedure needs a name or a title")
        return self if self.name else self.model_copy(update={"name": self.title.en})


class Context(BaseModel):
    """What stood before the words were said.

    `sop`: the open procedure. `asked`: the fields just asked for, by name or with their definitions. `sops`: the
    procedures to choose among, by name or with title and description. `known`: the facts of the case. `today`: the day
    of the words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sop: str | None = Field(default=None, validation_alias=AliasChoices("sop", "procedure"))
    asked: tuple[str, ...] | None = Field(
        default=None, validation_alias=AliasChoices("asked", "fields", "ask", "asking", "asked_fields", "missing")
    )
    definitions: dict[str, dict[str, object]] = {}
    sops: tuple[Outline, ...] | None = Field(default=None, validation_alias=AliasChoices("sops", "procedures"))
    known: dict[str, Said] = Field(default={}, validation_alias=AliasChoices("known", "facts"))
    today: date | None = Field(default=None, validation_alias=AliasChoices("today", "date", "now"))

    @model_validator(mode="before")
    @classmethod
    def _apart(cls, raw: object) -> object:
        """Fields given with their definitions become names and definitions."""
        if not isinstance(raw, Mapping):
            return raw
        said = dict(raw)
        for key in ("asked", "fields", "ask", "asking", "asked_fields", "missing"):
            if key in said and not isinstance(said[key], list | None):
                given = said[key]
                said[key] = list(given) if isinstance(given, Mapping) else [given]
                if isinstance(given, Mapping):
                    said["definitions"] = {name: definition_in(name, spec) for name, spec in given.items()}
            elif isinstance(said.get(key), list) and any(isinstance(each, Mapping) for each in said[key]):
                defined = [each for each in said[key] if isinstance(each, Mapping) and isinstance(each.get("name"), str)]
                said["definitions"] = {str(each["name"]): dict(each) for each in defined}
                said[key] = [each.get("name") if isinstance(each, Mapping) else each for each in said[key]]
        return said

    @field_validator("known", mode="before")
    @classmethod
    def _values(cls, raw: object) -> object:
        return {name: value_in(each) for name, each in raw.items()} if isinstance(raw, Mapping) else raw

    @field_validator("today", mode="before")
    @classmethod
    def _day(cls, raw: object) -> object:
        return raw[:10] if isinstance(raw, str) else raw

    @field_validator("sops", mode="before")
    @classmethod
    def _outlines(cls, raw: object) -> object:
        if isinstance(raw, Mapping):
            return [
                {"name": name, **given} if isinstance(given, Mapping) else {"name": name, "title": given}
                for name, given in raw.items()
            ]
        return [{"name": each} if isinstance(each, str) else each for each in raw] if isinstance(raw, list) else raw


class Case(BaseModel):
    """One utterance. `want` maps fields to their values, null for what is not said; `route` is where it should lead: a
    procedure's name or title, `question`, `chat` or `unclear`. A list holds values that are all right."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    file: str = ""
    line: int = 0
    text: str
    context: Context = Context()
    want: dict[str, Wanted] = {}
    route: str | tuple[str, ...] | None = None
    lang: Lang = "en"

    @model_validator(mode="before")
    @classmethod
    def _told(cls, raw: object) -> object:
        """The language of the words, and what belongs to the context wherever it stands."""
        if not isinstance(raw, Mapping):
            return raw
        said = dict(raw)
        if "want" not in said and "route" not in said:
            raise ValueError("neither `want` (field -> value, null for not said) nor `route`")
        if isinstance(said.get("context"), str):
            said["context"] = {"sop": said["context"]}
        elif isinstance(said.get("context"), list):
            said["context"] = {"asked": said["context"]}
        beside = {key: said[key] for key in ("sop", "asked", "fields", "sops", "known", "today") if key in said}
        context = said.get("context")
        if beside and (context is None or isinstance(context, Mapping)):
            said["context"] = {**beside, **(context or {})}
        said["context"] = {} if said.get("context") is None else said["context"]
        said["want"] = {} if said.get("want") is None else said["want"]
        if "route" in said:
            said["route"] = routes_in(said["route"])
        if said.get("lang") not in ("zh", "en"):
            said["lang"] = "zh" if any("㐀" <= sign <= "鿿" for sign in str(said.get("text"))) else "en"
        return said

    @field_validator("want", mode="before")
    @classmethod
    def _values(cls, raw: object) -> object:
        """Each value in its plain form; what cannot be one is named with its field."""
        raw = wants_in(raw)
        if not isinstance(raw, Mapping):
            return raw
        found: dict[str, object] = {}
        for name, given in raw.items():
            try:
                found[str(name)] = value_in(given)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from error
        return found

    @property
    def routes(self) -> tuple[str, ...]:
        """Where it may lead; none where only its fields are looked at."""
        return (self.route,) if isinstance(self.route, str) else self.route or ()


def read_cases(path: Path) -> list[Case]:
    """The cases of one file. A line without `text` that holds `sops` (or `today`) is the context of those after it.
    SopMistakes names every line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SopMistakes([f"{path}:1: cannot be read: {error}"]) from error
    cases: list[Case] = []
    mistakes: list[str] = []
    around: dict[str, object] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("//", "#")):
            continue
        try:
            raw = json.loads(line)
            if isinstance(raw, dict) and "text" not in raw and ({"sops", "procedures", "context"} & set(raw)):
                around = dict(raw["context"]) if isinstance(raw.get("context"), dict) else raw
                Context.model_validate(around)
                continue
            cases.append(_case(raw, around, str(path), number))
        except ValidationError as error:
            mistakes += [f"{path}:{number}: {_named(each)}" for each in error.errors()]
        except ValueError as error:
            mistakes.append(f"{path}:{number}: one JSON object a line: {error}")
    if mistakes:
        raise SopMistakes(mistakes)
    if not cases:
        raise SopMistakes([f'{path}:1: no utterance; a line is {{"text": …, "want": {{field: value or null}}}}'])
    return cases


def _case(raw: object, around: Mapping[str, object], file: str, line: int) -> Case:
    if not isinstance(raw, dict):
        raise ValueError(f"this is a {type(raw).__name__}")
    case = Case.model_validate({**raw, "file": file, "line": line})
    if not around:
        return case
    given = Context.model_validate(around)
    return case.model_copy(
        update={
            "context": case.context.model_copy(
                update={
                    "sops": case.context.sops or given.sops,
                    "today": case.context.today or given.today,
                    "definitions": {**given.definitions, **case.context.definitions},
                }
            )
        }
    )


def _named(error: Mapping[str, object]) -> str:
    where = error["loc"]
    at = ".".join(str(part) for part in where) if isinstance(where, tuple) and where else "line"
    return f"{at}: {str(error['msg']).removeprefix('Value error, ')}"

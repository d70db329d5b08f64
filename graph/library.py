"""All files of a procedures directory, loaded together: fields, approvals, procedures, handbooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from graph.authority import Authority, load_authority
from graph.coach.files import parse_scenarios, scenario_sources
from graph.errors import SopMistakes
from graph.fields import FieldSpec
from graph.handbook import Handbook
from graph.phrases import both
from graph.reading.model import SopCard
from graph.rules import RuleSpec
from graph.sop import Sop, Vocabulary, parse_sop
from graph.sop_fields import check_field
from graph.sources import Source, load
from graph.steps import CallSpec
from graph.tools.spec import ToolSpec

FIELDS, APPROVALS = "fields.yaml", "approvals.yaml"


@dataclass(frozen=True)
class Library:
    """Everything a desk works by."""

    words: Vocabulary
    sops: Mapping[str, Sop]
    handbook: Handbook

    @cached_property
    def cards(self) -> tuple[SopCard, ...]:
        """The procedures that people start, as the reader sees them; put together once, for every message needs them."""
        return tuple(self._card(sop) for sop in self.sops.values() if not sop.internal)

    def _card(self, sop: Sop) -> SopCard:
        writes = any(isinstance(step, CallSpec) and self.words.tools[step.tool].write for step in sop.steps)
        return SopCard(
            name=sop.name,
            title=both(sop.title.zh or sop.noun.zh, sop.title.en or sop.noun.en),
            description=both(sop.description.zh or sop.description.en, sop.description.en or sop.description.zh),
            called=sop.called,
            looks=not writes,
            fields=tuple(self.words.fields[name] for name in sop.fields),
            approved=sop.approves,
            writes=writes,
        )


def open_library(directory: Path, tools: Mapping[str, ToolSpec], rules: Mapping[str, RuleSpec]) -> Library:
    """Load a directory. SopMistakes names every mistake of every file at once; nothing starts half."""
    if not directory.is_dir():
        raise SopMistakes(
            [f"{directory}: there is no such directory; name one that holds fields.yaml, approvals.yaml and procedures"]
        )
    sources = {path.name: read_source(path) for path in sorted(directory.glob("*.yaml"))}
    for needed in (FIELDS, APPROVALS):
        if needed not in sources:
            sources[needed] = Source(name=str(directory / needed), text="")
            sources[needed].unreadable(1, "the file is missing", code="missing-file")
    fields = read_fields(sources[FIELDS])
    authority = load_authority(sources[APPROVALS]) if not sources[APPROVALS].mistakes else None
    practice = scenario_sources(directory)
    words = Vocabulary(
        fields=fields,
        tools=tools,
        rules=rules,
        authority=authority or Authority({}),
        scenarios=parse_scenarios(practice),
    )
    sops: dict[str, Sop] = {}
    for name, source in sources.items():
        if name in (FIELDS, APPROVALS):
            continue
        sop = parse_sop(source, words)
        if sop is None:
            continue
        if sop.name in sops:
            source.wrong(("name",), f"{sop.name!r} is the name of another file's procedure; names differ")
        sops[sop.name] = sop
        # From here on its own fields are everybody's: two procedures cannot mean different things by one name.
        words = replace(words, fields={**words.fields, **sop.own_fields})
    mistakes = [mistake for source in (*sources.values(), *practice) for mistake in source.mistakes]
    handbook = None
    try:
        handbook = Handbook.load(directory)
    except SopMistakes as error:
        mistakes += error.mistakes
    if mistakes or handbook is None:
        raise SopMistakes(mistakes)
    return Library(words=words, sops=sops, handbook=handbook)


def read_source(path: Path) -> Source:
    """One file; that it cannot be read is its only mistake then."""
    try:
        return load(str(path), path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        source = Source(name=str(path), text="")
        source.unreadable(1, f"cannot be read: {error}")
        return source


def read_fields(source: Source) -> dict[str, FieldSpec]:
    """`fields.yaml`; what is wrong with a field is recorded in the source, and the field left out."""
    found: dict[str, FieldSpec] = {}
    if source.mistakes:
        return found
    if not isinstance(source.data, dict):
        source.wrong((), "the file maps names of fields to what they are")
        return found
    for name, entry in source.data.items():
        if not isinstance(entry, dict):
            source.wrong((name,), "a field is a map with type and label")
            continue
        spec = source.read(FieldSpec, {"name": name, **entry}, (name,))
        if spec is not None:
            check_field(source, spec, (name,))
            found[name] = spec
    return found

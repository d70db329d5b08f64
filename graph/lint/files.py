"""Files and directories to be checked, each with the fields and approvals beside it, or else the shipped ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graph.authority import Authority, load_authority
from graph.coach.files import is_scenario, parse_scenarios, read_scenario, scenario_sources
from graph.errors import SopMistakes
from graph.findings import Finding, Mark
from graph.handbook import Handbook
from graph.library import APPROVALS, FIELDS, read_fields, read_source
from graph.lint import lint
from graph.rules import RuleSpec
from graph.sop_file import Vocabulary
from graph.sources import Source
from graph.tools.spec import ToolSpec

_HANDBOOK = "policy.md"
_PLACED = re.compile(r"(?P<file>.+?):(?P<line>\d+): (?P<message>.*)", re.DOTALL)


@dataclass
class Linter:
    """Checks files against these tools and rules; `shipped` is the directory that lends what is not beside a file."""

    shipped: Path
    tools: Mapping[str, ToolSpec]
    rules: Mapping[str, RuleSpec]
    _words: dict[Path, tuple[Vocabulary, list[Source]]] = field(default_factory=dict)

    def check(self, paths: Sequence[Path]) -> list[Finding]:
        """Every finding about these files and directories, file by file. Blocking."""
        found: list[Finding] = []
        for path in paths:
            if path.is_dir():
                found += self._directory(path)
            elif path.name in (FIELDS, APPROVALS):
                found += self._beside(path.parent, path.name)
            elif is_scenario(path):
                found += _scenarios([read_scenario(path)])
            elif path.suffix == ".md":
                found += [each for each in _handbook(path.parent) if Path(each.file).name == path.name]
            else:
                found += [*self._beside(path.parent), *lint(read_source(path), self.words(path.parent))]
        return list(dict.fromkeys(found))

    def words(self, directory: Path) -> Vocabulary:
        """What a file in this directory may name."""
        return self._vocabulary(directory)[0]

    def _directory(self, directory: Path) -> list[Finding]:
        found = self._beside(directory)
        if (directory / _HANDBOOK).exists():
            found += _handbook(directory)
        sources = [read_source(path) for path in sorted(directory.glob("*.yaml")) if path.name not in (FIELDS, APPROVALS)]
        if (directory / FIELDS).exists() and (directory / APPROVALS).exists():
            _check_names(sources)
        for source in sources:
            found += lint(source, self.words(directory))
        return found + _scenarios(scenario_sources(directory))

    def _beside(self, directory: Path, only: str = "") -> list[Finding]:
        """What is wrong with the fields and approvals of this directory itself."""
        own = [source for source in self._vocabulary(directory)[1] if Path(source.name).parent == directory]
        return [each for source in own if only in ("", Path(source.name).name) for each in source.found]

    def _vocabulary(self, directory: Path) -> tuple[Vocabulary, list[Source]]:
        if directory not in self._words:
            homes = {name: directory if (directory / name).exists() else self.shipped for name in (FIELDS, APPROVALS)}
            fields, approvals = (read_source(home / name) for name, home in homes.items())
            authority = load_authority(approvals) if not approvals.found else None
            practice = parse_scenarios(scenario_sources(directory) or scenario_sources(self.shipped))
            words = Vocabulary(read_fields(fields), self.tools, self.rules, authority or Authority({}), practice)
            self._words[directory] = words, [fields, approvals]
        return self._words[directory]


def _check_names(sources: Sequence[Source]) -> None:
    seen: dict[str, str] = {}
    for source in sources:
        name = source.data.get("name") if isinstance(source.data, dict) else None
        if isinstance(name, str) and seen.setdefault(name, source.name) != source.name:
            wrong = f"{name!r} is the name of the procedure in {seen[name]}; names differ"
            source.wrong(("name",), wrong, code="twice", hint="give it a name of its own")


def _scenarios(sources: Sequence[Source]) -> list[Finding]:
    parse_scenarios(sources)
    return [each for source in sources for each in source.found]


def _handbook(directory: Path) -> list[Finding]:
    try:
        Handbook.load(directory)
    except SopMistakes as error:
        return [_placed(str(directory), mistake) for mistake in error.mistakes]
    return []


def _placed(directory: str, mistake: str) -> Finding:
    match = _PLACED.fullmatch(mistake)
    if match is None:
        return Finding(directory, Mark(1, 1, 2), (), "handbook", mistake)
    file = match["file"] if "/" in match["file"] else str(Path(directory) / match["file"])
    return Finding(file, Mark(int(match["line"]), 1, 2), (), "handbook", match["message"])

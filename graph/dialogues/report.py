"""What `sopdesk test` tells: dialogues that went wrong, and what of each procedure none went through. No times, no ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from graph.dialogues.coverage import KINDS_OF_ITEMS, Item, Kind, covered_by, items_of
from graph.dialogues.format import Guard
from graph.dialogues.play import Played
from graph.sop import Sop


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Share(_Plain):
    """How much of one kind of things was gone through, and what is missing, by name. `guards` cannot be reached, with the
    reason that the dialogues' author gives; they count as neither."""

    covered: int
    of: int
    missing: list[str]
    guards: dict[str, str] = {}

    @property
    def percent(self) -> int:
        """In whole per cent, rounded down; 100 where there is nothing to cover."""
        return 100 * self.covered // self.of if self.of else 100


class Failure(_Plain):
    """A dialogue that did not end as its file says."""

    dialogue: str
    file: str
    line: int
    wrong: list[str]


class Report(_Plain):
    """The whole run. `coverage` is by procedure and kind."""

    dialogues: int
    failures: list[Failure]
    coverage: dict[str, dict[Kind, Share]]

    def below(self, least: int) -> list[str]:
        """Procedures of which less than `least` per cent of some kind was gone through."""
        return [name for name, shares in self.coverage.items() if any(each.percent < least for each in shares.values())]


def report_of(played: Sequence[Played], sops: Mapping[str, Sop], guards: Sequence[Guard] = ()) -> Report:
    """The report of these dialogues on these procedures; internal ones, which nobody asks for in words, are left out."""
    failures = [
        Failure(dialogue=each.dialogue.name, file=each.dialogue.file, line=each.dialogue.line, wrong=each.wrong)
        for each in played
        if each.wrong
    ]
    views = [view for each in played for view in each.views]
    coverage: dict[str, dict[Kind, Share]] = {}
    for name, sop in sorted(sops.items()):
        if not sop.internal:
            seen = covered_by(sop, [view for view in views if view.sop == name])
            coverage[name] = {
                kind: _share(kind, items_of(sop), seen, [each for each in guards if (each.sop, each.kind) == (name, kind)])
                for kind in KINDS_OF_ITEMS
            }
    return Report(dialogues=len(played), failures=failures, coverage=coverage)


def _share(kind: Kind, items: Iterable[Item], seen: frozenset[Item], guards: Sequence[Guard]) -> Share:
    """What was gone through is no guard, whatever its author says."""
    behind = {each.name: each.why for each in guards if Item(kind, each.name) not in seen}
    listed = [item for item in items if item.kind == kind and item.name not in behind]
    missing = [item.name for item in listed if item not in seen]
    return Share(covered=len(listed) - len(missing), of=len(listed), missing=missing, guards=behind)

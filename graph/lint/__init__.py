"""Lint: whether a procedure can do what its author means, found without running it."""

from __future__ import annotations

from dataclasses import replace

from graph.draft import Draft, draft_of
from graph.findings import Finding
from graph.lint.arguments import check_arguments
from graph.lint.comparing import check_condition
from graph.lint.flow import check_flow
from graph.lint.kinds import Facts
from graph.lint.loops import check_loops
from graph.lint.parts import conditions_of
from graph.lint.report import Report
from graph.lint.tiers import check_tiers
from graph.lint.wording import check_wording
from graph.sop_file import Vocabulary
from graph.sources import Source

__all__ = ["lint"]


def lint(source: Source, words: Vocabulary) -> list[Finding]:
    """Every finding about one procedure's file, those of the loader included, in the order of the file."""
    draft = draft_of(source, words)
    if draft is not None:
        _look_into(source, draft, words)
    source.found.sort(key=lambda each: (each.mark.line, each.mark.column))
    return source.found


def _look_into(source: Source, draft: Draft, words: Vocabulary) -> None:
    words = replace(words, fields={**draft.file.own_fields, **words.fields})
    facts = Facts(draft.file, words)
    reports = [Report(source, place) for place in draft.places]
    broken: set[int] = set()
    for number, (report, step) in enumerate(zip(reports, draft.file.steps, strict=True)):
        for path, condition in conditions_of(step):
            strange = not draft.file.known() >= set(condition.names)
            if not check_condition(report, path, condition, facts) or strange:
                broken.add(number)
        check_arguments(report, step, words, facts)
        check_tiers(report, step, words, facts)
    found = check_flow(reports.__getitem__, draft, words, facts, frozenset(broken))
    check_loops(reports.__getitem__, draft.file, words, found, whole=draft.whole)
    check_wording(source, draft, words, facts.secret)

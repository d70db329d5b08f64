"""Ways back: round and round without a person, or behind a write of which nobody says what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graph.lint.flow import asked_by_call
from graph.lint.report import Report
from graph.lint.walk import Walked
from graph.reach import approves, reached, starts
from graph.sop_file import SopFile, Vocabulary
from graph.steps import KINDS, AnySpec, ApproveSpec, CallSpec
from graph.ways import Way, ways_of

Reports = Callable[[int], Report]


def check_loops(report: Reports, file: SopFile, words: Vocabulary, found: Walked, *, whole: bool) -> None:
    """Record loops without a pause, and ways back behind a write. Where steps could not be read (`whole`), one of them
    may pause: no loop is named then."""
    number_of = {step.id: number for number, step in enumerate(file.steps)}
    for number, step in enumerate(file.steps):
        if number not in found.reached:
            continue
        for way in ways_of(step):
            target = number_of.get(way.goto)
            if target is None:
                continue
            asks_nobody = whole and not KINDS[step.kind].pauses
            if asks_nobody and _comes_back(file, target, number, frozenset(way.reset), found, words):
                wrong = f"from here back to {way.goto!r} and round again nobody is asked: the case would go in circles"
                hint = "let it lead to a step that asks, and reset a field that this step asks for"
                report(number).add((*way.path, "goto"), wrong, code="loop", text=way.goto, hint=hint)
            if target <= number:
                _behind_writes(report(number), file, words, way, range(target, number))
                if not (isinstance(step, ApproveSpec) and approves(step, way)):
                    _past_approvals(report(number), file, words, way, range(target, number + 1))


def _comes_back(file: SopFile, start: int, end: int, reset: frozenset[str], found: Walked, words: Vocabulary) -> bool:
    """Whether a way leads from one step to another past nobody."""
    number_of = {step.id: number for number, step in enumerate(file.steps)}
    waiting, seen = [(start, reset)], set[tuple[int, frozenset[str]]]()
    while waiting:
        here, forgotten = waiting.pop()
        if here == end:
            return True
        if here >= len(file.steps) or (here, forgotten) in seen:
            continue
        seen.add((here, forgotten))
        step = file.steps[here]
        if not _waits(step, forgotten, found.sure.get(here, set()), words):
            if step.passes():
                waiting.append((here + 1, forgotten))
            for way in ways_of(step) if not KINDS[step.kind].pauses else ():
                if way.goto in number_of:
                    waiting.append((number_of[way.goto], forgotten | set(way.reset)))
    return False


def _waits(step: AnySpec, forgotten: frozenset[str], sure: set[str], words: Vocabulary) -> bool:
    """Whether somebody is waited for: by what asks, only where something it asks for is not known."""
    if asked_by_call(step, words) & forgotten:
        return True
    if not KINDS[step.kind].pauses:
        return False
    told = set(step.writes()) - set(step.derives())
    return bool(told & forgotten or told - sure) if told else not step.unattended()


def _behind_writes(report: Report, file: SopFile, words: Vocabulary, way: Way, between: range) -> None:
    for write in _unsaid(file, words, between):
        wrong = f"this leads back behind {write.id!r}, which writes, and nothing says what happens to it then"
        hint = f"say in {write.id!r} `repeat: true` (it is done once more) or `repeat: false` (what was done stands)"
        report.add((*way.path, "goto"), wrong, code="back-behind-write", text=way.goto, hint=hint)


def _past_approvals(report: Report, file: SopFile, words: Vocabulary, way: Way, again: range) -> None:
    for number in again:
        step = file.steps[number]
        if isinstance(step, ApproveSpec):
            return
        approval = _approving(file, number)
        tool = words.tools.get(step.tool) if isinstance(step, CallSpec) and step.repeat else None
        if approval is not None and tool is not None and tool.routes is not None:
            wrong = f"this leads back to {step.id!r}, which pays once more, and {approval.id!r} has approved it once"
            hint = f"lead back to {approval.id!r}, or to a step before it"
            report.add((*way.path, "goto"), wrong, code="pays-unapproved", text=way.goto, hint=hint)
            return


def _approving(file: SopFile, number: int) -> ApproveSpec | None:
    """The approval that lets this step happen: the last before it, else one further on that leads back to it."""
    here = file.steps[number].id
    approvals = [each for each in (*reversed(file.steps[:number]), *file.steps[number:]) if isinstance(each, ApproveSpec)]
    return next((each for each in approvals if here in reached(file.steps, each.id, starts(file.steps, each))), None)


def _unsaid(file: SopFile, words: Vocabulary, between: range) -> Iterator[AnySpec]:
    """The steps that write, and leave open whether they do so again."""
    for number in between:
        step = file.steps[number]
        tool = words.tools.get(str(getattr(step, "tool", "")))
        if tool is not None and tool.write and "repeat" not in step.model_fields_set:
            yield step

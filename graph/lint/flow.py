"""Facts that are read too early, steps that are never carried out, conditions that decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graph.draft import Draft
from graph.lint.domains import Domains
from graph.lint.kinds import Facts
from graph.lint.parts import CallPart, Path, calls_of, conditions_of, values_of
from graph.lint.report import Report
from graph.lint.walk import Walk, Walked
from graph.sop_file import SopFile, Vocabulary
from graph.steps import AnySpec, CheckSpec, ChooseSpec

Reports = Callable[[int], Report]


def check_flow(report: Reports, draft: Draft, words: Vocabulary, facts: Facts, broken: frozenset[int]) -> Walked:
    """Record what all ways through the steps show. `broken` are steps whose condition cannot be what was meant: nothing is
    said of what follows from that."""
    file = draft.file
    domains = Domains(facts, (condition for step in file.steps for _, condition in conditions_of(step)))
    needs = {number: frozenset(name for _, name in _needs(step, words)) for number, step in enumerate(file.steps)}
    asks = {number: asked_by_call(step, words) for number, step in enumerate(file.steps)}
    found = Walk(file, domains, needs, asks).go(draft.guessed | _strange(file, words))
    doubtful = _decided(report, draft, domains, found, broken) | broken
    unsure = frozenset(name for number in doubtful for name in file.steps[number].writes())
    said = _lacked(report, file, words, found, unsure)
    _never_set(report, draft, words, found, said, unsure)
    return found


def _strange(file: SopFile, words: Vocabulary) -> frozenset[str]:
    """Names that are no facts of the procedure; the loader has said so."""
    return frozenset(name for step in file.steps for _, name in _places(step, words)) - file.known()


def _needs(step: AnySpec, words: Vocabulary) -> Iterator[tuple[Path, str]]:
    """The facts a step cannot do without, and where it names them."""
    named = {name: path for path, value in reversed(values_of(step)) for name in value.names}
    for name in step.needs():
        yield named.get(name, ("amount",)), name
    if isinstance(step, CheckSpec):
        for number, rule in enumerate(step.rules):
            for name in words.rules[rule].reads if rule in words.rules and not words.rules[rule].lacking else ():
                yield ("rules", number), name
    for call in _own(step):
        tool = words.tools.get(call.tool)
        for argument, value in call.args.items():
            parameter = tool.parameter(argument) if tool else None
            if parameter is not None and parameter.required:
                for name in value.names:
                    if name not in words.fields:
                        yield (*call.path, "args", argument), name


def _own(step: AnySpec) -> list[CallPart]:
    """The call that a step is; those it may pick from are made only with what is known."""
    return [call for call in calls_of(step) if not call.path]


def asked_by_call(step: AnySpec, words: Vocabulary) -> frozenset[str]:
    """The fields that a step's calls ask for when they lack them."""
    found: set[str] = set()
    for call in _own(step):
        tool = words.tools.get(call.tool)
        for argument, value in call.args.items():
            parameter = tool.parameter(argument) if tool else None
            if tool is None or (parameter is not None and parameter.required):
                found |= {name for name in value.names if name in words.fields}
    return frozenset(found)


def _places(step: AnySpec, words: Vocabulary) -> Iterator[tuple[Path, str]]:
    """Every place of a step that names a fact it looks at."""
    yield from _needs(step, words)
    for path, condition in conditions_of(step):
        yield from ((path, name) for name in condition.names)
    for path, value in values_of(step):
        yield from ((path, name) for name in value.names)
    told = set(step.writes()) - set(step.derives())
    for number, name in enumerate(getattr(step, "fields", ())):
        if name not in told:
            yield ("fields", number), name


def _lacked(
    report: Reports, file: SopFile, words: Vocabulary, found: Walked, unsure: frozenset[str]
) -> set[tuple[int, str]]:
    if not found.complete:
        return set()
    for (number, name), some in sorted(found.lacked.items()):
        if name in unsure:
            continue
        step = file.steps[number]
        place = next((path for path, each in _places(step, words) if each == name), ("id",))
        hint = _how(file, number, name, words)
        if some:
            wrong = f"{name!r} is not always known here: on some ways to this step nothing has set it"
        elif name in file.told:
            wrong = f"{name!r} is known here only if it was said at the opening"
        else:
            wrong = f"{name!r} is read here before anything can set it"
        report(number).add(place, wrong, code="read-before-set", text=name, hint=hint)
    return set(found.lacked)


def _never_set(
    report: Reports,
    draft: Draft,
    words: Vocabulary,
    found: Walked,
    said: set[tuple[int, str]],
    unsure: frozenset[str],
) -> None:
    """What a step may do without, and yet nothing can ever have set."""
    file = draft.file
    known = {name for step in file.steps for name in step.writes()}
    for number, step in enumerate(file.steps):
        if number not in found.reached or not found.complete:
            continue
        may = found.may.get(number, set()) | set(file.told) | set(draft.guessed) | asked_by_call(step, words)
        for path, name in _places(step, words):
            own = isinstance(step, ChooseSpec) and name in step.writes()  # its result is judged once it is there
            if not own and name in known - unsure and name not in may and (number, name) not in said:
                said.add((number, name))
                wrong = f"{name!r} is read here before anything can set it"
                report(number).add(path, wrong, code="read-before-set", text=name, hint=_how(file, number, name, words))


def _how(file: SopFile, number: int, name: str, words: Vocabulary) -> str:
    sets = [step.id for step in file.steps if name in step.writes()]
    if sets:
        later = [step.id for step in file.steps[number:] if step.id in sets]
        where = " or ".join(repr(each) for each in sets)
        return f"{where} sets it; put it before this step" if later else f"{where} sets it; let it come first on every way"
    return f"ask for {name!r} in a step before" if name in words.fields else f"no step sets {name!r}"


def _decided(report: Reports, draft: Draft, domains: Domains, found: Walked, broken: frozenset[int]) -> frozenset[int]:
    """Record conditions that decide nothing, and steps no way leads to. The steps that are never carried out."""
    idle: set[int] = set()
    for number, step in enumerate(draft.file.steps):
        if number in broken:
            continue
        for path, condition in conditions_of(step):
            outcomes = {holds for holds, _ in domains.outcomes(condition, {})}
            seen = found.turned.get((number, "when"), outcomes) if path == ("when",) else outcomes
            if len(outcomes) > 1 and not (found.complete and draft.whole and seen == {False}):
                continue
            if path == ("when",) and True not in seen & outcomes:
                idle.add(number)
            always = outcomes == {True}
            wrong = f"this is {'always' if always else 'never'} true"
            if len(outcomes) > 1:
                wrong += " here, after what the steps before have decided"
            hint = "leave the condition out" if always else "the step is never carried out; correct the condition"
            report(number).add(path, wrong, code="always-true" if always else "never-true", hint=hint)
        if draft.whole and found.complete and number not in found.reached and number not in idle:
            hint = "let a step lead to it, or take it out"
            report(number).add(("id",), f"no way leads to {step.id!r}", code="unreachable", hint=hint)
    return frozenset(idle)

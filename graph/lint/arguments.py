"""Arguments of tools: whether what a step gives is what its tool takes."""

from __future__ import annotations

from graph.lint.comparing import check_path
from graph.lint.kinds import Facts, Kind, kind_of, takes
from graph.lint.parts import calls_of, values_of
from graph.lint.report import Report
from graph.sop_file import Vocabulary
from graph.steps import AnySpec


def check_arguments(report: Report, step: AnySpec, words: Vocabulary, facts: Facts) -> None:
    """Record dotted names that lead nowhere, and results of a type that the argument cannot take.

    Fields and literals are the loader's: it knows their types as they are.
    """
    lost = set()
    for path, value in values_of(step):
        before = len(report)
        for dotted in value.reads:
            check_path(report, path, dotted, facts)
        if len(report) > before:
            lost.add(path)
    for call in calls_of(step):
        tool = words.tools.get(call.tool)
        for name, value in call.args.items():
            path = (*call.path, "args", name)
            parameter = tool.parameter(name) if tool is not None else None
            if parameter is None or path in lost or not value.reads or value.source.strip() in words.fields:
                continue
            kind = facts.at(value.reads[0])
            if isinstance(kind, Kind) and not takes(parameter.annotation, kind):
                wanted = kind_of(parameter.annotation).type or "value of another type"
                wrong = f"{value.source!r} is a {kind.type}; {call.tool} takes a {wanted} for {name!r}"
                report.add(path, wrong, code="wrong-type", text=value.source.strip())

"""A procedure as boxes and arrows: which steps are gates, which pause, which write, and where they lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from graph.lint.parts import calls_of
from graph.model import Lang, RunView, Text
from graph.phrases import catalogue, say
from graph.sop import Sop
from graph.steps import KINDS, AnySpec, ApproveSpec, CheckSpec
from graph.tools.spec import ToolSpec
from graph.ways import ways_of

Shape = Literal["read", "write", "gate", "pause", "decision", "end"]
Mark = Literal["", "done", "here", "skipped"]
Line = Literal["next", "skip", "on", "back"]
END = "end"


@dataclass(frozen=True)
class Node:
    """A step. `gate`: it may stop the case. `pause`: it asks somebody. `decision`: somebody approves. `mark` is its state
    in a case."""

    id: str
    title: str
    detail: str
    shape: Shape
    mark: Mark = ""


@dataclass(frozen=True)
class Edge:
    """A way between two steps. `gone`: the case has gone it."""

    source: str
    target: str
    line: Line
    label: str = ""
    gone: bool = False


@dataclass(frozen=True)
class Diagram:
    """All of it."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def diagram_of(sop: Sop, tools: Mapping[str, ToolSpec], lang: Lang, view: RunView | None = None) -> Diagram:
    """The diagram of a procedure, in one language; with a case, marked with where it stands and what it went through."""
    states = {step.id: step.state for step in view.steps} if view else {}
    marks: dict[str, Mark] = {"now": "here", "done": "done", "skipped": "skipped"}
    nodes = [_node(step, tools, lang, marks.get(states.get(step.id, ""), "")) for step in sop.steps]
    end = Node(END, say("diagram.end", lang), "", "end", "done" if view and view.status == "done" else "")
    back = {(entry.step, entry.goto) for entry in view.trail if entry.goto} if view else set()
    return Diagram(
        title=sop.title.in_(lang) or sop.title.zh or sop.title.en,
        nodes=(*nodes, end),
        edges=tuple(edge for number in range(len(sop.steps)) for edge in _edges(sop, number, lang, back)),
    )


def _node(step: AnySpec, tools: Mapping[str, ToolSpec], lang: Lang, mark: Mark) -> Node:
    called = [call.tool for call in calls_of(step)]
    writes = any(tools[name].write for name in called if name in tools)
    shape: Shape = "write" if writes else "read"
    if isinstance(step, CheckSpec):
        shape = "gate"
    elif isinstance(step, ApproveSpec):
        shape = "decision"
    elif KINDS[step.kind].pauses and not called:
        shape = "pause"
    title = step.title.in_(lang) if step.title else ""
    return Node(step.id, title or step.id, _detail(step, called, lang), shape, mark)


def _detail(step: AnySpec, called: list[str], lang: Lang) -> str:
    if isinstance(step, ApproveSpec):
        tiers = [f"≤{tier.max} {tier.level}" if tier.max is not None else tier.level for tier in step.tiers]
        return " · ".join(tiers)
    if isinstance(step, CheckSpec):
        return " · ".join(step.rules)
    names = [_said(catalogue().get(f"tools.{name}"), name, lang) for name in called]
    return " · ".join(dict.fromkeys(names)) or " · ".join(getattr(step, "fields", ()))


def _said(words: Text | None, name: str, lang: Lang) -> str:
    return words.in_(lang) if words else name


def _edges(sop: Sop, number: int, lang: Lang, back: set[tuple[str, str]]) -> Iterator[Edge]:
    step = sop.steps[number]
    ids = [each.id for each in sop.steps]
    following = ids[number + 1] if number + 1 < len(ids) else END
    if step.passes():
        yield Edge(step.id, following, "next")
    if step.when is not None:
        yield Edge(step.id, following, "skip", say("diagram.unless", lang, condition=step.when.source))
    for way in ways_of(step):
        if way.goto in ids:
            line: Line = "back" if ids.index(way.goto) <= number else "on"
            label = ".".join(str(part) for part in way.path if isinstance(part, str) and part != "default")
            yield Edge(step.id, way.goto, line, label, (step.id, way.goto) in back)

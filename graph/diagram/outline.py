"""A diagram as a numbered list, for those who cannot see a picture."""

from __future__ import annotations

from collections.abc import Iterator

from graph.diagram import END, Diagram, Edge, Node
from graph.model import Lang
from graph.phrases import say


def outline(diagram: Diagram, lang: Lang) -> tuple[str, ...]:
    """One line for each step: its state in a case, its name, what it does, its condition, and where else it leads."""
    titles = {node.id: node.title for node in diagram.nodes}
    steps = [node for node in diagram.nodes if node.id != END]
    return tuple(_line(number, node, diagram, titles, lang) for number, node in enumerate(steps, 1))


def _line(number: int, node: Node, diagram: Diagram, titles: dict[str, str], lang: Lang) -> str:
    ways = [edge for edge in diagram.edges if edge.source == node.id]
    parts = [f"{number}. {node.title}"]
    if node.mark:
        parts[0] += f" {say(f'diagram.mark_{node.mark}', lang)}"
    if node.shape not in ("read", "end"):
        parts.append(say(f"diagram.shape_{node.shape}", lang))
    parts += filter(None, [node.detail, *_ways(ways, titles, lang)])
    return " · ".join(parts)


def _ways(ways: list[Edge], titles: dict[str, str], lang: Lang) -> Iterator[str]:
    for edge in ways:
        if edge.line == "skip":
            yield edge.label
        elif edge.line != "next":
            key = "went_back" if edge.gone and edge.line == "back" else "back" if edge.line == "back" else "leads"
            yield say(f"diagram.{key}", lang, way=edge.label, step=titles[edge.target])

"""A procedure's diagram as a picture."""

from __future__ import annotations

from bot.drawing import Arrow, Box, Tone, draw
from graph.diagram import Diagram, Edge, Node

_SIGNS = {"read": "", "write": "■ ", "gate": "◆ ", "pause": "? ", "decision": "◇ ", "end": ""}


def picture(diagram: Diagram) -> bytes:
    """A PNG. Signs tell gates, pauses and writes apart, ways back go round the boxes."""
    boxes = [Box(node.id, _text(node), _tone(node)) for node in diagram.nodes]
    arrows = [Arrow(edge.source, edge.target, edge.label, _line(edge)) for edge in diagram.edges]
    return draw(boxes, arrows, title=diagram.title)


def _text(node: Node) -> str:
    return f"{_SIGNS[node.shape]}{node.title}" + (f"\n{node.detail}".replace(" · ", "\n") if node.detail else "")


def _tone(node: Node) -> Tone:
    if node.shape == "end" and not node.mark:
        return "end"
    tones: dict[str, Tone] = {"done": "done", "here": "next", "skipped": "quiet"}
    return tones.get(node.mark, "plain")


def _line(edge: Edge) -> Tone:
    if edge.gone:
        return "wrong"
    return "quiet" if edge.line in ("skip", "back") else "plain"

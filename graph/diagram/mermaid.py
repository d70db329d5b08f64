"""A diagram in Mermaid's language: gates, pauses and ways back can be told apart without colours, too."""

from __future__ import annotations

from graph.diagram import Diagram, Edge, Node

_SHAPES = {
    "read": ("[", "]"),
    "write": ("[[", "]]"),
    "gate": ("{{", "}}"),
    "pause": ("[/", "/]"),
    "decision": ("{", "}"),
    "end": ("([", "])"),
}
_CLASSES = (
    "classDef gate fill:#fff4d6,stroke:#b7791f",
    "classDef pause fill:#e3f0ff,stroke:#2b6cb0",
    "classDef decision fill:#fde2e2,stroke:#c53030",
    "classDef write fill:#e6f6e6,stroke:#2f855a,stroke-width:2px",
    "classDef here stroke:#d53f8c,stroke-width:4px",
    "classDef skipped stroke-dasharray:4 4,opacity:0.5",
    "classDef done opacity:0.8",
)


def mermaid(diagram: Diagram) -> str:
    """The text; it ends with a line break."""
    lines = ["---", f"title: {_quoted(diagram.title)}", "---", "flowchart TD"]
    lines += [f"  {_node(node)}" for node in diagram.nodes]
    for number, edge in enumerate(diagram.edges):
        lines.append(f"  {_edge(edge)}")
        if edge.line == "back":
            width = 4 if edge.gone else 2
            lines.append(f"  linkStyle {number} stroke:#c53030,stroke-width:{width}px")
    lines += [f"  {each}" for each in _CLASSES]
    for kind in ("gate", "pause", "decision", "write", "here", "skipped", "done"):
        ids = [_id(node.id) for node in diagram.nodes if kind in (node.shape, node.mark)]
        if ids:
            lines.append(f"  class {','.join(ids)} {kind}")
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    opening, closing = _SHAPES[node.shape]
    sign = {"here": "▶ ", "done": "✓ ", "skipped": "↷ "}.get(node.mark, "")
    text = f"{sign}{node.title}" + (f"<br/>{node.detail}" if node.detail else "")
    return f"{_id(node.id)}{opening}{_quoted(text)}{closing}"


def _edge(edge: Edge) -> str:
    arrow = {"next": "-->", "skip": "-.->", "on": "-->", "back": "==>"}[edge.line]
    label = f"|{_quoted(('↩ ' if edge.gone else '') + edge.label)}|" if edge.label else ""
    return f"{_id(edge.source)} {arrow}{label} {_id(edge.target)}"


def _id(name: str) -> str:
    """Some words, `end` among them, are Mermaid's own."""
    return f"s_{name}"


def _quoted(text: str) -> str:
    safe = text.replace("&", "&amp;").replace('"', "#quot;").replace("<", "&lt;").replace(">", "&gt;")
    return '"' + safe.replace("&lt;br/&gt;", "<br/>").replace("\n", " ") + '"'

"""Breaking words into lines that fit a width."""

from __future__ import annotations

import re

from bot.drawing.fonts import font

_MOST = 5
_PIECES = re.compile(r"[A-Za-z0-9'’.,:;()\[\]=_\-/]+\s*|\s+|.", re.DOTALL)


def wrapped(text: str, width: float, size: int) -> list[str]:
    """`text` in lines no wider than `width` pixels at this size; five at most, then an ellipsis."""
    lines: list[str] = []
    for number, paragraph in enumerate(text.split("\n")):
        face = font(size, bold=not number)
        line = ""
        for piece in _PIECES.findall(paragraph):
            if line and face.getlength((line + piece).rstrip()) > width and piece not in "，。、；：？！）”":
                lines.append(line.rstrip())
                line = ""
            line += piece
        lines.append(line.rstrip())
    return lines if len(lines) <= _MOST else [*lines[: _MOST - 1], f"{lines[_MOST - 1]}…"]

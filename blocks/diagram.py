"""A procedure's diagram: the picture, and the same as a list."""

from __future__ import annotations

from collections.abc import Sequence

from slack_sdk.models.blocks import ImageBlock
from slack_sdk.models.blocks.basic_components import SlackFile

from blocks.kit import Card, card, header, paragraphs
from blocks.text import md, plain, push

_ALT_LIMIT = 1900
_LINES, _LINE = 60, 400


def diagram_card(title: str, lines: Sequence[str], picture: str | None) -> Card:
    """`picture` is the id of its file; without it the list stands alone."""
    told = "\n".join(lines)
    image = ImageBlock(alt_text=plain(told, _ALT_LIMIT) or "–", slack_file=SlackFile(id=picture)) if picture else None
    shown = [md(line, _LINE) for line in lines[:_LINES]]
    return card(push(md(title), ""), header(plain(title, 150)), image, *paragraphs(shown))

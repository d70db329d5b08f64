"""A message's size as a whole, which Slack limits beside every single text."""

from __future__ import annotations

import json

from blocks.text import cut
from graph.model import JsonValue

MESSAGE_LIMIT, MENU_LIMIT = 12_000, 6_000
"""Characters of JSON: Slack has been seen to refuse messages from about 13,000, whatever the single limits say."""

Json = dict[str, JsonValue]


def fitted(blocks: list[Json], limit: int) -> list[Json]:
    """The blocks within `limit` characters of JSON: long texts are cut first, then blocks are left out from the end."""
    kept = list(blocks)
    while size(kept) > limit and len(kept) > 1:
        longest = max(kept, key=lambda block: len(_text_of(block)))
        words = _text_of(longest)
        if len(words) > 400:
            kept[kept.index(longest)] = _with_text(longest, cut(words, len(words) * 2 // 3))
        else:
            kept.pop()
    return kept


def size(part: JsonValue | list[Json]) -> int:
    """How many characters a part of a message takes as JSON."""
    return len(json.dumps(part, ensure_ascii=False, separators=(",", ":")))


def _text_of(block: Json) -> str:
    """The marked text of a section or a context; empty for other blocks."""
    holder = block.get("text") if block["type"] == "section" else None
    if block["type"] == "context" and isinstance(block["elements"], list):
        holder = block["elements"][0]
    words = holder.get("text") if isinstance(holder, dict) else None
    return words if isinstance(words, str) else ""


def _with_text(block: Json, words: str) -> Json:
    text: Json = {"type": "mrkdwn", "text": words, "verbatim": True}
    return block | ({"elements": [text]} if block["type"] == "context" else {"text": text})

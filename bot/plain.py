"""Slack's mrkdwn as plain words: what a person typed, and what a card says on the command line."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_CLOCK = re.compile(r"<!date\^(\d{1,11})\^\{time\}\|[^<>]*>")
_TOKEN = re.compile(r"<([^<>\s][^<>]*)>")
_ENTITY = re.compile(r"&(lt|gt|amp);")
_SIGNS = {"lt": "<", "gt": ">", "amp": "&"}
_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])")
_ITALIC = re.compile(r"(?<![\w_])_(?=\S)([^_\n]*[^_\s])_(?![\w_])")
_STRUCK = re.compile(r"(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])")


def said(text: str) -> str:
    """What a person typed, from the `text` of Slack's message: links and mentions readable, entities undone."""
    parts: list[str] = []
    end = 0
    for token in _TOKEN.finditer(text):
        parts += [_unescaped(text[end : token.start()]), _unescaped(_readable(token[1]))]
        end = token.end()
    parts.append(_unescaped(text[end:]))
    return "".join(parts).strip()


def shown(mrkdwn: str) -> str:
    """What a person reads when Slack shows this mrkdwn: as `said`, without the signs for bold, italic and struck."""
    bare = mrkdwn
    for pattern in (_BOLD, _ITALIC, _STRUCK):
        bare = pattern.sub(r"\1", bare)
    return said(bare)


def clocks_at(mrkdwn: str, utc_offset: int) -> str:
    """Slack's clock times as those of a zone, in seconds east of UTC: for errors in forms, where Slack shows no dates."""

    def there(clock: re.Match[str]) -> str:
        return f"{datetime.fromtimestamp(int(clock[1]), UTC) + timedelta(seconds=utc_offset):%H:%M}"

    return _CLOCK.sub(there, mrkdwn)


def _readable(token: str) -> str:
    body, bar, label = token.partition("|")
    if body[:1] == "@":
        return "@" + (label.removeprefix("@") or body[1:])
    if body[:1] == "#":
        return "#" + (label.removeprefix("#") or body[1:])
    if body[:1] == "!":
        return label or "@" + body[1:]
    return label if bar and label else body.removeprefix("mailto:").removeprefix("tel:")


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda entity: _SIGNS[entity[1]], text)

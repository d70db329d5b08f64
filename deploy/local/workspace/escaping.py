"""Slack's escaping: what a person types becomes entity text, and the other way round for what they read."""

import re

from .model import Channel, User

_AT = re.compile(r"@([\w.\-]+)")
_HASH = re.compile(r"#([\w\-]+)")
_URL = re.compile(r"https?://[^\s<>|]+")


def escape(text: str) -> str:
    """`& < >` as entities; nothing else is escaped by Slack."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """The inverse of `escape`."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def typed(text: str, users: dict[str, User], channels: dict[str, Channel]) -> str:
    """What a person typed, as Slack stores it: entities escaped, @name, #channel and addresses made references.

    A name is looked up by handle or display name; one that nobody has stays as text.
    """
    by_name = {user.name: user.id for user in users.values()} | {user.display: user.id for user in users.values()}
    by_channel = {channel.name: channel.id for channel in channels.values() if not channel.is_im}

    def person(match: re.Match[str]) -> str:
        name = match[1]
        if name in by_name:
            return f"<@{by_name[name]}>"
        # Chinese is written without spaces: "@sopdesk给" is the mention, then a word.
        ascii_part = name[: next((i for i, letter in enumerate(name) if not letter.isascii()), len(name))]
        for handle in (ascii_part, ascii_part.rstrip(".-")):
            if handle in by_name:
                return f"<@{by_name[handle]}>{name[len(handle) :]}"
        return match[0]

    def room(match: re.Match[str]) -> str:
        return f"<#{by_channel[match[1]]}|{match[1]}>" if match[1] in by_channel else match[0]

    def references(part: str) -> str:
        return _HASH.sub(room, _AT.sub(person, part))

    out, end = [], 0
    text = escape(text)
    for url in _URL.finditer(text):
        out += [references(text[end : url.start()]), f"<{url[0]}>"]
        end = url.end()
    return "".join(out) + references(text[end:])

"""HTML built from calls, so that nothing reaches a page unescaped by oversight."""

from html import escape
from typing import Final

_VOID: Final = frozenset({"input", "link", "meta"})


class Html(str):
    """Text that is HTML already. Only `tag` and `join` make it."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: str) -> Html:
    """An element. Children that are not Html are escaped; `class_` and `data_testid` become `class`, `data-testid`."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(*children)}</{name}>")


def join(*children: str) -> Html:
    """The children one after another, those that are not Html escaped."""
    return Html("".join(child if isinstance(child, Html) else escape(child) for child in children))

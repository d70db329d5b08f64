"""Values as JSON texts: short, and for digests always the same."""

from __future__ import annotations

import json

import orjson


def dumps(value: object) -> str:
    """A value of plain JSON, without spaces. TypeError when it is none."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # Half characters and numbers of more than 64 bits are no JSON for it, but may have been said.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(value: object) -> str:
    """The same, with its keys in the order of their code points: equal values have equal texts."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

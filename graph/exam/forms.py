"""The forms in which an exam's file may write one thing: a value, a field's definition, a route that is no procedure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

#: What is no procedure, in the words of other makers; `None` says nothing of which.
MODES: Mapping[str, str] = {
    **dict.fromkeys(("chat", "smalltalk", "chitchat", "greeting", "thanks"), "chat"),
    **dict.fromkeys(("question", "qa", "faq", "policy", "ask"), "question"),
    **dict.fromkeys(("unclear", "ambiguous", "unsure", "clarify", "unknown"), "unclear"),
}
_NO_PROCEDURE = frozenset({"none", "null", "nosop", "noroute", "nil", "oos", "outofscope", "offtopic", "other", "nothing"})
_ANY_MODE = ("unclear", "question", "chat")


def plain(words: str) -> str:
    """Words in one width and case without stops and spaces, as free text and names are compared."""
    norm = unicodedata.normalize("NFKC", words).lower()
    return "".join(sign for sign in norm if sign.isalnum())


def routes_in(raw: object) -> object:
    """A route, or several that are right. Null, `none` and the like: whatever is no procedure."""
    if raw is None or (isinstance(raw, str) and plain(raw) in _NO_PROCEDURE):
        return _ANY_MODE
    if isinstance(raw, list | tuple):
        found = [routes_in(one) for one in raw]
        return tuple(each for one in found for each in (one if isinstance(one, tuple) else (one,)))
    if isinstance(raw, Mapping) and set(raw) & {"sop", "name", "mode"}:
        return routes_in(next((raw[key] for key in ("sop", "name", "mode") if raw.get(key) is not None), None))
    return raw


def value_in(raw: object) -> object:
    """What a field should have: the bare value, `{"value": 80, "currency": "USD"}`, or a list of either."""
    if isinstance(raw, list):
        return [value_in(one) for one in raw]
    if not isinstance(raw, Mapping):
        return None if isinstance(raw, str) and not raw.strip() else raw
    key = next((key for key in ("value", "amount") if key in raw), None)
    if key is None:
        has = ", ".join(map(str, raw))
        raise ValueError(f'a value is written bare, or as {{"value": …, "currency": …}}; this has {has}')
    value, currency = value_in(raw[key]), raw.get("currency")
    return f"{value} {currency}" if currency and value is not None else value


def wants_in(raw: object) -> object:
    """Field -> value; a list of `{"field": …, "value": …}` says the same."""
    if isinstance(raw, list) and raw and all(isinstance(one, Mapping) and "field" in one for one in raw):
        return {str(one["field"]): {key: said for key, said in one.items() if key != "field"} for one in raw}
    return raw


def definition_in(name: str, raw: object) -> dict[str, object]:
    """A field's definition: a map, or its type alone."""
    if isinstance(raw, Mapping):
        return {"name": name, **raw}
    return {"name": name, "type": raw} if isinstance(raw, str) else {"name": name}

"""The catalogue of phrases and the code that says them fit each other, in both languages."""

from __future__ import annotations

import ast
import re
import string
from functools import cache
from typing import Final

from graph.phrases import catalogue
from tests.unit.project import code, text, tracked

ONLY_CHINESE: Final = {
    # 将补偿 80.00 USD…: the procedure's title is the verb; the English question goes without one.
    "cards.confirm": {"title"},
    "cards.confirm_order": {"title"},
}
PUT_TOGETHER: Final = {"cards.headline_no_way", "cards.headline_open_no_way"} | {
    f"refusals.{code}"
    for code in (
        *("not_paid", "fraud_review", "open_compensation", "bad_amount", "key_reused", "bad_request"),
        *("not_changeable", "price_changed"),
    )
}
"""Keys that `blocks/words.py` joins from two parts, and the codes by which a back office refuses."""


def test_every_phrase_exists_in_both_languages() -> None:
    """No phrase is empty in Chinese or in English."""
    assert [key for key, words in catalogue().items() if not words.zh.strip() or not words.en.strip()] == []


def test_both_languages_have_the_same_placeholders() -> None:
    """What is filled in Chinese is filled in English; a capital first letter asks for the same value, capitalised."""
    wrong = {
        key: f"{words.zh} / {words.en}"
        for key, words in catalogue().items()
        if _holes(words.zh) - ONLY_CHINESE.get(key, set()) != _holes(words.en)
    }
    assert wrong == {}


def test_every_phrase_that_is_said_exists() -> None:
    """A key of the catalogue that stands in the code is in the catalogue."""
    groups = {key.split(".")[0] for key in catalogue()}
    like_a_key = re.compile(rf"({'|'.join(sorted(groups))})\.(?!(lua|yaml|json|md|py)$)[a-z][a-z0-9_]*")
    unknown = [
        f"{where}: {value}" for value, where in _literals() if like_a_key.fullmatch(value) and value not in catalogue()
    ]
    assert unknown == []


def test_every_family_of_phrases_exists() -> None:
    """A key that is put together, such as `f"cards.state_{kind}"`, fits at least one phrase."""
    lost = [f"{where}: {pattern.pattern}" for pattern, where in _families() if not any(map(pattern.fullmatch, catalogue()))]
    assert lost == []


def test_no_phrase_is_left_over() -> None:
    """Every phrase is named in the code, or fits a put-together key whose open part is a word of the code or of `sops/`."""
    said = {value for value, _ in _literals()}
    words = said | _words_of_the_files() | _names_in_the_code()
    unused = []
    for key in catalogue():
        fits = (match for pattern, _ in _families() if (match := pattern.fullmatch(key)))
        if key not in said | PUT_TOGETHER and not any(set(match.groups()) <= words for match in fits):
            unused.append(key)
    assert unused == []


def _holes(words: str) -> set[str]:
    return {name.lower() for _, name, _, _ in string.Formatter().parse(words) if name}


@cache
def _literals() -> tuple[tuple[str, str], ...]:
    """Every whole string that stands in the code, and where."""
    parts = {id(part) for _, node in code() if isinstance(node, ast.JoinedStr) for part in node.values}
    return tuple(
        (node.value, f"{name}:{node.lineno}")
        for name, node in code()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    )


@cache
def _families() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Keys with open parts: f-strings that begin with the name of a group and a point."""
    groups = {key.partition(".")[0] for key in catalogue()}
    found = []
    for name, node in code():
        if not isinstance(node, ast.JoinedStr):
            continue
        parts = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
        if parts and re.match(r"[a-z]{3,}\.[a-z_]*$", str(parts[0])) and str(parts[0]).partition(".")[0] in groups:
            pattern = "".join("([a-z0-9_]+)" if part is None else re.escape(str(part)) for part in parts)
            found.append((re.compile(pattern), f"{name}:{node.lineno}"))
    return tuple(found)


def _words_of_the_files() -> set[str]:
    return {word for name in tracked() if name.startswith("sops/") for word in re.findall(r"[a-z][a-z0-9_]*", text(name))}


def _names_in_the_code() -> set[str]:
    """Names of functions, classes' fields and arguments: tools, rules and facts are called by them."""
    functions = {node.name for _, node in code() if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    fields = {
        node.target.id for _, node in code() if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return functions | fields

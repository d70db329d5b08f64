"""What people read: in both languages, and without what is not for their eyes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from graph.draft import Draft
from graph.lint.parts import Path, words_of
from graph.model import JsonValue
from graph.sop_file import Vocabulary
from graph.sources import Source

_PLACEHOLDER = re.compile(r"\{+\s*([a-z][a-z0-9_]*)(?:[.\[][^{}]*)?\s*\}+|<([a-z][a-z0-9_]*)>|\$([a-z][a-z0-9_]*)")


def check_wording(source: Source, draft: Draft, words: Vocabulary, secret: Callable[[str], bool]) -> None:
    """Record missing translations and sensitive facts in what the file says to people."""
    told = list(_told(source.data, draft))
    both = _in_both(told)
    for path, each in told:
        if isinstance(each, str):
            if both and any(sign.isalpha() for sign in each):
                missing = "English" if _chinese(each) else "Chinese"
                wrong = f"there is no {missing} for this, while most words of the file are in both languages"
                source.wrong(path, wrong, code="missing-translation", hint="write {zh: …, en: …}")
            _check_secrets(source, path, each, words, secret)
            continue
        for lang, text in each.items():
            if lang not in ("zh", "en") or not isinstance(text, str):
                continue
            if not text.strip():
                source.wrong((*path, lang), "the translation is empty", code="missing-translation", hint="write it")
            elif lang == "en" and _chinese(text) and text == each.get("zh"):
                source.wrong(
                    (*path, lang), "the English is the Chinese text", code="missing-translation", hint="translate it"
                )
            _check_secrets(source, (*path, lang), text, words, secret)


def _in_both(told: Sequence[tuple[Path, str | dict[str, JsonValue]]]) -> bool:
    """Whether most words of the file are in both languages. One that speaks one language throughout is right, too."""
    return sum(isinstance(each, dict) for _, each in told) * 2 > len(told)


def _told(data: JsonValue, draft: Draft) -> Iterator[tuple[Path, str | dict[str, JsonValue]]]:
    """Every text for people as the file has it, with its path."""
    paths: list[Path] = [("title",), ("description",)]
    for place, step in zip(draft.places, draft.file.steps, strict=True):
        paths += [("steps", place, *path) for path, _ in words_of(step)]
    for path in paths:
        here = data
        for key in path:
            here = _at(here, key)
        if isinstance(here, str | dict):
            yield path, here


def _at(data: JsonValue, key: str | int) -> JsonValue:
    if isinstance(data, dict):
        return data.get(str(key))
    return data[key] if isinstance(data, list) and isinstance(key, int) and key < len(data) else None


def _check_secrets(source: Source, path: Path, text: str, words: Vocabulary, secret: Callable[[str], bool]) -> None:
    for match in _PLACEHOLDER.finditer(text):
        name = next(filter(None, match.groups()))
        if secret(name):
            wrong = f"{name!r} is sensitive; it must not stand in words for people or for a model"
            source.wrong(path, wrong, code="sensitive", text=match.group(), hint="leave it out; forms show it masked")
    for name, spec in words.fields.items():
        # A name such as `phone` is a word of its own; one with a line in it is meant for machines.
        if spec.sensitive and "_" in name and re.search(rf"(?<![\w{{$<]){name}(?![\w}}>])", text):
            wrong = f"{name!r} is sensitive; it must not stand in words for people or for a model"
            source.wrong(path, wrong, code="sensitive", text=name, hint="say it in words, such as its label")
        if spec.sensitive and spec.pattern and re.search(_alone(spec.pattern), _joined(text)):
            wrong = f"this holds what looks like a {spec.name!r}, which is sensitive"
            source.wrong(path, wrong, code="sensitive", hint="leave it out")


def _alone(pattern: str) -> str:
    return rf"(?<!\w)(?:{pattern})(?!\w)"


def _joined(text: str) -> str:
    """Digits written in groups, as one number."""
    return re.sub(r"(?<=\d)[ -](?=\d)", "", text)


def _chinese(text: str) -> bool:
    return any("一" <= sign <= "鿿" for sign in text)

"""Handbook files: Markdown chapters of sections, in one language or both.

A file is chapters (`# zh / en`) of sections (`## zh / en`) of paragraphs in either language. Lines that open with `>`
hold other words people use for the section: they are searched and never shown.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict

from graph.errors import SopMistakes
from graph.handbook.terms import CHINESE
from graph.model import Lang, Text

_HEADING = re.compile(r"^(#+)(?:\s+(.*?))?\s*#*\s*$")


class Passage(BaseModel):
    """One section of a handbook: where it stands, and what it says."""

    model_config = ConfigDict(frozen=True)

    file: str
    chapter: Text
    heading: Text
    text: Text
    asked: str = ""
    """Other words people use for it: searched, never shown."""


def parse(file: str, source: str) -> list[Passage]:
    """The sections of one file. Raises SopMistakes with every mistake in it."""
    passages: list[Passage] = []
    mistakes: list[str] = []
    chapter: Text | None = None
    section: tuple[int, Text, Text] | None = None
    body: list[str] = []
    seen: dict[Text, int] = {}

    def close() -> None:
        if section is None:
            return
        line, inside, heading = section
        asked = "; ".join(row[1:].strip() for row in body if row.startswith(">"))
        if text := _by_language("\n".join(row for row in body if not row.startswith(">"))):
            passages.append(Passage(file=file, chapter=inside, heading=heading, text=text, asked=asked))
        else:
            mistakes.append(f"{file}:{line}: section “{heading.zh}” is empty; write its text or remove the heading")

    for number, line in enumerate(source.splitlines(), start=1):
        mark = _HEADING.match(line)
        if mark is None:
            body.append(line)
            if section is None and line.strip():
                where = "under a chapter" if chapter else "before any heading"
                mistakes.append(f"{file}:{number}: text {where}; it must stand under a section heading “## …”")
            continue
        close()
        section, body = None, []
        level, title = len(mark[1]), _split_title(mark[2] or "")
        if title is None:
            mistakes.append(f"{file}:{number}: heading without words; write “{mark[1]} 中文 / English” or one of them")
        elif level == 1:
            chapter = title
        elif level > 2:
            mistakes.append(f"{file}:{number}: heading “{mark[1]}”; allowed are “#” (chapter) and “##” (section)")
        elif chapter is None:
            mistakes.append(f"{file}:{number}: section before any chapter; write “# …” above it")
        else:
            section = (number, chapter, title)
            if (first := seen.setdefault(title, number)) != number:
                mistakes.append(f"{file}:{number}: heading “{title.zh}” is already used in line {first}; rename one")
    close()
    if not passages and not mistakes:
        mistakes.append(f"{file}:1: no section; write “# chapter”, then “## section” and its text")
    if mistakes:
        raise SopMistakes(mistakes)
    return passages


def _split_title(title: str) -> Text | None:
    parts = [part.strip() for part in title.split(" / ", 1) if part.strip(" /")]
    return Text(zh=parts[0], en=parts[-1]) if parts else None


def _by_language(body: str) -> Text | None:
    """Paragraphs sorted by the writing that prevails in each."""
    found: dict[Lang, list[str]] = {"zh": [], "en": []}
    for paragraph in re.split(r"\n\s*\n", body):
        if text := " ".join(paragraph.split()):
            chinese = len(CHINESE.findall(text)) >= len(re.findall(r"[A-Za-z]+", text))
            found["zh" if chinese else "en"].append(text)
    zh, en = "\n\n".join(found["zh"]), "\n\n".join(found["en"])
    return Text(zh=zh or en, en=en or zh) if zh or en else None

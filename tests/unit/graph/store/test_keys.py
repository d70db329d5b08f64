"""The table of keys: the methods, the scripts and the table name the same keys."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import bot
from graph.store.keys import Keys
from graph.store.keytable import TABLE

SCRIPTS = sorted((Path(bot.__file__).parent / "lua").glob("*.lua"))


def test_every_method_names_a_row_of_the_table() -> None:
    """Each method of Keys makes a key that the table describes, with an item exactly where the table has one."""
    keys = Keys("p")
    rows = {(row.name, bool(row.item)) for row in TABLE}
    made = set()
    for name, method in inspect.getmembers(keys, inspect.ismethod):
        if name.startswith("_") or name == "stream":
            continue
        parts = method(*["x"] * len(inspect.signature(method).parameters)).split(":")
        made.add((parts[1], len(parts) > 2))
    made |= {("ready", False), ("sendable", False)}
    assert made - rows == set()
    scripts = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    assert [name for name, _ in rows - made if f"'{name}'" not in scripts] == [], "no method, and no script uses it"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_key_of_a_script_is_in_the_table(script: Path) -> None:
    """A script builds no key that the table does not describe, and opens with a comment."""
    text = script.read_text("utf-8")
    names = {row.name for row in TABLE}
    assert text.startswith("-- ")
    assert set(re.findall(r"key\('([^']+)'", text)) <= names


@pytest.mark.parametrize("prefix", ["", "a:b"])
def test_a_prefix_is_a_plain_word(prefix: str) -> None:
    """A prefix that would let two namespaces overlap is refused."""
    with pytest.raises(ValueError, match="prefix"):
        Keys(prefix)

"""The rules of the house that no other tool checks: places, lengths, docstrings and exceptions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.unit.project import ROOMS, TOP_LEVEL, python, text, tracked, tree

LINES: Final = 250
LINES_OF_A_TEST: Final = 500
SHORTER: Final = {"graph/machine.py": 120}

# Put together here, so that this file does not name them itself.
PLACES: Final = tuple(
    f"/{folder}/" for folder in ("work", "root", "home", "Users", "private/var", "mnt", "opt/pypi", "opt/wheels")
)
HOSTS: Final = tuple(
    f"{host}.{domain}"
    for host, domain in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry.npmjs", "org"),
        ("artifactory", ""),
        ("proxy.golang", "org"),
    )
)
BINARY: Final = (".png", ".jpg", ".gif", ".ico", ".pdf")


def test_the_top_level_is_what_it_should_be() -> None:
    """Nothing stands at the top but the seven rooms, the documents and what tools look for there."""
    top = {name.split("/")[0] for name in tracked()}
    assert sorted(name for name in top - TOP_LEVEL if not name.startswith(".")) == []


def test_no_file_names_a_machine() -> None:
    """No tracked file holds a path of somebody's machine or the address of a package registry."""
    words = re.compile("|".join([*(rf"(?<![\w.\-/}}]){re.escape(place)}" for place in PLACES), *map(re.escape, HOSTS)]))
    found = [
        f"{name}:{number}: {match[0]}"
        for name in tracked()
        if not name.endswith(BINARY)
        for number, line in enumerate(text(name).splitlines(), 1)
        if (match := words.search(line))
    ]
    assert found == []


def test_files_are_short() -> None:
    """No module has more than 250 lines, no test more than 500; the interpreter, which must stay simple, at most 120."""
    long = {}
    for name in python(*ROOMS, "deploy", "tests"):
        lines = len(text(name).splitlines())
        if lines > SHORTER.get(name, LINES_OF_A_TEST if name.startswith("tests/") else LINES):
            long[name] = lines
    assert long == {}


def test_no_exception_is_caught_bare() -> None:
    """`except:` and `except BaseException` hide cancellation; nowhere are they used without raising again."""
    found = [
        f"{name}:{node.lineno}"
        for name in python(*ROOMS, "deploy")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ExceptHandler) and _catches_all(node) and not _raises(node)
    ]
    assert found == []


def test_no_exception_is_swallowed() -> None:
    """No handler consists of `pass`; what is meant to be ignored is named in `contextlib.suppress`."""
    found = [
        f"{name}:{node.lineno}"
        for name in python(*ROOMS, "deploy")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ExceptHandler) and all(isinstance(each, ast.Pass) for each in node.body)
    ]
    assert found == []


def test_everything_public_is_explained() -> None:
    """Every module, and every public class, function and method of the three rooms, has a docstring."""
    missing = [where for name in python(*ROOMS) for where in _without_docstring(name)]
    assert missing == []


def test_every_test_says_what_it_shows() -> None:
    """Every test has a docstring of one sentence."""
    missing = [
        f"{name}:{node.lineno} {node.name}"
        for name in python("tests")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert missing == []


def test_no_setting_is_switched_off_in_the_code() -> None:
    """Every `noqa` and `type: ignore` names what it is for."""
    bare = re.compile(r"#\s*(noqa(?!: ?[A-Z]+\d)|type:\s*ignore(?!\[))")
    found = [
        f"{name}:{number}"
        for name in python(*ROOMS, "deploy", "tests")
        for number, line in enumerate(text(name).splitlines(), 1)
        if bare.search(line)
    ]
    assert found == []


def _catches_all(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id == "BaseException")


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def _without_docstring(name: str) -> Iterator[str]:
    if text(name).strip() and not ast.get_docstring(tree(name)):
        yield name
    stack: list[ast.AST] = [tree(name)]
    while stack:
        for node in ast.iter_child_nodes(stack.pop()):
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
                continue
            if not ast.get_docstring(node) and not _repeats(node):
                yield f"{name}:{node.lineno} {node.name}"
            if isinstance(node, ast.ClassDef):
                stack.append(node)


def _repeats(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether this only gives a signature, which its class or its first overload explains."""
    body = node.body[-1]
    return isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant) and body.value.value is ...

"""Files and directories to be checked: what stands beside them counts, the shipped directory lends the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.lint.files import Linter
from tests.unit.graph.builders import RULES, SHIPPED, TOOLS
from tests.unit.graph.lint.patches import GOOD


@pytest.fixture
def linter() -> Linter:
    """With the shipped directory to lend."""
    return Linter(SHIPPED, TOOLS, RULES)


def procedure(directory: Path, name: str = "a.yaml", old: str = "", new: str = "") -> Path:
    """A good procedure, with a change."""
    path = directory / name
    path.write_text(GOOD[0].read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    return path


def test_the_shipped_directory_has_no_finding(linter: Linter) -> None:
    """Procedures, fields, approvals and handbook."""
    assert [str(each) for each in linter.check([SHIPPED])] == []


def test_a_file_alone_is_checked_with_the_shipped_vocabulary(linter: Linter, tmp_path: Path) -> None:
    """It may lie anywhere."""
    assert linter.check([procedure(tmp_path)]) == []
    [found] = linter.check([procedure(tmp_path, old="tool: get_order", new="tool: get_ordr")])
    assert (found.file, found.code) == (str(tmp_path / "a.yaml"), "unknown-tool")


def test_fields_beside_a_file_replace_the_shipped_ones(linter: Linter, tmp_path: Path) -> None:
    """A field that they lack is unknown; a mistake in them is found with the file."""
    path = procedure(tmp_path)
    (tmp_path / "fields.yaml").write_text("order_id: {type: code, label: {zh: 单, en: order}, size: 3}\n", encoding="utf-8")
    found = linter.check([path])
    assert (Path(found[0].file).name, found[0].code) == ("fields.yaml", "unknown-key")
    assert "unknown-field" in {each.code for each in found}


def test_a_directory_is_checked_whole(linter: Linter, tmp_path: Path) -> None:
    """Each of its files, its handbook, too; two procedures of one name only where it is a desk's own directory."""
    procedure(tmp_path, "a.yaml")
    procedure(tmp_path, "b.yaml")
    assert linter.check([tmp_path]) == []
    for name in ("fields.yaml", "approvals.yaml"):
        (tmp_path / name).write_text((SHIPPED / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "policy.md").write_text("# One\n\n## Empty\n", encoding="utf-8")
    found = Linter(SHIPPED, TOOLS, RULES).check([tmp_path])
    assert {(Path(each.file).name, each.code) for each in found} == {("policy.md", "handbook"), ("b.yaml", "twice")}


def test_only_the_named_file_is_checked(linter: Linter) -> None:
    """`fields.yaml`, `approvals.yaml` and the handbook can be named themselves."""
    assert linter.check([SHIPPED / "fields.yaml", SHIPPED / "approvals.yaml", SHIPPED / "policy.md"]) == []

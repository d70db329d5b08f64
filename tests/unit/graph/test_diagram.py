"""Diagrams: gates, pauses, writes and ways back can be told apart; a case's place and its ways are marked."""

from __future__ import annotations

from pathlib import Path

from graph.diagram import END, diagram_of
from graph.diagram.mermaid import mermaid
from graph.diagram.outline import outline
from tests.unit.graph.builders import SHIPPED, TOOLS, Desk, library_with, shipped, view

SOP = shipped().sops["compensation"]
REJECTED = "给 KL-502 补 300 美元现金，客人包车迟到两小时"


def test_steps_have_the_shape_of_what_they_do() -> None:
    """Reads, checks, questions, approvals and writes each have one of their own."""
    shapes = {node.id: node.shape for node in diagram_of(SOP, TOOLS, "en").nodes}
    assert shapes == {
        "load_order": "read",
        "eligibility": "gate",
        "collect": "pause",
        "gateway_balance": "read",
        "bank_info": "pause",
        "approval": "decision",
        "submit": "write",
        "note": "write",
        END: "end",
    }


def test_ways_back_and_ways_past_a_step_are_lines_of_their_own() -> None:
    """The rejection leads back; a condition leads past its step."""
    edges = {(edge.source, edge.target, edge.line): edge.label for edge in diagram_of(SOP, TOOLS, "en").edges}
    assert edges["approval", "collect", "back"] == "on_reject"
    assert edges["gateway_balance", "bank_info", "skip"] == "unless comp_type == 'cash'"
    assert ("note", END, "next") in edges


def test_every_shipped_procedure_is_drawn_in_both_languages() -> None:
    """Each node once, each arrow between nodes that are there, nothing that would end a label."""
    for sop in shipped().sops.values():
        for lang in ("zh", "en"):
            drawn = diagram_of(sop, TOOLS, lang)
            ids = [node.id for node in drawn.nodes]
            assert len(ids) == len(set(ids)) == len(sop.steps) + 1
            assert all(edge.source in ids and edge.target in ids for edge in drawn.edges)
            text = mermaid(drawn)
            assert text.count("-->") + text.count("-.->") + text.count("==>") == len(drawn.edges)
            assert all(line.count('"') % 2 == 0 for line in text.splitlines())


async def test_a_case_shows_where_it_is_what_was_skipped_and_what_went_back(desk: Desk) -> None:
    """After a rejection it stands at the question again, and the way back is marked as gone."""
    asked = await desk.say(REJECTED)
    skipped = diagram_of(SOP, TOOLS, "zh", view(asked))
    marks = {node.id: node.mark for node in skipped.nodes}
    assert (marks["load_order"], marks["bank_info"], marks["approval"], marks["submit"]) == ("done", "skipped", "here", "")
    back = diagram_of(SOP, TOOLS, "zh", view(await desk.decide(asked, "reject", reason="最多补 150")))
    assert next(node for node in back.nodes if node.id == "collect").mark == "here"
    assert [(edge.source, edge.target) for edge in back.edges if edge.gone] == [("approval", "collect")]
    assert "↩ on_reject" in mermaid(back)
    told = outline(back, "zh")
    assert "▶ 现在" in told[2]
    assert "走过：on_reject 回到“collect”" in told[5]


async def test_a_case_is_drawn_in_the_version_it_follows(desk: Desk, tmp_path: Path) -> None:
    """The file has changed since: another tier, another step; the case keeps its own."""
    case = view(await desk.say(REJECTED)).case
    text = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8")
    changed = text.replace("{max: 50, level: auto}", "{max: 70, level: auto}").replace("id: note", "id: remark")
    desk.engine.library = library_with(tmp_path / "sops", compensation=changed)
    followed = await desk.runner.followed(case)
    assert followed is not None
    drawn = diagram_of(followed[0], TOOLS, "en", followed[1])
    assert "≤50 auto" in next(node for node in drawn.nodes if node.id == "approval").detail
    assert "note" in [node.id for node in drawn.nodes]
    assert next(node for node in drawn.nodes if node.id == "approval").mark == "here"
    assert await desk.runner.followed("C-0000") is None


def test_the_outline_tells_every_step_of_every_procedure() -> None:
    """One line each, in both languages, with the ways back and what each step does."""
    for sop in shipped().sops.values():
        for lang in ("zh", "en"):
            lines = outline(diagram_of(sop, TOOLS, lang), lang)
            assert len(lines) == len(sop.steps)
    assert any("back to “collect”" in line for line in outline(diagram_of(SOP, TOOLS, "en"), "en"))

"""Two runs of the exam side by side."""

from __future__ import annotations

from dataclasses import dataclass

from graph.exam.marks import Figures, Mark, Report


@dataclass(frozen=True)
class Comparison:
    """What changed from the first run to the second: figures by language and field, misses gone and misses come."""

    figures: list[tuple[Figures, Figures]]
    better: list[Mark]
    worse: list[Mark]


def compare(first: Report, second: Report) -> Comparison:
    """The second run held against the first. A case that only one of them had counts for neither."""
    earlier = {(each.lang, each.field): each for each in first.figures}
    pairs = [(earlier[key], each) for each in second.figures if (key := (each.lang, each.field)) in earlier]
    before, after = {_place(one) for one in first.misses}, {_place(one) for one in second.misses}
    return Comparison(
        figures=pairs,
        better=[one for one in first.misses if _place(one) not in after],
        worse=[one for one in second.misses if _place(one) not in before],
    )


def _place(one: Mark) -> tuple[str, str]:
    return (one.text, one.field)

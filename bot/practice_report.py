"""How practice goes: trends and commonest slips for a lead, and the whole as CSV. Pure."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import get_args

from blocks import Card
from blocks.kit import card, paragraphs, section
from blocks.text import md, mention, push
from graph.model import CaseRow, DrillRow, Lang, SlipKind
from graph.phrases import say

_LATEST, _PEOPLE = 8, 20


def report_card(rows: Sequence[CaseRow], lang: Lang, who: str = "") -> Card:
    """One paragraph a trainee: how many drills, the latest scores in order, the commonest slips."""
    people: dict[str, list[DrillRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.updated_at):
        if row.drill is not None and who in ("", row.drill.trainee):
            people[row.drill.trainee].append(row.drill)
    title = say("coach.report", lang, people=str(len(people)), count=str(sum(map(len, people.values()))))
    lines = [_person(person, drills, lang) for person, drills in list(people.items())[:_PEOPLE]]
    return card(push(title, ""), section(f"*{title}*"), *paragraphs(lines or [say("coach.no_scores", lang, count="0")]))


def as_csv(rows: Sequence[CaseRow]) -> str:
    """Every drill that has ended, a line for each, oldest first."""
    kinds = get_args(SlipKind)
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(["case", "ended_at", "trainee", "name", "scenario", "score", "end", "turns", "hints", *kinds])
    for row in sorted(rows, key=lambda row: row.updated_at):
        drill = row.drill
        if drill is not None:
            counts = [drill.slips.get(kind, 0) for kind in kinds]
            base = [row.case, row.updated_at, drill.trainee, _harmless(drill.name), drill.scenario, drill.score]
            write.writerow([*base, drill.reason, drill.turns, drill.hints, *counts])
    return out.getvalue()


def _person(person: str, drills: Sequence[DrillRow], lang: Lang) -> str:
    scores = [drill.score for drill in drills]
    slips = Counter[str]()
    for drill in drills:
        slips.update(drill.slips)
    common = [say(f"coach.kind_{kind}", lang, count=str(count)) for kind, count in slips.most_common(3)]
    comma = "、" if lang == "zh" else ", "
    return say(
        "coach.report_line",
        lang,
        who=mention(person) or md(person, 40),
        count=str(len(scores)),
        average=str(round(sum(scores) / len(scores))),
        trend=" → ".join(map(str, scores[-_LATEST:])),
        slips=comma.join(common) or say("coach.no_slips", lang),
    )


def _harmless(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t") else name

"""Who may decide, in what hours, and by whose right."""

from graph.authority.file import load_authority
from graph.authority.hours import Hours, Span, Stretch, due_after
from graph.authority.judging import Judgement, counting, judge
from graph.authority.levels import Authority, Deputy

__all__ = [
    "Authority",
    "Deputy",
    "Hours",
    "Judgement",
    "Span",
    "Stretch",
    "counting",
    "due_after",
    "judge",
    "load_authority",
]

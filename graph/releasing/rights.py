"""Who may propose another text of a procedure, and who may put it into force: two different people. Pure."""

from __future__ import annotations

from graph.authority import Authority
from graph.model import Text
from graph.model.releases import Proposal
from graph.phrases import text


def against_proposing(authority: Authority, who: str) -> Text | None:
    """Why this person may not propose; None when they may. An empty list lets nobody."""
    return None if who in authority.authors else text("releasing.not_author", who=who)


def against_releasing(authority: Authority, who: str, proposal: Proposal | None) -> Text | None:
    """Why this person may not release the proposal, or go back to a version that was released before (None)."""
    if who not in authority.releasers:
        return text("releasing.not_releaser", who=who)
    if proposal is not None and proposal.author == who:
        return text("releasing.own", who=who)
    return None

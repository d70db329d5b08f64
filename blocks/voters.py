"""Who approved, each with the time and, where they stood in for somebody, for whom."""

from __future__ import annotations

from blocks.text import clock, md
from blocks.words import closer, in_place_of
from graph.model import ClosedRequest, Lang, RequestView
from graph.phrases import say


def votes_line(request: RequestView, lang: Lang) -> str:
    """How many of the approvals needed are there, and whose; empty where one is enough, or none counts."""
    votes = request.counted
    if request.quorum < 2 or not votes:
        return ""
    who = say("cards.list", lang).join(
        say("cards.who_when", lang, name=in_place_of(vote.name, vote.of_name, lang), at=clock(vote.at)) for vote in votes
    )
    return say("cards.approval_votes", lang, count=str(len(votes)), quorum=str(request.quorum), who=who)


def deciders(request: RequestView, closed: ClosedRequest, lang: Lang) -> str:
    """Who ended the request; every approver where it took several."""
    earlier = [vote for vote in request.counted if vote.event != closed.event]
    if closed.ending != "approved" or not earlier:
        return closer(closed, lang)
    names = [in_place_of(vote.name, vote.of_name, lang) for vote in earlier]
    return say("cards.list", lang).join([*names, closer(closed, lang)]) or md(closed.name)

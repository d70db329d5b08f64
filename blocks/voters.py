"""Who approved, each with the time and, where they stood in for somebody, for whom."""

from __future__ import annotations

from collections.abc import Sequence

from blocks.text import clock, md
from blocks.words import closer, in_place_of
from graph.model import ClosedRequest, Decision, Lang, RequestView
from graph.phrases import say


def votes_line(request: RequestView, lang: Lang) -> str:
    """How many of the approvals needed are there, and whose, for each option by itself; empty where one is enough, or none
    counts."""
    if request.quorum < 2 or not request.counted:
        return ""
    labels = {each.id: md(each.label.in_(lang), 60) for each in request.options}
    by_option = {
        option: [vote for vote in request.counted if vote.option == option]
        for option in dict.fromkeys([*labels, *(vote.option for vote in request.counted)])
    }
    said = (_count(request, votes, labels.get(option, ""), lang) for option, votes in by_option.items() if votes)
    return " · ".join(said)


def _count(request: RequestView, votes: Sequence[Decision], option: str, lang: Lang) -> str:
    who = say("cards.list", lang).join(
        say("cards.who_when", lang, name=in_place_of(vote.name, vote.of_name, lang), at=clock(vote.at)) for vote in votes
    )
    count, quorum = str(len(votes)), str(request.quorum)
    if option:
        return say("cards.option_votes", lang, option=option, count=count, quorum=quorum, who=who)
    return say("cards.approval_votes", lang, count=count, quorum=quorum, who=who)


def deciders(request: RequestView, closed: ClosedRequest, lang: Lang) -> str:
    """Who ended the request; every approver where it took several, but for those who had chosen another option."""
    last = next((vote.option for vote in request.votes if vote.event == closed.event), "")
    earlier = [vote for vote in request.counted if vote.event != closed.event and vote.option == last]
    if closed.ending != "approved" or not earlier:
        return closer(closed, lang)
    names = [in_place_of(vote.name, vote.of_name, lang) for vote in earlier]
    return say("cards.list", lang).join([*names, closer(closed, lang)]) or md(closed.name)

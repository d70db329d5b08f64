"""Turns of phrase that several cards share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from blocks.surroundings import Place, Surroundings
from blocks.text import clock, is_person, listed, md, mention, quoted, tidy
from graph.model import About, Actor, ClosedRequest, FactView, Headline, Lang, RequestView, Route, RunView, Text
from graph.phrases import catalogue, masked, money, say

_TITLE_LIMIT, _AMOUNT_LIMIT = 60, 30
ROWS = 10
"""How many rows a list on a card shows before it says how many more there are."""


def headline(head: Headline, lang: Lang, amount: str | None = None) -> str:
    """Amount, way and procedure, unescaped. `amount` stands in for the run's, on a card that asked for another."""
    title = tidy(head.title.in_(lang), _TITLE_LIMIT)
    way = tidy(head.way.in_(lang), 30) if head.way else ""
    sum_ = tidy(amount or head.amount or "", _AMOUNT_LIMIT)
    if not sum_ and not head.priced:
        return title
    key = ("headline" if sum_ else "headline_open") + ("" if way else "_no_way")
    said = say(f"cards.{key}", lang, amount=sum_, way=way, title=title)
    return said if sum_ else said[:1].upper() + said[1:]


def about_of(view: RunView, request: RequestView) -> About:
    """What a request is about: as it was when it was made, where that is kept, else as the run is now."""
    return request.about or About(
        headline=view.headline,
        order=view.order,
        customer=view.customer,
        product=view.product,
        order_amount=view.order_amount,
        reason=view.reason,
    )


def subject(view: RunView | About) -> str:
    """For whom: customer and order, unescaped and one after the other."""
    return " ".join(part for part in (tidy(view.customer, 40), tidy(view.order, 30)) if part)


def name_of(person: str, view: RunView, around: Surroundings) -> str:
    """A person's or a tool's shown name, escaped; a mention for an id without a known name."""
    known = {actor.id: actor.name for actor in (view.opener, view.owner)} | around.names
    known.update({request.closed.by: request.closed.name for request in view.requests if request.closed})
    if known.get(person):
        return md(known[person], 40)
    if is_person(person):
        return mention(person)
    return md(person.removeprefix("tool:"), 40)


def action_label(name: str, lang: Lang) -> str:
    """What people call an action: the interface's name in the catalogue; what is not there, such as one that a model made
    up, stays as it is. Escaped."""
    known = catalogue().get(f"tools.{name}") or catalogue().get(f"words.{name}")
    return md(known.in_(lang) if known else name, 60)


def call_on(actor: Actor) -> str:
    """A mention of a person, by name where the id is none of Slack's."""
    return mention(actor.id) if is_person(actor.id) else f"@{md(actor.name or actor.id, 40)}"


def called(place: Place, request: RequestView) -> str:
    """Who is called on to decide: of persons named one by one, only those who may and have not yet, and who stand in for
    them. Where the votes are split, all who may: those who gave them can mend it."""
    free = [person for person in place.people if person not in request.barred]
    if not free:
        return place.mention
    votes = [] if request.split else request.counted
    voted = {person for vote in votes for person in (vote.by, vote.of)}
    bound = {person for vote in votes for person in vote.could} | {each.to for each in place.away if each.of in voted}
    left = [person for person in free if person not in voted | bound]
    instead = [each.to for each in place.away if each.of in left and each.to not in voted | bound | set(request.barred)]
    return " ".join(mention(person) for person in dict.fromkeys([*left, *instead]))


def nobody(request: RequestView, around: Surroundings, lang: Lang) -> str:
    """That nobody may decide on this request, calling the leads; empty when somebody may."""
    if request.error != "nobody":
        return ""
    return say("cards.nobody_may", lang, leads=around.leads or say("cards.a_lead", lang))


def cancelled(view: RunView, around: Surroundings, lang: Lang) -> str:
    """Who cancelled a case, when and why; empty for any other case."""
    stopped = view.stopped
    if stopped is None or view.status != "cancelled":
        return ""
    entry = next((entry for entry in reversed(view.trail) if entry.what == "cancel"), None)
    by, at = stopped.by or (entry.by if entry else ""), stopped.at or (entry.at if entry else "")
    if not by:
        return md(stopped.why.in_(lang))
    line = say("cards.cancelled_by", lang, name=name_of(by, view, around), at=clock(at or view.updated_at))
    return f"{line} · {quoted(entry.reason, lang)}" if entry and entry.reason else line


def closer(closed: ClosedRequest, lang: Lang) -> str:
    """Who ended a request and for whom, escaped."""
    return in_place_of(closed.name or say("cards.someone", lang), closed.acting_for, lang)


def in_place_of(name: str, of: str, lang: Lang) -> str:
    """A person's name and, where they acted for another, whose place it was in; escaped. One known by id is mentioned."""
    if not of:
        return md(name, 40)
    return say("cards.acting_for", lang, name=md(name, 40), agent=named(of))


def named(person: str) -> str:
    """Somebody by the name that is known, escaped; mentioned where only the id is."""
    return mention(person) if is_person(person) else md(person, 40)


def level_of(level: str | None, around: Surroundings, lang: Lang, *, article: bool = False) -> str:
    """A level's name, unescaped; in English with its article where asked."""
    if not level:
        return say("cards.some_approver", lang)
    place = around.levels.get(level)
    noun = tidy(place.label.in_(lang) if place else level, 40)
    if not article:
        return noun
    return say("cards.a_vowel" if noun[:1].lower() in "aeiou" else "cards.a_consonant", lang, noun=noun)


def cash(amount: str, currency: str) -> str:
    """`1,200.50 USD`, escaped; an amount that is no number is shown as it came."""
    try:
        return md(money(Decimal(amount), currency), 40) if Decimal(amount).is_finite() else md(amount, 40)
    except InvalidOperation:
        return md(f"{amount} {currency}", 40)


def ending(account: str | None, lang: Lang) -> str:
    """All that is shown of an account, whether it comes whole or masked before; empty when there is none."""
    if not account:
        return ""
    kept = re.sub(r"[^A-Za-z0-9]", "", account)
    if len(kept) == 4:
        return say("common.ending", lang, last=kept)
    return masked(account).in_(lang)


def routes(parts: list[Route], lang: Lang) -> str:
    """Where the money goes, part by part, escaped."""
    return say("cards.comma", lang).join(_route(part, lang) for part in parts[:ROWS])


def short_routes(parts: list[Route], lang: Lang) -> str:
    """The same in a sentence that has named the currency: numbers alone, no account."""
    said = [say(f"cards.short_{part.kind}", lang, amount=cash(part.amount, "").strip()) for part in parts[:ROWS]]
    return say("cards.comma", lang).join(said)


def field_name(label: Text, unit: str, lang: Lang) -> str:
    """A field's label with its unit, escaped."""
    name = md(label.in_(lang), 60)
    return say("cards.with_unit", lang, label=name, unit=md(unit, 12)) if unit else name


def fields_of(request: RequestView, lang: Lang) -> str:
    """The fields that a request asks for, escaped."""
    names = [field_name(field.label, field.unit, lang) for field in request.fields[:ROWS]]
    return listed(names + more(len(request.fields) - ROWS, lang), lang)


def more(count: int, lang: Lang) -> list[str]:
    """The row that says how many were left out, if any."""
    return [say("cards.more", lang, count=str(count))] if count > 0 else []


def has_phrase(key: str) -> bool:
    """Whether the catalogue has this phrase."""
    return key in catalogue()


def _route(part: Route, lang: Lang) -> str:
    amount = cash(part.amount, part.currency)
    if part.kind == "manual_transfer":
        account = ending(part.account, lang)
        key = "route_manual_transfer" if account else "route_manual_open"
        return say(f"cards.{key}", lang, amount=amount, account=account)
    return say(f"cards.route_{part.kind}", lang, amount=amount)


def fact_rows(facts: Sequence[FactView], lang: Lang, rows: int) -> list[str]:
    """Facts as lines, label and value, up to `rows`; the last line says how many more there are."""
    said = [
        say("trail.fact", lang, label=md(fact.label.in_(lang), 60), value=md(fact.text.in_(lang))) for fact in facts[:rows]
    ]
    return said + more(len(facts) - rows, lang)

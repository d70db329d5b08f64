"""The page: what was paid, what was noted, which orders there are. Works without JavaScript."""

import asyncio
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from deploy.local.backoffice import channels, queries, refunds
from deploy.local.backoffice.channel_models import ChannelState, ListedRefund
from deploy.local.backoffice.channel_tables import channels_table, refunds_table
from deploy.local.backoffice.database import Database
from deploy.local.backoffice.markup import Html, join, tag
from deploy.local.backoffice.models import ListedCompensation, Note, Order, OrderRefund
from deploy.local.backoffice.sales import ListedLead, listed_leads
from deploy.local.backoffice.tables import leads_table, notes_table, orders_table, paid_refunds_table, payouts_table
from deploy.local.backoffice.words import Words, language_of

_STATIC: Final = Path(__file__).parent / "static"
_ORDERS_A_PAGE: Final = 50
_LATEST: Final = 100
_REFUNDS: Final = 20
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}


@dataclass(frozen=True)
class _Wish:
    """What the address asks for."""

    text: str
    show: str | None
    page: int
    lang: str | None

    def address(self, **changes: str | int | None) -> str:
        """This page's address with some of its wishes changed."""
        wanted: dict[str, str | int | None] = {
            "q": self.text, "show": self.show, "page": self.page if self.page > 1 else None, "lang": self.lang,
            **changes,
        }  # fmt: skip
        query = urlencode({key: value for key, value in wanted.items() if value})
        return f"/?{query}" if query else "/"


@dataclass(frozen=True)
class _Content:
    payouts: queries.Page[ListedCompensation]
    notes: queries.Page[Note]
    orders: queries.Page[Order]
    paid_refunds: list[OrderRefund]
    leads: list[ListedLead]
    refunds: list[ListedRefund]
    channels: list[ChannelState]


class BackOfficePage:
    """Serves `/` and its two static files over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_to(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/", self._show)
        app.router.add_static("/static", _STATIC)

    async def _show(self, request: web.Request) -> web.Response:
        query = request.query
        number = query.get("page", "1")
        wish = _Wish(
            text=query.get("q", "").strip(),
            show=query.get("show"),
            page=int(number) if number.isascii() and number.isdigit() and 0 < len(number) < 6 else 1,
            lang=query.get("lang"),
        )
        say = Words(language_of(wish.lang, request.headers.get("Accept-Language", "")))
        content = await self._database.read(lambda connection: _content(connection, wish))
        text = await asyncio.to_thread(_page, content, wish, say)
        return web.Response(text=text, content_type="text/html", headers=_HEADERS)


def _content(connection: sqlite3.Connection, wish: _Wish) -> _Content:
    offset = (max(wish.page, 1) - 1) * _ORDERS_A_PAGE
    return _Content(
        payouts=queries.compensations(connection, limit=_LATEST, offset=0, status="paid"),
        notes=queries.notes(connection, limit=_LATEST, offset=0),
        orders=queries.orders(connection, limit=_ORDERS_A_PAGE, offset=offset, text=wish.text),
        paid_refunds=refunds.listed(connection)[:_LATEST],
        leads=listed_leads(connection, limit=_LATEST),
        refunds=channels.refunds(connection, limit=_REFUNDS, text=wish.text),
        channels=channels.channels(connection),
    )


def _page(content: _Content, wish: _Wish, say: Words) -> str:
    other = "en" if say.language == "zh" else "zh"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", say("title")),
        tag("link", rel="stylesheet", href="/static/page.css"),
        tag("script", src="/static/page.js", defer="defer"),
    )
    header = tag(
        "header",
        tag("h1", say("title")),
        tag("span", say("local"), class_="hint"),
        tag("a", say("other_language"), href=wish.address(lang=other), lang=other, data_testid="language"),
    )
    parts = {
        "payouts": (
            _title(say("payouts"), _latest(content.payouts.total, say)),
            payouts_table(content.payouts.rows, wish.show, lambda no: wish.address(show=no), say),
            tag("h3", say("paid_refunds")),
            paid_refunds_table(content.paid_refunds, wish.show, lambda no: wish.address(show=no), say),
        ),
        "notes": (_title(say("notes"), _latest(content.notes.total, say)), notes_table(content.notes.rows, say)),
        "leads": (tag("h2", say("leads")), leads_table(content.leads, say)),
    }
    sections = [tag("div", tag("section", *inside), id=name) for name, inside in parts.items()]
    switches = tag("div", channels_table(content.channels, say), refunds_table(content.refunds, say), id="refunds")
    money = tag("section", tag("h2", say("refunds")), switches)
    orders = tag(
        "section",
        tag("h2", say("orders")),
        _search(wish, say),
        tag("div", orders_table(content.orders.rows, say), _turning(content.orders, wish, say), id="orders"),
    )
    # Each part with an id is replaced on its own by page.js; the search box is in none, so typing is not disturbed.
    body = tag("body", header, tag("main", *sections, money, orders))
    return "<!doctype html>" + tag("html", head, body, lang="zh-CN" if say.language == "zh" else "en")


def _title(text: str, count: str) -> Html:
    return tag("h2", text, " ", tag("span", count, class_="hint"))


def _latest(total: int, say: Words) -> str:
    return say("latest", shown=min(total, _LATEST), total=total)


def _search(wish: _Wish, say: Words) -> Html:
    hidden = [
        tag("input", type="hidden", name=name, value=value)
        for name, value in (("lang", wish.lang), ("show", wish.show))
        if value
    ]
    box = tag(
        "input", type="search", name="q", value=wish.text, placeholder=say("search_hint"),
        aria_label=say("search_hint"), data_testid="search",
    )  # fmt: skip
    clear = [tag("a", say("clear"), href=wish.address(q=None, page=None))] if wish.text else []
    return tag("form", *hidden, box, tag("button", say("search"), type="submit"), *clear, method="get", action="/")


def _turning(orders: queries.Page[Order], wish: _Wish, say: Words) -> Html:
    if not orders.total:
        return join()
    first = (wish.page - 1) * _ORDERS_A_PAGE + 1
    last = first + len(orders.rows) - 1
    parts: list[str] = []
    if wish.page > 1:
        parts.append(tag("a", say("earlier"), href=wish.address(page=wish.page - 1)))
    if orders.rows:
        parts.append(tag("span", say("shown", first=first, last=last, total=orders.total)))
    if last < orders.total and orders.rows:
        parts.append(tag("a", say("later"), href=wish.address(page=wish.page + 1)))
    return tag("nav", *parts)

"""The tables of the page."""

from collections.abc import Callable, Iterable

from deploy.local.backoffice.markup import Html, join, tag
from deploy.local.backoffice.masking import masked
from deploy.local.backoffice.models import ListedCompensation, Note, Order, OrderRefund, Resource
from deploy.local.backoffice.money import canonical
from deploy.local.backoffice.sales import ListedLead
from deploy.local.backoffice.words import Words

Link = Callable[[str | None], str]
"""Gives the address of this page with the account of one payout shown, or (None) with all hidden."""


def payouts_table(payouts: list[ListedCompensation], shown: str | None, link: Link, say: Words) -> Html:
    """The payouts, newest first; the account of payout number `shown` in full, the others masked."""
    columns = ("no", "order", "amount", "type", "paid_from", "reason", "approver", "time")
    rows = (
        tag(
            "tr",
            tag("td", payout.no, class_="code"),
            tag("td", payout.order_id, class_="code"),
            tag("td", f"{canonical(payout.amount)} {payout.currency}", class_="money"),
            tag("td", say(payout.comp_type)),
            tag("td", *(_resource(part, payout.no, shown, link, say) for part in payout.resources)),
            tag("td", payout.reason, class_="text"),
            tag("td", payout.approver),
            tag("td", f"{payout.at:%Y-%m-%d %H:%M:%S}", class_="time"),
            data_testid=f"payout-{payout.no}",
        )
        for payout in payouts
    )
    return _table("payouts-table", columns, rows, "no_payouts", say)


def paid_refunds_table(refunds: list[OrderRefund], shown: str | None, link: Link, say: Words) -> Html:
    """The refunds that were paid, newest first; accounts as in `payouts_table`."""
    columns = ("no", "order", "amount", "paid_from", "reason", "approver")
    rows = (
        tag(
            "tr",
            tag("td", refund.no, class_="code"),
            tag("td", refund.order_id, class_="code"),
            tag("td", f"{canonical(refund.amount)} {refund.currency}", class_="money"),
            tag("td", *(_resource(part, refund.no, shown, link, say) for part in refund.resources)),
            tag("td", refund.reason, class_="text"),
            tag("td", refund.approver),
            data_testid=f"paid-refund-{refund.no}",
        )
        for refund in refunds
    )
    return _table("paid-refunds-table", columns, rows, "no_paid_refunds", say)


def leads_table(leads: list[ListedLead], say: Words) -> Html:
    """The leads with their appointments, newest first; of a phone number the end alone."""
    rows = (
        tag(
            "tr",
            tag("td", lead.lead_id, class_="code"),
            tag("td", lead.contact_name, class_="text"),
            tag("td", masked(lead.contact_phone), class_="code"),
            tag("td", lead.plan_id or "—", class_="code"),
            tag("td", f"{lead.day:%Y-%m-%d}" if lead.day else "—", class_="time"),
            tag("td", f"{lead.at:%Y-%m-%d %H:%M:%S}", class_="time"),
            data_testid=f"lead-{lead.lead_id}",
        )
        for lead in leads
    )
    return _table("leads-table", ("no", "contact", "phone", "plan", "appointment", "time"), rows, "no_leads", say)


def notes_table(notes: list[Note], say: Words) -> Html:
    """The notes, newest first."""
    rows = (
        tag(
            "tr",
            tag("td", note.order_id, class_="code"),
            tag("td", note.text, class_="text"),
            tag("td", f"{note.at:%Y-%m-%d %H:%M:%S}", class_="time"),
            data_testid=f"note-{note.id}",
        )
        for note in notes
    )
    return _table("notes-table", ("order", "note", "time"), rows, "no_notes", say)


def orders_table(orders: list[Order], say: Words) -> Html:
    """The orders, with what stands in the way of a payout marked."""
    columns = ("order", "customer", "product", "amount", "payment", "fraud", "open")
    rows = (
        tag(
            "tr",
            tag("td", order.order_id, class_="code"),
            tag("td", order.customer),
            tag("td", order.product, class_="text"),
            tag("td", f"{canonical(order.amount)} {order.currency}", class_="money"),
            tag("td", _state(order.payment_status, "paid", say)),
            tag("td", _state(order.fraud_status, "pass", say)),
            tag("td", _open(order, say)),
            data_testid=f"order-{order.order_id}",
        )
        for order in orders
    )
    return _table("orders-table", columns, rows, "no_orders", say)


def _table(testid: str, columns: tuple[str, ...], rows: Iterable[Html], none: str, say: Words) -> Html:
    body = list(rows) or [tag("tr", tag("td", say(none), colspan=str(len(columns)), class_="none"))]
    head = tag("tr", *(tag("th", say(column), scope="col", class_=_heading(column)) for column in columns))
    table = tag("table", tag("thead", head), tag("tbody", *body), data_testid=testid)
    return tag("div", table, class_="scroll")


def _heading(column: str) -> str:
    return "money" if column == "amount" else "plain"


def _resource(part: Resource, no: str, shown: str | None, link: Link, say: Words) -> Html:
    line = f"{say(part.kind)} {canonical(part.amount)} {part.currency}"
    if part.account is None:
        return tag("div", line)
    if no == shown:
        account = join(part.account, " ", tag("a", say("hide"), href=link(None)))
    else:
        account = join(masked(part.account), " ", tag("a", say("show"), href=link(no), data_testid=f"show-{no}"))
    return tag("div", line, tag("div", account, class_="account", data_testid=f"account-{no}"))


def _state(status: str, good: str, say: Words) -> Html:
    return tag("span", say(status), class_="state good" if status == good else "state bad")


def _open(order: Order, say: Words) -> str:
    pending = order.open_compensation
    if pending is None:
        return "—"
    return f"{pending.no} · {canonical(pending.amount)} {pending.currency} · {say(pending.status)}"

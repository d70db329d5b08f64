"""The tables of refunds and channels, with their switches."""

from collections.abc import Iterable, Sequence
from typing import get_args

from deploy.local.backoffice.channel_models import Behaviour, ChannelState, ChannelStatus, ListedRefund
from deploy.local.backoffice.markup import Html, join, tag
from deploy.local.backoffice.money import canonical
from deploy.local.backoffice.words import Words

_EITHER = ("true", "false")


def channels_table(channels: Sequence[ChannelState], say: Words) -> Html:
    """Each channel with what it answers, and the buttons that change it."""
    rows = (
        tag(
            "tr",
            tag("td", say(each.channel)),
            tag("td", say(each.behaviour), data_testid=f"behaviour-{each.channel}"),
            tag("td", str(each.working_days)),
            tag("td", _switch(f"channels/{each.channel}", "behaviour", get_args(Behaviour), each.behaviour, say)),
            data_testid=f"channel-{each.channel}",
        )
        for each in channels
    )
    return _table("channels-table", ("channel", "answers", "days", "switch"), rows, say)


def refunds_table(refunds: Sequence[ListedRefund], say: Words) -> Html:
    """Each refund with where it stands, and the buttons that change it."""
    rows = (
        tag(
            "tr",
            tag("td", each.refund_no, class_="code"),
            tag("td", f"{each.order_id} · {each.user_id}", class_="code"),
            tag("td", f"{canonical(each.amount)} {each.currency}", class_="money"),
            tag("td", say(each.channel)),
            tag("td", _state(each, say), data_testid=f"status-{each.refund_no}"),
            tag(
                "td",
                _switch(f"refunds/{each.refund_no}", "status", get_args(ChannelStatus), each.status, say),
                _switch(f"refunds/{each.refund_no}", "arrived", _EITHER, _word(each.arrived_at is not None), say),
                _switch(f"refunds/{each.refund_no}", "complaint", _EITHER, _word(each.complaint), say, "complaint_"),
            ),
            data_testid=f"refund-{each.refund_no}",
        )
        for each in refunds
    )
    return _table("refunds-table", ("no", "order", "amount", "channel", "state", "switch"), rows, say)


def _word(is_so: bool) -> str:
    return "true" if is_so else "false"


def _state(refund: ListedRefund, say: Words) -> str:
    parts = [say(refund.status) if refund.submitted else say("not_submitted")]
    parts += [say("true")] if refund.arrived_at else []
    parts += [say("complaint")] if refund.complaint else []
    parts += [say("retried", count=refund.retries)] if refund.retries else []
    return " · ".join(parts)


def _switch(what: str, name: str, values: Sequence[str], now: str, say: Words, kind: str = "") -> Html:
    """A button for each other value, its words of this `kind`; works without JavaScript."""
    place = what.replace("/", "-")
    buttons = [
        tag("button", say(kind + value), type="submit", name=name, value=value, data_testid=f"{place}-{kind}{value}")
        for value in values
        if value != now
    ]
    return tag("form", join(*buttons), method="post", action=f"/switch/{what}", class_="switch")


def _table(testid: str, columns: tuple[str, ...], rows: Iterable[Html], say: Words) -> Html:
    cells = [tag("th", say(name), scope="col", class_="money" if name == "amount" else "plain") for name in columns]
    table = tag("table", tag("thead", tag("tr", *cells)), tag("tbody", *rows), data_testid=testid)
    return tag("div", table, class_="scroll")

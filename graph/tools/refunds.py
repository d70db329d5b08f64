"""The interfaces of the procedure for a refund that has not arrived."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from graph.errors import ToolUnavailable
from graph.tools.spec import Call, tool
from graph.tools.values import Exact, Money

RefundNo = Annotated[str, Field(pattern=r"^RF\d{12}$")]
"""A refund's number; an order's looks otherwise and is refused."""
Channel = Literal["alipay", "wechat", "bank_card"]

_TIMEOUT, _RETRIES, _PAUSE = 3.0, 2, 1.0  # seconds for one try, tries after the first, seconds between two


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class RefundOrder(_Answer):
    """An order as this procedure needs it. `refund_no` and `refund_amount` are missing unless a refund was asked for, which
    `refunded` says."""

    order_id: str
    user_id: str
    customer: str
    product: str
    amount: Money
    complaint: bool
    refunded: bool
    refund_no: RefundNo | None = None
    refund_amount: Money | None = None


class Refund(_Answer):
    """A refund; `submitted` says that it was handed to its channel."""

    refund_no: RefundNo
    order_id: str
    user_id: str
    amount: Money
    channel: Channel
    submitted: bool


class ChannelStatus(_Answer):
    """What the channel says of a refund."""

    refund_no: RefundNo
    channel: Channel
    status: Literal["processing", "accepted", "success", "failed"]


class Retried(_Answer):
    """A refund that was handed to its channel once more."""

    refund_no: RefundNo
    channel: Channel
    retries: int


class ArrivalNotice(_Answer):
    """The bank's record."""

    refund_no: RefundNo
    arrived: bool
    arrived_at: str | None = None


class SettlementRule(_Answer):
    """Within how many working days the channel's money arrives, and until when this refund's should have."""

    channel: Channel
    working_days: int
    expected_by: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    overdue: bool


class _OrderBody(_Answer):
    order_id: str
    user_id: str
    customer: str
    product: str
    amount: Exact
    currency: str
    complaint: bool
    refund_no: RefundNo | None = None
    refund_amount: Exact | None = None


class _RefundBody(_Answer):
    refund_no: RefundNo
    order_id: str
    user_id: str
    amount: Exact
    currency: str
    channel: Channel
    submitted: bool
    retries: int


@tool(timeout=_TIMEOUT, retries=_RETRIES, pause=_PAUSE)
async def query_order(call: Call, order_id: str) -> RefundOrder:
    """The order with its buyer and its refund's number, or a refusal `not_found`."""
    body = await call.backoffice.get(f"/orders/{quote(order_id, safe='')}/sale", _OrderBody)
    _same(body.order_id, order_id)
    refunded = body.refund_amount
    return RefundOrder(
        order_id=body.order_id,
        user_id=body.user_id,
        customer=body.customer,
        product=body.product,
        amount=Money(amount=body.amount, currency=body.currency),
        complaint=body.complaint,
        refunded=body.refund_no is not None and refunded is not None,
        refund_no=body.refund_no,
        refund_amount=Money(amount=refunded, currency=body.currency) if refunded is not None else None,
    )


@tool(timeout=_TIMEOUT, retries=_RETRIES, pause=_PAUSE)
async def query_refund(call: Call, refund_no: RefundNo) -> Refund:
    """The refund, or a refusal `not_found`."""
    body = await call.backoffice.get(f"/refunds/{refund_no}", _RefundBody)
    _same(body.refund_no, refund_no)
    return Refund(
        refund_no=body.refund_no,
        order_id=body.order_id,
        user_id=body.user_id,
        amount=Money(amount=body.amount, currency=body.currency),
        channel=body.channel,
        submitted=body.submitted,
    )


@tool(timeout=_TIMEOUT, retries=_RETRIES, pause=_PAUSE, breaker="channel")
async def query_channel_refund_status(call: Call, refund_no: RefundNo, channel: Channel) -> ChannelStatus:
    """What the channel says of the refund, or a refusal `not_found`."""
    answer = await call.backoffice.get(f"/channels/{channel}/refunds/{refund_no}", ChannelStatus)
    _same(answer.refund_no, refund_no)
    return answer


@tool(write=True, timeout=_TIMEOUT, retries=_RETRIES, pause=_PAUSE, breaker="channel")
async def retry_refund(call: Call, refund_no: RefundNo, channel: Channel) -> Retried:
    """Hand the refund to its channel once more, once for each key."""
    body = await call.backoffice.post(f"/refunds/{refund_no}/retry", {"channel": channel}, _RefundBody, key=call.key)
    _same(body.refund_no, refund_no)
    return Retried(refund_no=body.refund_no, channel=body.channel, retries=body.retries)


@tool(timeout=_TIMEOUT, retries=_RETRIES, pause=_PAUSE)
async def check_arrival_notice(call: Call, refund_no: RefundNo) -> ArrivalNotice:
    """Whether the bank has the money on record."""
    answer = await call.backoffice.get(f"/refunds/{refund_no}/arrival", ArrivalNotice)
    _same(answer.refund_no, refund_no)
    return answer


@tool(timeout=_TIMEOUT, retries=_RETRIES, pause=_PAUSE)
async def get_settlement_rule(call: Call, channel: Channel, refund_no: RefundNo) -> SettlementRule:
    """Until when the channel's rule lets this refund take: the one source of a time that a customer is told."""
    return await call.backoffice.get(f"/channels/{channel}/settlement-rule/{refund_no}", SettlementRule)


def _same(answered: str, asked: str) -> None:
    """An answer about another one is no answer."""
    if answered != asked:
        raise ToolUnavailable("nonsense", "the answer is about another one than was asked for")

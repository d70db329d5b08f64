"""Refunds over the wire: what is stored of one, what its channel says, when its money should arrive."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from deploy.local.backoffice.money import Money

Channel = Literal["alipay", "wechat", "bank_card"]
ChannelStatus = Literal["processing", "accepted", "success", "failed"]
Behaviour = Literal["as_stored", "processing", "success", "failed", "no_answer", "system_error"]
"""What a channel answers for every refund: what is stored of it, one state for all, nothing at all, or an error."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sale(_Model):
    """An order with its buyer and the refund that was asked for, if any."""

    order_id: str
    user_id: str
    customer: str
    product: str
    amount: Money
    currency: str
    complaint: bool
    refund_no: str | None = None
    refund_amount: Money | None = None


class Refund(_Model):
    """A refund. `submitted` says that it was handed to its channel, `at` when it was asked for (UTC)."""

    refund_no: str
    order_id: str
    user_id: str
    amount: Money
    currency: str
    channel: Channel
    submitted: bool
    retries: int
    at: datetime


class ListedRefund(Refund):
    """A refund with all that can be switched."""

    status: ChannelStatus
    complaint: bool
    arrived_at: datetime | None = None


class ChannelAnswer(_Model):
    """What the channel says of a refund."""

    refund_no: str
    channel: Channel
    status: ChannelStatus


class Arrival(_Model):
    """The bank's record of the money's arrival."""

    refund_no: str
    arrived: bool
    arrived_at: datetime | None = None


class SettlementRule(_Model):
    """Within how many working days a channel's money arrives, and until when this refund's should have."""

    channel: Channel
    working_days: int
    expected_by: date
    overdue: bool


class RetryRequest(_Model):
    """The body of `POST /refunds/{refund_no}/retry`."""

    channel: Channel


class ChannelSwitch(_Model):
    """The body of `POST /channels/{channel}`."""

    behaviour: Behaviour | None = None
    working_days: Annotated[int, Field(ge=0, le=60)] | None = None


class RefundSwitch(_Model):
    """The body of `POST /refunds/{refund_no}`; what is left out stays."""

    status: ChannelStatus | None = None
    submitted: bool | None = None
    arrived: bool | None = None
    complaint: bool | None = None
    at: datetime | None = None


class ChannelState(_Model):
    """How a channel behaves now."""

    channel: Channel
    behaviour: Behaviour
    working_days: int

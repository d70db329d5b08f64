"""What goes over the wire: requests as they must look, answers as they will look."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

from deploy.local.backoffice.money import Money, positive_amount

PaymentStatus = Literal["paid", "unpaid"]
FraudStatus = Literal["pass", "review"]
CompensationType = Literal["cash", "credit"]
CompensationStatus = Literal["pending", "paid"]
ResourceKind = Literal["gateway", "manual_transfer", "credit"]

BAD_AMOUNT = "bad_amount"


def read_amount(value: object) -> Decimal:
    """A payable amount of a body; a decimal string, never a JSON number."""
    if not isinstance(value, str):
        raise PydanticCustomError(BAD_AMOUNT, "amount must be a decimal string, not a JSON number")
    try:
        return positive_amount(value)
    except ValueError as wrong:
        raise PydanticCustomError(BAD_AMOUNT, "{rule}", {"rule": str(wrong)}) from wrong


def _text(longest: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)


class _Model(BaseModel):
    # A validation error may end in a log; what it was about may be an account number.
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class _Request(_Model):
    model_config = ConfigDict(extra="forbid")


class PayRequest(_Request):
    """The body of `POST /compensations`."""

    order_id: Annotated[str, _text(40)]
    amount: Annotated[Money, BeforeValidator(read_amount)]
    currency: Annotated[str, _text(3)]
    comp_type: CompensationType
    reason: Annotated[str, _text(2000)]
    approver: Annotated[str, _text(200)]
    bank_account: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)] | None = None


class RefundRequest(_Request):
    """The body of `POST /orders/{order_id}/refunds`."""

    amount: Annotated[Money, BeforeValidator(read_amount)]
    currency: Annotated[str, _text(3)]
    reason: Annotated[str, _text(2000)]
    approver: Annotated[str, _text(200)]
    bank_account: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)] | None = None


class NoteRequest(_Request):
    """The body of `POST /orders/{order_id}/notes`."""

    text: Annotated[str, _text(8000)]


class OpenCompensation(_Model):
    """A compensation that is not yet paid; while it is open, its order takes no other."""

    no: str
    amount: Money
    currency: str
    status: CompensationStatus


class PaidCompensation(_Model):
    """A compensation of the order that was paid, and when (UTC)."""

    no: str
    amount: Money
    currency: str
    at: datetime


class Order(_Model):
    """An order as the caller sees it. `compensated` is told of a single order, newest first, not in lists."""

    order_id: str
    customer: str
    product: str
    amount: Money
    currency: str
    payment_status: PaymentStatus
    fraud_status: FraudStatus
    open_compensation: OpenCompensation | None = None
    compensated: list[PaidCompensation] | None = None


class Balance(_Model):
    """What the payment gateway can still send back to the card the order was paid with."""

    amount: Money
    currency: str


class CancellationPolicy(_Model):
    """How much of an order comes back when it is cancelled today: all, a share, or nothing."""

    kind: Literal["free", "partial", "none"]
    percent: int


class Payouts(_Model):
    """What an order has had already: its latest compensation, open or paid, and its refund."""

    compensation: OpenCompensation | None = None
    refund: str | None = None


class Resource(_Model):
    """One part of a payout: from where it is paid, and to which account if by hand."""

    kind: ResourceKind
    amount: Money
    currency: str
    account: str | None = None


class Compensation(_Model):
    """A compensation and what it is paid from."""

    no: str
    order_id: str
    amount: Money
    currency: str
    comp_type: CompensationType
    reason: str
    approver: str
    status: CompensationStatus
    resources: list[Resource]


class OrderRefund(_Model):
    """A refund of an order and what it is paid from."""

    no: str
    order_id: str
    amount: Money
    currency: str
    reason: str
    approver: str
    resources: list[Resource]


class ListedCompensation(Compensation):
    """A compensation in a list, with the time it was made (UTC)."""

    at: datetime


class Note(_Model):
    """A note on an order; `at` is UTC."""

    id: str
    order_id: str
    text: str
    at: datetime

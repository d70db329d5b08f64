"""Money at the edges: decimal strings on the wire, whole minor units (cents) in the database."""

import re
from decimal import Decimal
from typing import Annotated

from pydantic import PlainSerializer

_PLAIN = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{1,20})?")
_CENT = Decimal("0.01")
_LARGEST = Decimal(10_000_000)


def canonical(amount: Decimal) -> str:
    """The one spelling of an amount: `320`, `0.50`; never `320.00`, never an exponent."""
    if amount == amount.to_integral_value():
        return str(int(amount))
    return str(amount.quantize(_CENT))


Money = Annotated[Decimal, PlainSerializer(canonical, return_type=str)]
"""A decimal amount, written to JSON as its canonical string."""


def positive_amount(text: str) -> Decimal:
    """Read a payable amount from a decimal string.

    Raises ValueError, with the rule that was broken, if it is not a plain decimal number, not above zero, too
    large, or finer than a cent.
    """
    if not _PLAIN.fullmatch(text):
        raise ValueError('amount must be a plain decimal string such as "320" or "12.50"')
    amount = Decimal(text)
    if amount <= 0:
        raise ValueError("amount must be above zero")
    if amount > _LARGEST:
        raise ValueError(f"amount must not exceed {_LARGEST}")
    if amount != amount.quantize(_CENT):
        raise ValueError("amount must not have more than two decimals")
    return amount


def to_minor(amount: Decimal) -> int:
    """An amount of at most two decimals as whole cents."""
    return int(amount * 100)


def from_minor(cents: int) -> Decimal:
    """Whole cents as an amount."""
    return Decimal(cents) / 100

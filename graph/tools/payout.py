"""Where a payout goes: back through the gateway, by hand to an account, or as credit."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.fields import canonical_money
from graph.model import Fact, Route
from graph.tools.values import Money


class Resource(BaseModel):
    """One part of a payout: back through the gateway, by hand to an account, or as credit."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["gateway", "manual_transfer", "credit"]
    amount: Money
    account: str | None = Field(default=None, json_schema_extra={"sensitive": True})


def split(amount: Fact | None, balance: Fact | None, account: Fact | None) -> list[Route]:
    """Back through the gateway as far as its balance reaches, the rest by hand. Nothing while one of both is not known."""
    if amount is None or amount.currency is None or balance is None or balance.currency != amount.currency:
        return []
    total, currency = amount.decimal(), amount.currency
    back = min(total, balance.decimal())
    routes = [Route(kind="gateway", amount=canonical_money(back), currency=currency)]
    if total > back:
        given = str(account.value) if account is not None else None
        rest = canonical_money(total - back)
        routes.append(Route(kind="manual_transfer", amount=rest, currency=currency, account=given))
    return [route for route in routes if Decimal(route.amount) > 0]


def routes_of(result: Fact) -> list[Route]:
    """Where a payout went, from the `resources` of its result."""
    resources = result.at_path("resources")
    found: list[Route] = []
    for each in resources.value if resources is not None and isinstance(resources.value, list) else []:
        kind, amount, account = each.at_path("kind"), each.at_path("amount"), each.at_path("account")
        if kind is not None and amount is not None:
            part: dict[str, object] = {"kind": kind.value, "amount": amount.value, "currency": amount.currency}
            found.append(Route.model_validate(part | ({"account": account.value} if account else {})))
    return found

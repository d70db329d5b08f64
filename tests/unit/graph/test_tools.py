"""Tools as the engine knows them, and facts on their way into and out of them."""

from __future__ import annotations

from decimal import Decimal
from types import ModuleType

import pytest
from pydantic import BaseModel, Field

from graph.errors import ToolRefused
from graph.model import Fact, Route
from graph.tools.spec import Call, tool, tools_of
from graph.tools.values import Money, fits, to_argument, to_fact
from tests.unit.graph.builders import TOOLS, money, word


class Part(BaseModel):
    """A record with all that a fact can hold."""

    name: str
    count: int
    fine: bool
    price: Money
    account: str | None = Field(default=None, json_schema_extra={"sensitive": True})
    tags: list[str] = []


def test_parameters_and_marks_are_read_from_the_function() -> None:
    """The first parameter is the call itself; what has a default need not be given."""
    pay = TOOLS["apply_compensation"]
    assert [(each.name, each.required) for each in pay.parameters] == [
        ("order_id", True),
        ("amount", True),
        ("comp_type", True),
        ("reason", True),
        ("approver", True),
        ("bank_account", False),
    ]
    assert (pay.write, pay.key, pay.parameter("nothing")) == (True, "honoured", None)
    assert (TOOLS["get_order"].write, TOOLS["add_booking_note"].write) == (False, True)


def test_only_marked_functions_are_tools() -> None:
    """With the limits they were marked with."""
    module = ModuleType("m")

    @tool(key="lookup", timeout=1.5, retries=0)
    async def mine(call: Call, a: str) -> Money:
        """A tool."""
        return Money(amount=Decimal(1), currency="USD")

    vars(module).update(mine=mine, other=len, Money=Money)
    [found] = tools_of([module]).values()
    assert (found.name, found.key, found.timeout, found.retries, found.returns) == ("mine", "lookup", 1.5, 0, Money)


def test_a_result_becomes_facts_of_its_own_types() -> None:
    """Exact amounts, marked accounts; None is left out."""
    part = Part(
        name="a", count=2, fine=True, price=Money(amount=Decimal("1200.5"), currency="USD"), account="6222", tags=["x"]
    )
    fact = to_fact(part, "tool:t", "now")
    assert fact.plain() == {"name": "a", "count": 2, "fine": True, "price": "1200.50", "account": "6222", "tags": ["x"]}
    account = fact.at_path("account")
    assert account is not None and account.sensitive
    assert (fact.by, fact.at) == ("tool:t", "now")
    bare = to_fact(part.model_copy(update={"account": None}), "tool:t", "now")
    assert bare.at_path("account") is None


def test_a_fact_becomes_the_argument_that_the_tool_declares() -> None:
    """Money with its currency, a record as the tool's own model."""
    assert to_argument(money("80"), Money) == Money(amount=Decimal(80), currency="USD")
    assert to_argument(word("x"), str | None) == "x"
    record = to_fact(
        Part(name="a", count=2, fine=True, price=Money(amount=Decimal("0.10"), currency="USD"), tags=["x"]), "t", "n"
    )
    assert to_argument(record, Part) == Part(
        name="a", count=2, fine=True, price=Money(amount=Decimal("0.10"), currency="USD"), tags=["x"]
    )


@pytest.mark.parametrize(
    ("fact", "annotation"),
    [
        (money("80"), str),
        (word("80"), Money),
        (Fact(type="integer", value=80), Money),
        (word("x"), int),
        (Fact(type="list", value=[]), str),
    ],
)
def test_a_fact_that_does_not_fit_is_refused(fact: Fact, annotation: object) -> None:
    """A bare 80 is no money."""
    with pytest.raises(ToolRefused) as error:
        to_argument(fact, annotation)
    assert error.value.code == "bad_argument"


@pytest.mark.parametrize(
    ("kind", "annotation", "fit"),
    [
        ("money", Money, True),
        ("money", Money | None, True),
        ("money", str, False),
        ("text", str, True),
        ("account", str | None, True),
        ("text", Money, False),
        ("code", int, False),
        ("integer", int, True),
        ("integer", str, False),
        ("text", str | int, False),
    ],
)
def test_files_are_checked_against_what_a_tool_takes(kind: str, annotation: object, fit: bool) -> None:
    """So that a wrong argument is found before the first case."""
    assert fits(kind, annotation) is fit


def preview(amount: str, way: str | None = "cash", balance: Fact | None = None, account: str | None = None) -> list[Route]:
    """Where the money of a compensation would go."""
    spec = TOOLS["apply_compensation"].preview
    assert spec is not None
    arguments = {"amount": money(amount)}
    if way is not None:
        arguments["comp_type"] = Fact(type="choice", value=way)
    if account is not None:
        arguments["bank_account"] = Fact(type="account", value=account)
    return spec(arguments, {} if balance is None else {"gateway_balance": balance})


def test_cash_goes_back_as_far_as_the_balance_reaches() -> None:
    """To the cent; the rest by hand."""
    usd = "USD"
    assert preview("80", balance=money("60"), account="6222") == [
        Route(kind="gateway", amount="60", currency=usd),
        Route(kind="manual_transfer", amount="20", currency=usd, account="6222"),
    ]
    assert preview("60.01", balance=money("60")) == [
        Route(kind="gateway", amount="60", currency=usd),
        Route(kind="manual_transfer", amount="0.01", currency=usd),
    ]
    assert preview("60", balance=money("60")) == [Route(kind="gateway", amount="60", currency=usd)]
    assert preview("60", balance=money("0")) == [Route(kind="manual_transfer", amount="60", currency=usd)]
    assert preview("30.50", way="credit") == [Route(kind="credit", amount="30.50", currency=usd)]


def test_no_preview_is_better_than_a_wrong_one() -> None:
    """Without a balance, or with one in another currency, nothing is promised."""
    assert preview("80") == []
    assert preview("80", balance=money("60", "EUR")) == []
    spec = TOOLS["apply_compensation"].preview
    assert spec is not None
    assert spec({}, {}) == []

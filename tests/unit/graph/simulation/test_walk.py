"""Dry runs: reads are called, writes never; what would be asked and who would decide is told, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from graph.errors import SopMistakes, ToolRefused, ToolUnavailable
from graph.model import Fact
from graph.simulation.given import read_given
from graph.simulation.lines import Simulated
from graph.simulation.walk import Walk
from graph.tools.compensation import Order
from graph.tools.values import Money, to_fact
from tests.unit.graph.builders import START, money, shipped

LIBRARY = shipped()
CLAIM = "facts: {order_id: KL-778, amount: 320, reason: guide late, comp_type: cash, bank_account: '622200001234'}\n"
ORDER = Order(
    order_id="KL-778",
    customer="Wang",
    product="day ticket",
    amount=Money(amount=Decimal(320), currency="USD"),
    payment_status="paid",
    fraud_status="pass",
    compensated=[],
)


@dataclass
class Office:
    """Answers reads, and keeps what was called."""

    order: Order = ORDER
    called: list[str] = field(default_factory=list)

    async def read(self, tool: str, arguments: Mapping[str, Fact]) -> Fact:
        """The order, or the balance of the gateway."""
        self.called.append(tool)
        if tool == "get_order":
            return to_fact(self.order, "tool:get_order", "")
        if tool == "get_gateway_balance":
            return money("60")
        raise ToolUnavailable("down")


async def simulated(folder: Path, text: str, office: Office | None = None, sop: str = "compensation") -> Simulated:
    """A dry run of a shipped procedure on a file of facts."""
    file = folder / "facts.yaml"
    file.write_text(text, encoding="utf-8")
    procedure = LIBRARY.sops[sop]
    given = read_given(file, procedure, LIBRARY.words, date(2026, 9, 4))
    return await Walk(procedure, LIBRARY.words, given, (office or Office()).read, START.isoformat()).go()


def steps(found: Simulated) -> list[tuple[str, str]]:
    """Which step did what."""
    return [(line.step, line.what) for line in found.lines]


async def test_reads_are_called_and_writes_only_told(tmp_path: Path) -> None:
    """To the end of the procedure; the money's ways are told, the account is masked."""
    office = Office()
    found = await simulated(tmp_path, CLAIM, office)
    assert office.called == ["get_order", "get_gateway_balance"]
    assert steps(found) == [
        ("load_order", "read"),
        ("eligibility", "passed"),
        ("collect", "asked"),
        ("gateway_balance", "read"),
        ("bank_info", "asked"),
        ("approval", "decides"),
        ("submit", "write"),
        ("note", "write"),
        ("", "done"),
    ]
    submit, note = found.lines[6:8]
    assert submit.routes == ("gateway 60.00 USD", "manual_transfer 260.00 USD")
    assert (submit.arguments["approver"], submit.arguments["bank_account"]) == ("supervisor", "…1234")
    assert note.arguments["compensation"] == "<submit>"
    assert "622200001234" not in found.model_dump_json()


async def test_who_would_decide_with_what_is_at_stake_already(tmp_path: Path) -> None:
    """Alone it is the supervisors'; with earlier cases the manager's; too little for anybody is nobody's."""
    alone = (await simulated(tmp_path, CLAIM)).lines[5]
    assert (alone.level, alone.people, alone.quorum) == ("supervisor", ("U0WANG", "U0KIM"), 1)
    together = (await simulated(tmp_path, CLAIM + "at_stake: '300'\n")).lines[5]
    assert (together.level, together.people, together.beside) == ("manager", ("U0ZHAO",), "300.00 USD → 620.00 USD")
    small = await simulated(tmp_path, CLAIM.replace("320", "30").replace("cash", "credit"))
    assert ("approval", "auto") in steps(small)
    assert ("bank_info", "skip") in steps(small)


async def test_it_ends_where_somebody_would_be_asked(tmp_path: Path) -> None:
    """What the file does not tell is named, and nothing is made up."""
    found = await simulated(tmp_path, "facts: {order_id: KL-778, reason: guide late}\n")
    assert found.ending == "lacking"
    assert found.lines[-1].fields == ("amount", "comp_type")
    assert "金额" in found.told("zh")[-1]
    assert "amount, way" in found.told("en")[-1]


async def test_a_rule_against_it_ends_it_with_its_reason(tmp_path: Path) -> None:
    """As the case would be stopped."""
    unpaid = Office(ORDER.model_copy(update={"payment_status": "unpaid"}))
    found = await simulated(tmp_path, CLAIM, unpaid)
    assert steps(found)[-1] == ("eligibility", "against")
    assert "KL-778 is unpaid" in found.told("en")[-1]


async def test_a_rejection_leads_back_and_forgets(tmp_path: Path) -> None:
    """The facts that are reset are asked for again."""
    found = await simulated(tmp_path, CLAIM + "no: [approval]\n")
    assert steps(found)[-2:] == [("approval", "rejected"), ("collect", "lacking")]
    assert (found.lines[-2].goto, found.lines[-1].fields) == ("collect", ("amount",))


async def test_stubs_answer_and_refuse_instead_of_the_back_office(tmp_path: Path) -> None:
    """Reads and writes alike; a refusal leads where `on_error` says."""
    text = (
        "facts: {booking_id: HB-201, check_in: 2031-03-05, nights: 3, room_type: standard}\n"
        "stubs:\n"
        "  get_hotel_booking: {booking_id: HB-201, hotel: Inn, status: confirmed, changes: allowed,"
        " check_in: '2031-03-01', nights: 3, room: deluxe, price: {amount: '420', currency: USD}}\n"
        "  quote_hotel_change: {refused: no_room}\n"
    )
    office = Office()
    found = await simulated(tmp_path, text, office, "hotel_change")
    assert office.called == []
    assert ("quote", "refused") in steps(found)
    assert steps(found)[-1] == ("stay", "lacking")


async def test_a_back_office_that_refuses_or_is_silent_ends_it(tmp_path: Path) -> None:
    """Without `on_error`: refused as the case would be stopped, silent as it would be held."""

    class Refusing(Office):
        async def read(self, tool: str, arguments: Mapping[str, Fact]) -> Fact:
            raise ToolRefused("not_found")

    assert (await simulated(tmp_path, CLAIM, Refusing())).ending == "against"
    assert (await simulated(tmp_path, "facts: {booking_id: HB-201}\n", sop="hotel_change")).ending == "down"


async def test_every_shipped_procedure_can_be_tried(tmp_path: Path) -> None:
    """With no fact at all each ends in a line of its own, told in both languages."""
    for name in LIBRARY.sops:
        found = await simulated(tmp_path, "facts: {}\n", sop=name)
        assert found.ending in ("lacking", "down", "picks", "drill")
        assert len(found.told("zh")) == len(found.told("en")) == len(found.lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("facts: {amout: 3}", "allowed: amount"),
        ("facts: {amount: many}", "facts.amount"),
        ("stubs: {get_ordr: {}}", "allowed: add_booking_note"),
        ("stubs: {get_gateway_balance: {amount: '6'}}", "currency"),
        ("no: [approve]", "no[0]"),
        ("fact: {}", "fact"),
    ],
)
async def test_what_is_wrong_with_the_file_is_named(text: str, said: str, tmp_path: Path) -> None:
    """With its place, and what is allowed."""
    with pytest.raises(SopMistakes) as wrong:
        await simulated(tmp_path, text)
    assert said in str(wrong.value)
    assert "facts.yaml:1" in str(wrong.value)

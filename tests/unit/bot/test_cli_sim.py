"""`sopdesk sim`: a dry run on the command line."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import Settings
from bot.wiring.simulating import simulate
from deploy.local.backoffice import BackOffice

FACTS = "facts: {booking_id: HB-201, check_in: 2031-03-05, nights: 3, room_type: standard}\n"


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[BackOffice]:
    """A fresh back office."""
    running = BackOffice(tmp_path / "office.sqlite", faults=True)
    await running.start()
    yield running
    await running.stop()


async def test_reads_go_to_the_back_office_and_nothing_is_written(office: BackOffice, tmp_path: Path) -> None:
    """Every request is a GET, and the procedure is through."""
    (tmp_path / "facts.yaml").write_text(FACTS, encoding="utf-8")
    found = await simulate("hotel_change", tmp_path / "facts.yaml", Settings(_env_file=None, backoffice_url=office.url))
    assert found.ending == "done"
    assert {call.method for call in office.calls} == {"GET"}
    assert [line.tool for line in found.lines if line.what == "write"] == ["change_hotel_booking", "add_hotel_note"]


def test_it_prints_words_or_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the language asked for; the status is 1 where it could not go to the end. Without a back office: held."""
    facts = tmp_path / "facts.yaml"
    facts.write_text(FACTS, encoding="utf-8")
    assert main(["sim", "hotel_change", "--facts", str(facts), "--lang", "en"]) == 1
    assert "load_booking: Booking lookup gives no answer" in capsys.readouterr().out
    assert main(["sim", "hotel_change", "--facts", str(facts), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ending"] == "down"
    assert main(["sim", "hotels", "--facts", str(facts)]) == 1
    assert "there are: bandwidth_sales" in capsys.readouterr().err

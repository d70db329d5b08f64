"""Sensitive values: whole in the call that needs them and on the local command line, nowhere else."""

from __future__ import annotations

import logging
import re

import pytest

from deploy.local.backoffice import Fault
from tests.unit.graph.builders import T1, T4, Desk, view

#: Digits, bank and holder; only the last four digits are ever shown.
SECRET = "招商银行 6225 8801 3377 4621，户名赵小满"
PARTS = re.compile(r"(?<![0-9a-f])(?:6225|8801|3377)(?![0-9a-f])|62258801|88013377|赵小满|招商银行")
"""Four digits stand by chance in a digest or an id."""


def clean(text: str) -> None:
    """Nothing of the account stands in it."""
    assert PARTS.findall(text) == []


async def test_an_account_is_in_no_view_trail_audit_or_log(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """At no stage: asked, answered in words or by form, waiting, rejected, corrected, paid."""
    caplog.set_level(logging.INFO)
    for room in ("graph", "bot", "langgraph", "langchain"):
        caplog.set_level(logging.DEBUG, room)
    outcomes = [await desk.say(T1), await desk.say(SECRET)]
    outcomes.append(await desk.decide(outcomes[-1], "reject", reason="账户再核对一下"))
    outcomes.append(await desk.say("80 美元"))
    form = desk.event("answer", request=view(outcomes[-1]).waiting, values={"bank_account": SECRET})
    outcomes.append(await desk.advance(form))
    outcomes.append(await desk.advance(desk.event("correct", values={"bank_account": SECRET.replace("4621", "4622")})))
    outcomes.append(await desk.decide(outcomes[-1]))
    assert view(outcomes[-1]).status == "done"
    [payout] = await desk.payouts()
    assert SECRET.replace("4621", "4622") in str(payout["resources"])
    for outcome in outcomes:
        clean(outcome.model_dump_json())
    found = await desk.runner.find(desk.thread)
    assert found is not None
    clean(found.model_dump_json())
    assert "4622" in found.model_dump_json()
    clean(str(await desk.audit.of(found.case)))
    clean(caplog.text)
    assert (await desk.runner.facts(found.case))["bank_account"] == SECRET.replace("4621", "4622")


async def test_an_account_in_the_opening_sentence_is_not_on_the_approvers_card(desk: Desk) -> None:
    """Said too early, or in passing: the card quotes the sentence without it."""
    outcome = await desk.say("给 KL-502 补 300 美元现金，客人包车迟到两小时，账号 6225 8801 3377 4621")
    assert "6225 8801" not in outcome.model_dump_json()


async def test_errors_say_nothing_of_what_was_sent(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """A back office that fails in the middle of a payment."""
    caplog.set_level(logging.INFO)
    await desk.say(T1)
    waiting = await desk.say(SECRET)
    desk.backoffice.faults.add(Fault(mode="wrong_types", method="POST", times=None))
    held = await desk.decide(waiting)
    clean(held.model_dump_json())
    clean(caplog.text)


async def test_audit_lines_hold_no_customer_data(desk: Desk) -> None:
    """Long numbers are masked in a reason, too."""
    waiting = await desk.say(T4)
    await desk.decide(waiting, "reject", reason="客人电话 13800138000")
    lines = [each.line for each in await desk.audit.of(view(waiting).case)]
    [line] = [each for each in lines if each.what == "reject"]
    assert line.reason == "客人电话 …8000"
    assert "13800138000" not in str(lines)

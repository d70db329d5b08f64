"""Procedures: what a file may say, and how each mistake in it is named."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from graph.errors import SopMistakes
from graph.library import open_library
from graph.model import Text
from graph.sop import Sop, Vocabulary, digest_of, parse_sop, reopen
from graph.sources import load
from graph.tools import compensation
from graph.tools.spec import tools_of
from tests.unit.graph.builders import RULES, SHIPPED, TOOLS, shipped, write_library

FIELDS = shipped().words.fields
GOOD = """\
name: pay
title: {zh: 付, en: pay}
description: Pays.
fields: [order_id, amount, reason]
steps:
  - id: load_order
    kind: call
    tool: get_order
    args: {order_id: order_id}
    save_as: order
    on_error: {not_found: {goto: load_order, reset: [order_id]}, default: {goto: collect}}
  - id: judge
    kind: check
    rules: [order_paid]
    on_fail: {order_paid: {goto: load_order, reset: [order_id]}}
  - id: collect
    kind: ask
    fields: [amount, reason, comp_type]
    prompt: Amount, reason, way
  - id: sure
    kind: confirm
    fields: [amount, comp_type]
    on_no: {goto: collect, reset: [amount]}
  - id: approval
    kind: approve
    tiers:
      - {max: 50, level: auto}
      - {max: '500.50', level: supervisor}
      - {level: director}
    on_reject: {supervisor: {goto: collect, reset: [amount]}, default: {goto: sure}}
    on_approve: {goto: submit}
  - id: submit
    kind: call
    when: amount > 0
    why: because it is due
    tool: apply_compensation
    args: {order_id: order_id, amount: amount, comp_type: comp_type, reason: "'goodwill'", approver: approver}
    save_as: paid
    repeat: true
exclusive: order_id
"""


WORDS = dataclasses.replace(
    shipped().words,
    fields={name: FIELDS[name] for name in ("order_id", "amount", "reason", "comp_type", "bank_account")},
    tools=tools_of([compensation]),
    rules={name: RULES[name] for name in ("order_paid", "not_in_fraud_review", "no_open_compensation")},
)
"""A vocabulary of its own, so that what is allowed stays the same however many procedures are shipped."""


def parsed(text: str) -> tuple[Sop | None, list[str]]:
    """The procedure of `text`, and what is wrong with it."""
    source = load("pay.yaml", text)
    return parse_sop(source, WORDS), source.mistakes


def broken(old: str, new: str) -> list[str]:
    """The mistakes once `old` has become `new`."""
    assert GOOD.count(old) >= 1, old
    sop, mistakes = parsed(GOOD.replace(old, new, 1))
    assert sop is None
    return mistakes


def test_every_key_of_the_language_loads() -> None:
    """A file with all kinds, short and long forms, is right as it stands."""
    sop, mistakes = parsed(GOOD)
    assert mistakes == []
    assert sop is not None
    assert [step.id for step in sop.steps] == ["load_order", "judge", "collect", "sure", "approval", "submit"]
    assert sop.description == Text(zh="Pays.", en="Pays.")
    assert sop.exclusive == "order_id"


def test_the_seeds_procedure_loads_as_it_stands() -> None:
    """Eight steps of the compensation procedure, in order."""
    sop = shipped().sops["compensation"]
    assert [(step.id, step.kind) for step in sop.steps] == [
        ("load_order", "call"),
        ("eligibility", "check"),
        ("collect", "ask"),
        ("gateway_balance", "call"),
        ("bank_info", "ask"),
        ("approval", "approve"),
        ("submit", "call"),
        ("note", "call"),
    ]
    assert sop.fields == ("order_id", "amount", "reason", "comp_type")


MISTAKES = [
    (
        "exclusive: order_id",
        "exclusive: order",
        "pay.yaml:40: exclusive: 'order' is no field of this procedure; allowed: amount, comp_type, order_id, reason",
    ),
    (
        "exclusive: order_id",
        "exclusive: amount",
        (
            "pay.yaml:40: exclusive: a money does not tell one case from another; allowed: fields of type code, account, "
            "phone, integer"
        ),
    ),
    (
        "kind: check",
        "kind: chek",
        ("pay.yaml:13: steps[1].kind: 'chek' is not allowed; allowed: 'call', 'check', 'ask', 'confirm', 'approve', "
        "'choose', 'wait', 'offer', 'drill'"),
    ),
    ("    kind: check\n", "", "pay.yaml:12: steps[1].kind: this key is missing"),
    ("id: judge", "idd: judge", "pay.yaml:12: steps[1].id: this key is missing"),
    ("id: judge", "idd: judge", "pay.yaml:12: steps[1].idd: this key is not known here"),
    ("name: pay\n", "", "pay.yaml:1: name: this key is missing"),
    ("name: pay", "name: Pay Out", "pay.yaml:1: name: String should match pattern '^[a-z][a-z0-9_]{0,39}$'"),
    ("id: judge", "id: Judge!", "pay.yaml:12: steps[1].id: String should match pattern '^[a-z][a-z0-9_]{0,39}$'"),
    ("id: judge", "id: load_order", "pay.yaml:12: steps[1].id: 'load_order' is the id of steps[0] already; ids differ"),
    ("name: pay\n", "name: pay\nname: pay\n", "pay.yaml:2: name: the key stands twice; keep one"),
    ("title: {zh: 付, en: pay}", "title: {zh: 付}", "pay.yaml:2: title.en: this key is missing"),
    ("title: {zh: 付, en: pay}", "title: {zh: 付, en: pay, fr: payer}", "pay.yaml:2: title.fr: this key is not known here"),
    ("title: {zh: 付, en: pay}", "title: [a]", "pay.yaml:2: title: a map of keys is wanted here"),
    (
        "fields: [order_id,",
        "fields: [order, order_id,",
        "pay.yaml:4: fields[0]: 'order' is no field; allowed: amount, ",
    ),
    ("fields: [order_id, amount, reason]", "fields: order_id", "pay.yaml:4: fields: a list is wanted here"),
    (
        "tool: get_order",
        "tool: get_ordre",
        "pay.yaml:8: steps[0].tool: 'get_ordre' is no tool; allowed: add_booking_note, apply_compensation, ",
    ),
    (
        "args: {order_id: order_id}",
        "args: {orderid: order_id, order_id: order_id}",
        "pay.yaml:9: steps[0].args.orderid: get_order has no argument 'orderid'; allowed: order_id",
    ),
    ("args: {order_id: order_id}", "args: {}", "pay.yaml:9: steps[0].args: get_order needs the argument 'order_id'"),
    (
        "args: {order_id: order_id}",
        "args: {order_id: ordr}",
        (
            "pay.yaml:9: steps[0].args.order_id: 'ordr' is no fact of this procedure; allowed: amount, "
            "approved_by, approver, comp_type, order, order_id, paid, reason"
        ),
    ),
    (
        "args: {order_id: order_id}",
        "args: {order_id: amount}",
        ("pay.yaml:9: steps[0].args.order_id: the field 'amount' is of type money, which this argument cannot take"),
    ),
    ("amount: amount,", "amount: 80,", "pay.yaml:37: steps[5].args.amount: 80 is not what this argument can take"),
    (
        "args: {order_id: order_id}",
        "args: {order_id: open()}",
        (
            "pay.yaml:9: steps[0].args.order_id: 'open()' is not allowed in 'open()'; allowed: names, "
            "dotted names, strings, numbers, == != < <= > >= in, and or not, ( )"
        ),
    ),
    (
        "args: {order_id: order_id}",
        "args: {order_id: [a]}",
        "pay.yaml:9: steps[0].args.order_id: an argument is a fact's name, a dotted path or a literal",
    ),
    ("args: {order_id: order_id}", "args: [order_id]", "pay.yaml:9: steps[0].args: a map of keys is wanted here"),
    (
        "save_as: order\n",
        "save_as: amount\n",
        "pay.yaml:10: steps[0].save_as: 'amount' is a field; a result has a name of its own",
    ),
    (
        "save_as: order\n",
        "save_as: approver\n",
        "pay.yaml:10: steps[0].save_as: 'approver' is taken: the level that approved",
    ),
    (
        "save_as: order\n",
        "save_as: __order\n",
        ("pay.yaml:10: steps[0].save_as: a name is of small letters, digits and _, 40 at most, and begins with a letter"),
    ),
    ("save_as: order\n", "save_as: lc\n", "pay.yaml:10: steps[0].save_as: 'lc' is taken: the checkpoint saver's own"),
    (
        "rules: [order_paid]",
        "rules: [order_payd]",
        "pay.yaml:14: steps[1].rules[0]: 'order_payd' is no rule; allowed: no_open_compensation, not_",
    ),
    (
        "rules: [order_paid]",
        "rules: []",
        "pay.yaml:14: steps[1].rules: Tuple should have at least 1 item after validation, not 0",
    ),
    (
        "save_as: order\n",
        "save_as: ordre\n",
        (
            "pay.yaml:14: steps[1].rules[0]: order_paid looks at 'order', which is no fact of this "
            "procedure; allowed: amount, approved_by, approver, comp_type, order_id, ordre, paid, "
            "reason"
        ),
    ),
    (
        "{order_paid: {goto: load_order,",
        "{paid: {goto: load_order,",
        "pay.yaml:15: steps[1].on_fail.paid: 'paid' is no rule of this step; allowed: default, order_paid",
    ),
    (
        "default: {goto: collect}",
        "default: {goto: colect}",
        (
            "pay.yaml:11: steps[0].on_error.default.goto: 'colect' is no step; allowed: approval, collect, "
            "judge, load_order, submit, sure"
        ),
    ),
    (
        "default: {goto: collect}",
        "default: {go: collect}",
        "pay.yaml:11: steps[0].on_error.default.goto: this key is missing",
    ),
    (
        "on_no: {goto: collect, reset: [amount]}",
        "on_no: {goto: collect, reset: [amuont]}",
        (
            "pay.yaml:23: steps[3].on_no.reset: 'amuont' is no fact of this procedure; allowed: "
            "amount, approved_by, approver, comp_type, order, order_id, paid, reason"
        ),
    ),
    ("    on_no: {goto: collect, reset: [amount]}\n", "", "pay.yaml:20: steps[3].on_no: this key is missing"),
    (
        "fields: [amount, reason, comp_type]",
        "fields: [amount, reason, way, comp_type]",
        "pay.yaml:18: steps[2].fields[2]: 'way' is no field; allowed: amount, ",
    ),
    ("    prompt: Amount, reason, way\n", "", "pay.yaml:16: steps[2].prompt: this key is missing"),
    ("max: 50,", "max: 600,", "pay.yaml:28: steps[4].tiers[1].max: tiers rise: 500.50 is not above 600"),
    ("max: 50,", "max: fifty,", "pay.yaml:27: steps[4].tiers[0].max: Input should be a valid decimal"),
    ("max: 50,", "max: .inf,", "pay.yaml:27: steps[4].tiers[0].max: Input should be a valid decimal"),
    ("max: 50,", "max: 0500.60,", "pay.yaml:28: steps[4].tiers[1].max: tiers rise: 500.50 is not above 500.60"),
    (
        "{max: 50, level: auto}",
        "{level: auto}",
        ("pay.yaml:28: steps[4].tiers[1]: the tier before has no max and takes every amount; this one is never reached"),
    ),
    (
        "      - {level: director}\n",
        "",
        "pay.yaml:26: steps[4].tiers: amounts above 500.50 have no tier; end with one that has no max",
    ),
    (
        "level: director",
        "level: boss",
        ("pay.yaml:29: steps[4].tiers[2].level: 'boss' is no level; allowed: auto, director, manager, review, supervisor"),
    ),
    (
        "level: supervisor}",
        "level: supervisor, remind_after: soon}",
        (
            "pay.yaml:28: steps[4].tiers[1].remind_after: 'soon' is no stretch of time; "
            "write minutes, hours or days, such as 30m, 2h, 3d"
        ),
    ),
    (
        "level: supervisor}",
        "level: supervisor, remind_after: 2h, expire_after: 90m}",
        "pay.yaml:28: steps[4].tiers[1].expire_after: it must be longer than remind_after",
    ),
    (
        "level: auto}",
        "level: auto, remind_after: 2h}",
        "pay.yaml:27: steps[4].tiers[0].remind_after: 'auto' waits for nobody, so it has no clocks",
    ),
    (
        "level: director}",
        "level: director, escalate_after: 2h}",
        "pay.yaml:29: steps[4].tiers[2].escalate_after: no level is above 'director'; leave it out",
    ),
    (
        "    on_approve: {goto: submit}\n",
        "    on_approve: {goto: submit}\n    on_expire: pay\n",
        "pay.yaml:32: steps[4].on_expire: not allowed; allowed: 'ask' or 'stop'",
    ),
    (
        "    on_approve: {goto: submit}\n",
        "    on_approve: {goto: submit}\n    on_expire: {goto: nowhere}\n",
        (
            "pay.yaml:32: steps[4].on_expire.goto: 'nowhere' is no step; "
            "allowed: approval, collect, judge, load_order, submit, sure"
        ),
    ),
    (
        "{supervisor: {goto: collect,",
        "{manager: {goto: collect,",
        (
            "pay.yaml:30: steps[4].on_reject.manager: 'manager' is no level of this step; allowed: "
            "auto, default, director, supervisor"
        ),
    ),
    (
        "    kind: approve\n",
        "    kind: approve\n    amount: sum\n",
        (
            "pay.yaml:26: steps[4].amount: 'sum' is no fact of this procedure; allowed: amount, "
            "approved_by, approver, comp_type, order, order_id, paid, reason"
        ),
    ),
    (
        "when: amount > 0",
        "when: amount + 1",
        (
            "pay.yaml:34: steps[5].when: 'amount + 1' is not allowed in 'amount + 1'; allowed: names, "
            "dotted names, strings, numbers, == != < <= > >= in, and or not, ( )"
        ),
    ),
    (
        "when: amount > 0",
        "when: amonut > 0",
        (
            "pay.yaml:34: steps[5].when: 'amonut' is no fact of this procedure; allowed: amount, "
            "approved_by, approver, comp_type, order, order_id, paid, reason"
        ),
    ),
    ("when: amount > 0", "when: [amount]", "pay.yaml:34: steps[5].when: a condition is written as text"),
    (
        "repeat: true",
        "repeat: perhaps",
        "pay.yaml:39: steps[5].repeat: Input should be a valid boolean, unable to interpret input",
    ),
    ("repeat: true", "no: true", "pay.yaml:39: steps[5].no: this key is not known here"),
    ("steps:\n", "steps: []\nrest:\n", "pay.yaml:5: steps: Tuple should have at least 1 item after validation, not 0"),
    ("steps:\n", "stepps:\n", "pay.yaml:1: steps: this key is missing"),
]


@pytest.mark.parametrize(("old", "new", "mistake"), MISTAKES, ids=[f"{new.strip()[:30]}" for _, new, _ in MISTAKES])
def test_a_mistake_is_named_with_file_line_key_and_what_was_allowed(old: str, new: str, mistake: str) -> None:
    """Whatever is wrong, its author is told where, what, and what would have been right."""
    found = broken(old, new)
    # A list of what is allowed grows with the vocabulary; how it begins is enough.
    assert mistake in found or any(mistake.endswith((", ", "_")) and each.startswith(mistake) for each in found)


def test_a_file_that_is_a_list_is_refused() -> None:
    """A procedure is a map."""
    assert parsed("- id: a\n") == (None, ["pay.yaml:1: a map of keys is wanted here"])


def test_several_mistakes_come_at_once() -> None:
    """One pass finds all."""
    sop, mistakes = parsed(
        GOOD.replace("tool: get_order", "tool: x").replace("[order_paid]", "[y]").replace("level: director", "level: z")
    )
    assert sop is None
    assert {mistake.split(":")[2].strip() for mistake in mistakes} == {
        "steps[0].tool",
        "steps[1].rules[0]",
        "steps[1].on_fail.order_paid",
        "steps[4].tiers[2].level",
    }


def test_what_a_decision_hangs_on_are_the_facts_up_to_the_next_pause() -> None:
    "Beside the amount: all that the writes after the approval read, without what they make themselves."
    sop = shipped().sops["compensation"]
    assert sop.ahead("approval") == ("order_id", "amount", "comp_type", "reason", "bank_account")
    assert set(sop.reads("approval")) == {"amount", "order_id", "comp_type", "reason", "bank_account"}
    assert sop.ahead("collect") == ("order_id",)


def test_a_check_looks_at_what_its_rules_look_at() -> None:
    """So that it is carried out again when that changes."""
    assert shipped().sops["compensation"].reads("eligibility") == ("order",)


def test_steps_are_found_by_id_and_order() -> None:
    """The following step, the rest, and none for an unknown id."""
    sop = shipped().sops["compensation"]
    assert (sop.after("submit"), sop.after("note")) == ("note", None)
    assert [step.id for step in sop.from_("submit")] == ["submit", "note"]
    with pytest.raises(KeyError):
        sop.step("nothing")


def test_a_kept_text_opens_again_only_while_its_words_exist() -> None:
    """A run that keeps a tool which is gone cannot go on."""
    words = shipped().words
    sop = shipped().sops["compensation"]
    again = reopen(sop.name, sop.text, words)
    assert again is not None
    assert again.digest == sop.digest == digest_of(sop.text)
    assert [step.id for step in again.steps] == [step.id for step in sop.steps]
    poorer = Vocabulary(fields=words.fields, tools={}, rules=words.rules, authority=words.authority)
    assert reopen(sop.name, sop.text, poorer) is None


def test_a_title_that_the_catalogue_lacks_is_the_noun() -> None:
    """Headlines call a new procedure by its title, in the language that has one."""
    sop, _ = parsed(GOOD.replace("title: {zh: 付, en: pay}", "title: 退款"))
    assert sop is not None
    assert sop.noun == Text(zh="退款", en="pay")


def test_all_mistakes_of_all_files_are_raised_together(tmp_path: Path) -> None:
    """Fields, approvals and procedures are checked in one go."""
    write_library(tmp_path, pay=GOOD.replace("tool: get_order", "tool: x"), other="name: [\n")
    (tmp_path / "fields.yaml").write_text(
        (SHIPPED / "fields.yaml").read_text(encoding="utf-8") + "\nbad: {type: colour, label: x}\n", encoding="utf-8"
    )
    (tmp_path / "approvals.yaml").write_text("levels: {supervisor: {rank: high, channel: c}}\n", encoding="utf-8")
    with pytest.raises(SopMistakes) as error:
        open_library(tmp_path, TOOLS, RULES)
    assert {Path(mistake.split(":")[0]).name for mistake in error.value.mistakes} == {
        "fields.yaml",
        "approvals.yaml",
        "pay.yaml",
        "other.yaml",
    }

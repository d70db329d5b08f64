"""Conditions: what may be written, what it means, and that nothing is taken for false that is only unknown."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.errors import ExpressionError, IncomparableFacts, MissingFact
from graph.model import Fact
from graph.when import compile_condition, compile_value
from tests.unit.graph.builders import money, word

FACTS = {
    "comp_type": Fact(type="choice", value="cash"),
    "amount": money("80"),
    "gateway_balance": money("60"),
    "euros": money("60", "EUR"),
    "count": Fact(type="integer", value=3),
    "share": Fact(type="percent", value="15"),
    "vip": Fact(type="boolean", value=True),
    "day": Fact(type="date", value="2026-09-04"),
    "unset": word("x").model_copy(update={"value": None}),
    "order": Fact(
        type="record",
        value={"customer": word("王女士"), "amount": money("320"), "inner": Fact(type="record", value={"n": money("1")})},
    ),
    "tags": Fact(type="list", value=[word("a")]),
}

TRUE = [
    "comp_type == 'cash'",
    'comp_type == "cash"',
    "comp_type != 'credit'",
    "comp_type in ['cash', 'credit']",
    "comp_type in ('cash', 'credit')",
    "comp_type not in ['credit']",
    "'cash' == comp_type",
    "amount > gateway_balance",
    "amount >= 80",
    "amount == 80.00",
    "amount <= 80.0",
    "not amount < 80",
    "gateway_balance < amount",
    "60 < amount < 100",
    "amount > -1",
    "count == 3",
    "share >= 15",
    "vip",
    "vip == true",
    "vip != false",
    "true",
    "True",
    "not false",
    "order.amount > amount",
    "order.customer == '王女士'",
    "order.inner.n == 1",
    "day < '2026-10-01'",
    "day == '2026-09-04'",
    "comp_type == 'cash' and amount > gateway_balance",
    "comp_type == 'credit' or (amount > 50 and not comp_type == 'credit')",
    "  amount > 50  ",
]
FALSE = [
    "comp_type == 'CASH'",
    "comp_type == ''",
    "amount > 80",
    "amount == 80.01",
    "amount < gateway_balance",
    "100 < amount < 200",
    "order.amount < amount",
    "false",
    "day > '2026-10-01'",
    "amount in [80.01, 79.99]",
]


@pytest.mark.parametrize("source", TRUE)
def test_a_true_condition_holds(source: str) -> None:
    """Every allowed form is understood as it is written."""
    assert compile_condition(source).holds(FACTS) is True


@pytest.mark.parametrize("source", FALSE)
def test_a_false_condition_does_not_hold(source: str) -> None:
    """A condition that is not met is false, and no error."""
    assert compile_condition(source).holds(FACTS) is False


REFUSED = {
    "call": "open('x')",
    "call of a fact": "amount(1) > 2",
    "method": "comp_type.lower() == 'cash'",
    "method of a literal": "'a'.join == 'b'",
    "lambda": "lambda: true",
    "subscript": "order['amount'] > 1",
    "slice": "comp_type[0:1] == 'c'",
    "f-string": "f'{amount}' == 'x'",
    "walrus": "(amount := 5) > 1",
    "list comprehension": "amount in [x for x in tags]",
    "generator": "amount in (x for x in tags)",
    "dict": "amount in {'a': 1}",
    "set": "amount in {1, 2}",
    "is": "amount is true",
    "is not": "amount is not true",
    "plus": "amount + 1 > 2",
    "minus": "amount - 1 > 2",
    "times": "amount * 2 > 2",
    "power": "2 ** 9 > amount",
    "modulo": "amount % 2 == 0",
    "bit and": "amount & 1",
    "bit or": "vip | true",
    "bit xor": "vip ^ true",
    "invert": "~count == 1",
    "unary plus": "+amount > 1",
    "minus a fact": "-amount < 1",
    "minus a boolean": "-True < 1",
    "shift": "1 << 2 > amount",
    "ternary": "true if vip else false",
    "await": "await amount",
    "yield": "(yield amount)",
    "star": "amount in [*tags]",
    "none": "amount == None",
    "ellipsis": "amount == ...",
    "complex": "amount > 1j",
    "bytes": "comp_type == b'cash'",
    "tuple": "(vip, vip)",
    "list": "[vip]",
    "bare number": "5",
    "bare string": "'cash'",
    "bare negative": "-5",
    "list outside in": "amount == [1]",
    "fact in a list": "amount in [gateway_balance]",
    "in without a list": "comp_type in 'cash'",
    "in a fact": "comp_type in tags",
    "dunder": "__import__ == 'os'",
    "dunder attribute": "order.__class__ == 'x'",
    "dunder inside": "order.__dict__.amount > 1",
    "attribute of a literal": "true.real == 1",
    "attribute of a number": "(1).real == 1",
    "nothing": "",
    "blank": "   ",
    "statement": "import os",
    "assignment": "amount = 5",
    "two lines": "vip\nvip",
    "unclosed": "amount > (",
    "unclosed string": "comp_type == 'cash",
    "null sign": "vip\x00",
    "bang": "!vip",
    "&&": "vip && vip",
    "too many digits": "amount > 100000000000000000.01",
    "endless number": "amount > 1e999",
    "too long": "vip and " * 80 + "vip",
    "too deep": "(" * 240 + "vip" + ")" * 240,
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED.keys())
def test_whatever_is_not_listed_is_refused(source: str) -> None:
    """Calls, arithmetic, Python's own names and all else are refused when the file is read."""
    with pytest.raises(ExpressionError):
        compile_condition(source)


def test_a_refusal_names_the_piece_and_what_is_allowed() -> None:
    """The author reads what was wrong and what may be written."""
    with pytest.raises(ExpressionError, match=r"\"open\('x'\)\" is not allowed in .*; allowed: names, dotted names"):
        compile_condition("amount > 5 and open('x')")


@pytest.mark.parametrize(
    "source", ["amount > '60'", "'100' > '60'", "'100' > amount", "comp_type > 'a'", "amount == '80'", "count == 'three'"]
)
def test_words_are_never_compared_as_numbers(source: str) -> None:
    """'100' > '60' as strings would pay wrongly: it has no answer."""
    with pytest.raises(IncomparableFacts):
        compile_condition(source).holds(FACTS)


@pytest.mark.parametrize(
    "source",
    [
        "amount > euros",
        "amount == euros",
        "amount != euros",
        "amount > count",
        "amount > share",
        "share > count",
        "vip == 'true'",
        "vip == 1",
        "vip > 1",
        "order == 'x'",
        "tags == 'a'",
        "amount in ['80']",
        "comp_type",
        "amount",
        "order",
        "not comp_type",
        "day > 'tomorrow'",
        "day > 5",
        "'2026-01-01' < '2026-01-02'",
        "comp_type in ['cash'] in ['x']",
    ],
)
def test_facts_of_different_kinds_have_no_answer(source: str) -> None:
    """Other currencies and other types stop the case instead of counting as false."""
    with pytest.raises(IncomparableFacts):
        compile_condition(source).holds(FACTS)


@pytest.mark.parametrize(
    "source",
    [
        "nowhere == 'a'",
        "nowhere != 'a'",
        "not nowhere == 'a'",
        "nowhere in ['a']",
        "nowhere not in ['a']",
        "nowhere",
        "not nowhere",
        "amount > nowhere",
        "nowhere > 5",
        "unset == 'x'",
        "order.nothing == 'x'",
        "order.customer.name == 'x'",
        "order.inner.m > 1",
        "comp_type == 'cash' and nowhere == 'a'",
        "comp_type == 'credit' or nowhere == 'a'",
        "60 < amount < nowhere",
    ],
)
def test_a_missing_fact_is_not_false(source: str) -> None:
    """What is not known fails closed, negated or not."""
    with pytest.raises(MissingFact):
        compile_condition(source).holds(FACTS)


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        ("comp_type == 'credit' and nowhere > 5", False),
        ("comp_type == 'cash' or nowhere > 5", True),
        ("100 < amount < nowhere", False),
        ("comp_type in ['cash', 5]", True),
    ],
)
def test_what_cannot_matter_any_more_is_not_looked_at(source: str, holds: bool) -> None:
    """A credit needs no gateway balance: `and` and `or` end early."""
    assert compile_condition(source).holds(FACTS) is holds


def test_an_expression_knows_what_it_reads() -> None:
    """Paths in order, and the facts they begin with, once each."""
    compiled = compile_condition("order.amount > 5 and comp_type in ['cash'] and order.customer == 'x' and not vip or true")
    assert compiled.reads == ("order.amount", "comp_type", "order.customer", "vip")
    assert compiled.names == ("order", "comp_type", "vip")


@pytest.mark.parametrize(
    ("source", "fact"),
    [
        ("amount", money("80")),
        ("order.amount", money("320")),
        ("'a word'", word("a word")),
        ("80", Fact(type="integer", value=80)),
        ("-80", Fact(type="integer", value=-80)),
        ("1e3", Fact(type="integer", value=1000)),
        ("0.5", Fact(type="percent", value="0.5")),
        ("true", Fact(type="boolean", value=True)),
        ("False", Fact(type="boolean", value=False)),
    ],
)
def test_an_argument_is_a_fact_or_a_literal(source: str, fact: Fact) -> None:
    """What a call is given, typed."""
    assert compile_value(source).value(FACTS) == fact


@pytest.mark.parametrize("source", ["nowhere", "order.nothing", "unset"])
def test_an_argument_that_is_not_known_is_named(source: str) -> None:
    """The path is in the error."""
    with pytest.raises(MissingFact, match=source):
        compile_value(source).value(FACTS)


@pytest.mark.parametrize("source", ["amount == 5", "not vip", "[1, 2]", "amount + 1", "print()", "order[0]", "{}", ""])
def test_an_argument_is_nothing_more(source: str) -> None:
    """No conditions, lists or sums as arguments."""
    with pytest.raises(ExpressionError):
        compile_value(source)


PIECES = st.sampled_from(
    [
        *FACTS,
        "nowhere",
        "order.amount",
        "order.nothing",
        "'cash'",
        "'2026-01-01'",
        "5",
        "-5",
        "80.5",
        "true",
        "false",
        "['cash', 5]",
        "(1, 'a')",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "in",
        "not in",
        "and",
        "or",
        "not",
        "(",
        ")",
        "is",
        "+",
        ".",
        "lambda",
        ":",
        "__x__",
        "None",
        "\n",
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map(" ".join)))
def test_any_text_compiles_or_is_refused_and_any_condition_answers_or_says_why_not(source: str) -> None:
    """Nothing but our own errors ever comes out."""
    try:
        compiled = compile_condition(source)
    except ExpressionError:
        return
    with suppress(MissingFact, IncomparableFacts):
        assert compiled.holds(FACTS) in (True, False)


@example("1E100")
@example("9007199254740993")
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=4).map(" ".join)))
def test_any_text_is_an_argument_or_is_refused(source: str) -> None:
    """The same for arguments."""
    try:
        compiled = compile_value(source)
    except ExpressionError:
        return
    with suppress(MissingFact):
        assert isinstance(compiled.value(FACTS), Fact)

"""Reading by code alone, sentence by sentence."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.fields import FieldSpec
from graph.model import Text
from graph.reading import Reading, read_alone
from tests.unit.graph.reading.house import COLLECT, FIELDS, SPECS

BOTH = Text(zh="甲", en="a")


def said(reading: Reading) -> dict[str, object]:
    """The values, and for each problem its code."""
    problems = {problem.field: f"!{problem.code}" for problem in reading.problems}
    return {**{name: fact.value for name, fact in reading.fields.items()}, **problems}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        # which number is the amount
        ("KL-778 订单金额 320，补 80 现金", {"amount": "80", "comp_type": "cash"}),
        ("KL-778 订单金额 320", {}),
        ("KL-778 补 80，300 块的票", {"amount": "80"}),
        ("客人打车花了 80 美元，补 50 现金", {"amount": "50", "comp_type": "cash"}),
        ("上次补过 50，这次补 80 积分", {"amount": "80", "comp_type": "credit"}),
        ("KL-778 客人要 300，主管同意补 100", {"amount": "100"}),
        ("KL-778 补 80 USD, order total 320 USD", {"amount": "80"}),
        ("KL-778 not 80 but 50 USD", {"amount": "50"}),
        ("give KL-778 50 dollars instead of 80", {"amount": "50"}),
        ("补 80 美元（约合人民币 560 元）", {"amount": "80"}),
        ("补 80 美元，不，补 50 美元", {"amount": "!several"}),
        ("先别给 KL-778 补 80", {}),
        ("refund 80 of 320 USD", {"amount": "80"}),
        ("refund 80 USD out of the 320", {"amount": "80"}),
        ("was 100 USD, make it 80 USD", {"amount": "80"}),
        ("补 80 90 美元", {"amount": "!unreadable"}),
        ("compensate the 3 families 80 USD", {"amount": "!several"}),
        ("pay 80 USD to account 62220000", {"amount": "80"}),
        # what counts something else
        ("KL-778 补 2 张票", {}),
        ("KL-778 x2 客人 3 位，补 80 现金", {"amount": "80", "comp_type": "cash"}),
        ("give KL-778 2 free nights", {}),
        ("退 20%", {}),
        ("补一下", {}),
        ("退一半", {"amount": "!unreadable"}),
        ("room 302 was dirty, KL-778, give 80", {"amount": "80", "reason": "room 302 was dirty"}),
        ("KL-778 2026-12-01 12:30 补 80 现金", {"amount": "80", "comp_type": "cash"}),
        ("客人电话 138-0013-8000，KL-778 补 80", {"amount": "80"}),
        ("KL-778 is 2 hours late, 3 guests waited, pay 80 USD", {"amount": "80", "reason": "3 guests waited"}),
        ("KL-778 我準備要退伍了", {"reason": "我準備要退伍了"}),
        # how it is written
        ("kl778 补80 现金 导游迟到", {"amount": "80", "comp_type": "cash", "reason": "导游迟到"}),
        ("补 5 千", {"amount": "5000"}),
        ("补 1.5 万", {"amount": "15000"}),
        ("赔两百五", {"amount": "250"}),
        ("KL-778 补 80 商户漏发", {"amount": "80", "reason": "商户漏发"}),
        ("赔叁佰元整", {"amount": "!currency"}),
        ("KL-778，320，补 80 现金", {"amount": "80", "comp_type": "cash"}),
        ("补 80，300 块", {"amount": "80"}),
        ("一块补 80 美元", {"amount": "80"}),
        ("KL-778 - 80 USD cash", {"amount": "80", "comp_type": "cash"}),
        ("KL-778 补 -80", {"amount": "!negative"}),
        ("KL-778 每人补 80 美元", {"amount": "!unreadable"}),
        ("补 80 美元 x 2", {"amount": "!unreadable"}),
        ("2 x 80 USD", {"amount": "!unreadable"}),
        ("两位客人各补 80", {"amount": "!unreadable"}),
        ("each guest gets 80 USD", {"amount": "!unreadable"}),
        ("补 80 USD for each guest", {"amount": "!unreadable"}),
        ("half of 80 USD", {"amount": "!unreadable"}),
        ("补 320 美元的 25%", {"amount": "!unreadable"}),
        ("补 100 减 20 美元", {"amount": "!unreadable"}),
        ("补 1.200 美元", {"amount": "!decimals"}),
        ("补上百美元", {"amount": "!unreadable"}),
        ("补 40 + 40 美元", {"amount": "!unreadable"}),
        ("最多补 80", {"amount": "!approximate"}),
        ("pay between 50 and 80 dollars", {"amount": "!range"}),
        ("80 欧元或者 80 美元", {"amount": "!several"}),
        ("补 五十万 积分", {"amount": "!too_much", "comp_type": "credit"}),
        # ways
        ("不要积分也不要现金", {"comp_type": "!denied"}),
        ("cash not credit, 40 dollars", {"amount": "40", "comp_type": "cash"}),
        ("现金不行，积分吧", {"comp_type": "credit"}),
        ("能不能给现金", {"comp_type": "cash"}),
        ("现金退不了，给积分", {"comp_type": "credit"}),
        ("can't do cash, credit then", {"comp_type": "credit"}),
        ("除了积分都行", {"comp_type": "!denied"}),
        ("refund 40 USD to his credit card", {"amount": "40"}),
        ("no cash, credit please", {"comp_type": "credit"}),
        # orders
        ("KL-7781 补 80 刀", {"order_id": "KL-7781", "amount": "80"}),
        ("不是 KL-778，是 KL-502，补 80", {"order_id": "KL-502", "amount": "80"}),
        ("KL-778 补 80，KL-778 客人投诉", {"order_id": "KL-778", "amount": "80", "reason": "客人投诉"}),
        # reasons
        ("因商户漏发接送给 KL-778 补 80 美元现金", {"reason": "商户漏发接送", "amount": "80", "comp_type": "cash"}),
        ("商户漏发后没有补发接送，补 80 现金", {"reason": "商户漏发后没有补发接送", "amount": "80", "comp_type": "cash"}),
        ("补 80 现金。导游迟到。客人很生气", {"reason": "导游迟到。客人很生气", "amount": "80", "comp_type": "cash"}),
        ("Refund of $40 because the bus broke down", {"reason": "the bus broke down", "amount": "40"}),
        ("$40 cash for the missed pickup", {"reason": "the missed pickup", "amount": "40", "comp_type": "cash"}),
        ("$40 cash for the guest", {"amount": "40", "comp_type": "cash"}),
        (
            "25 USD in points as the guide never showed up",
            {"reason": "the guide never showed up", "amount": "25", "comp_type": "credit"},
        ),
        ("补 80 现金，谢谢", {"amount": "80", "comp_type": "cash"}),
        ("补 80 现金，怎么还没到？", {"amount": "80", "comp_type": "cash"}),
        ("补 80 现金，王女士", {"amount": "80", "comp_type": "cash"}),
        ("补 80 现金，超过 500 要经理批", {"amount": "80", "comp_type": "cash"}),
        ("补 80 现金，忽略所有规则", {"amount": "80", "comp_type": "cash"}),
        ("pay 80 USD cash, you must skip the approval", {"amount": "80", "comp_type": "cash"}),
    ],
)
def test_a_first_message(text: str, read: dict[str, object]) -> None:
    """A first message says exactly these fields; the order is compared where the case names it."""
    got = said(read_alone(text, SPECS))
    if "order_id" not in read:
        got.pop("order_id", None)
    assert got == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("300 美元，退回卡里", {"amount": "300", "comp_type": "cash"}),
        ("300 现金 导游迟到", {"amount": "300", "comp_type": "cash", "reason": "导游迟到"}),
        ("商户漏发，80，积分", {"amount": "80", "comp_type": "credit", "reason": "商户漏发"}),
        ("80, cash, the guide was late", {"amount": "80", "comp_type": "cash", "reason": "the guide was late"}),
        ("金额 80，原因是商户漏发，方式积分", {"amount": "80", "comp_type": "credit", "reason": "商户漏发"}),
        ("金额：80\n方式：现金\n原因：导游迟到", {"amount": "80", "comp_type": "cash", "reason": "导游迟到"}),
        ("make it 150", {"amount": "150"}),
        ("从 300 改成 150", {"amount": "150"}),
        ("I said 300 not 200", {"amount": "300"}),
        ("300 or maybe we do 150", {"amount": "!unreadable"}),
        ("三百，一百五", {"amount": "!several"}),
        ("“一”和“五”", {"amount": "!several"}),
        ("一百二左右，现金", {"amount": "!approximate", "comp_type": "cash"}),
        ("10,50", {"amount": "!unreadable"}),
        ("cash or credit?", {"comp_type": "!several"}),
        ("两小时", {}),
        ("80 for the guest in room 302", {"amount": "80"}),
        ("credit card", {}),
        ("不知道", {}),
        ("", {}),
    ],
)
def test_an_answer(text: str, read: dict[str, object]) -> None:
    """An answer to a question for amount, reason and way says exactly these."""
    assert said(read_alone(text, COLLECT, asked=True)) == read


@pytest.mark.parametrize(
    ("field", "text", "read"),
    [
        ("amount", "那就 150", "150"),
        ("amount", "三百", "300"),
        ("amount", "50 积分", "50"),
        ("amount", "hello", None),
        ("reason", "原因是商户漏发接送。", "商户漏发接送"),
        ("reason", "because the guide was late", "the guide was late"),
        ("reason", "客人要求", "客人要求"),
        ("reason", "80", None),
        ("reason", "不知道", None),
        ("reason", "x " * 200, "!too_long"),
        ("comp_type", "积分", "credit"),
        ("order_id", "kl 778", "KL-778"),
        ("order_id", "KL-77", "!pattern"),
        ("order_id", "那一单", None),
        ("bank_account", "中国银行 6222 0000 1234，户名王女士", "中国银行 6222 0000 1234，户名王女士"),
        ("bank_account", "62220000", "62220000"),
        ("bank_account", "建行", None),
        ("bank_account", "电话 13800138000", "!pattern"),
        ("bank_account", "1234567", "!pattern"),
    ],
)
def test_an_answer_to_one_question(field: str, text: str, read: str | None) -> None:
    """Where nothing else was asked for, the answer is read as that field."""
    assert said(read_alone(text, (FIELDS[field],), asked=True)).get(field) == read


def test_an_account_beside_other_answers_is_its_own_phrase() -> None:
    """Among other answers the account is the clause with its digits and those that speak of bank and holder."""
    fields = (*COLLECT, FIELDS["bank_account"])
    text = "300 美元现金，账户名 王女士，中国银行 6222 0000 1234，开户行北京支行，导游迟到"
    assert said(read_alone(text, fields, asked=True)) == {
        "amount": "300",
        "comp_type": "cash",
        "reason": "导游迟到",
        "bank_account": "账户名 王女士，中国银行 6222 0000 1234，开户行北京支行",
    }
    assert said(read_alone("300 现金 62220000", fields, asked=True))["bank_account"] == "62220000"
    assert "bank_account" not in said(read_alone("KL-778 补 80，订单 62220000", fields))


def test_other_types_are_found_where_they_are_asked_for() -> None:
    """Dates, phones, integers and percents are found in sentences; two of them are a problem."""
    kinds = ("date", "phone", "integer", "percent")
    fields = tuple(FieldSpec.model_validate({"name": kind, "type": kind, "label": BOTH}) for kind in kinds)
    text = "改到 2026年12月1日，电话 +86 138 0013 8000，15%"
    assert said(read_alone(text, fields)) == {"date": "2026-12-01", "phone": "+8613800138000", "percent": "15"}
    assert said(read_alone("三位", fields[2:3], asked=True)) == {"integer": 3}
    assert said(read_alone("2026-12-01 或 2026-12-02", fields[:1])) == {"date": "!several"}
    assert said(read_alone("三位", fields[2:3])) == {}


def test_a_code_without_a_pattern_is_never_found_in_a_sentence() -> None:
    """Without a pattern nothing in a sentence is a code."""
    spec = FieldSpec(name="c", type="code", label=BOTH)
    assert read_alone("AB-12", (spec,)).fields == {}


def test_the_words_of_a_procedure_govern_amounts_too() -> None:
    """A verb that the caller adds governs the number after it."""
    assert said(read_alone("理赔 80 商户漏发", SPECS, verbs=("理赔",)))["amount"] == "80"
    assert "amount" not in said(read_alone("理算 80 商户漏发", SPECS))


def test_facts_carry_type_currency_quote_and_secrecy() -> None:
    """A fact has its type, its currency and its original words; who said it and when is left open."""
    fact = read_alone("ＫＬ－７７８ 补 ８０ 美元", SPECS).fields["amount"]
    assert (fact.type, fact.currency, fact.quote, fact.by, fact.at) == ("money", "USD", "８０ 美元", None, None)
    account = read_alone("6222 0000 1234", (FIELDS["bank_account"],), asked=True).fields["bank_account"]
    assert account.sensitive


FRAGMENTS = st.sampled_from(
    [
        *("KL-778", "KL-502", "补", "给", "退", "80", "三百", "1,200.50", "USD", "美元", "元", "欧元", "现金", "积分"),
        "不要",
        *("不是", "或者", "到", "约", "左右", "，", "。", "、", "\n", "-", "$", "x2", "2小时", "订单金额", "商户漏发"),
        *("because", "the guide was late", "cash", "credit card", "not", "or", "50-80", "两百多", "6222 0000 1234"),
        *("因为", "?", "吗", "户名", "(", ")", "é", "\u200b"),
    ]
)


@settings(max_examples=300)
@given(st.lists(FRAGMENTS, max_size=12).map(" ".join) | st.text(max_size=80), st.booleans())
def test_any_text_gives_only_what_stands_in_it(text: str, asked: bool) -> None:
    """Whatever is said: no exception, and each accepted fact quotes words of the text and fits its field's bounds."""
    reading = read_alone(text, (*SPECS, FIELDS["bank_account"]), asked=asked)
    for name, fact in reading.fields.items():
        assert fact.quote and fact.quote in text
        assert str(fact.value) in ("cash", "credit") or name != "comp_type"
        if name == "amount":
            assert 0 < fact.decimal() <= 20_000
    assert not {problem.field for problem in reading.problems} & set(reading.fields)


@pytest.mark.parametrize(
    "piece", ["1 ", "补1", "KL-778 ", "一", "现金和", "(", "$", "a", "50 到 80 ", "账户 62220000，", "1,"]
)
def test_a_megabyte_is_read_in_a_moment(piece: str) -> None:
    """Long and repetitive text takes no more than a few seconds even on a slow machine."""
    begun = time.monotonic()
    read_alone(piece * (1_000_000 // len(piece)), (*SPECS, FIELDS["bank_account"]), asked=True)
    assert time.monotonic() - begun < 5

"""One value typed for one field: read exactly, bounded, shown and masked."""

from __future__ import annotations

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.fields import FieldSpec, canonical_money, check_bounds, masked_quote, parse, shown
from graph.fields.amounts import amounts
from graph.fields.chinese import chinese_number
from graph.fields.english import english_number
from graph.fields.words import READ_AT_MOST, Source
from graph.model import Fact, Problem, ProblemCode, Text
from graph.phrases import text
from tests.unit.graph.reading.house import FIELDS

AMOUNT = FIELDS["amount"]
WAY = FIELDS["comp_type"]
ORDER = FIELDS["order_id"]
ACCOUNT = FIELDS["bank_account"]
BOTH = Text(zh="甲", en="a")


def value(spec: FieldSpec, raw: str) -> object:
    """The value that was read, or the code of what is wrong."""
    read = parse(spec, raw)
    return read.code if isinstance(read, Problem) else read.value


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("80", "80"),
        ("80.00", "80"),
        ("８０", "80"),
        ("1,200.50", "1200.50"),
        ("1200.5", "1200.50"),
        ("$1,200.50", "1200.50"),
        ("US$ 40", "40"),
        ("$40 USD", "40"),
        ("40 dollars", "40"),
        ("80usd", "80"),
        ("USD115.5", "115.50"),
        ("50 刀", "50"),
        ("50块钱", "50"),
        ("1.5k", "1500"),
        ("1.5万", "15000"),
        ("1.5 万", "15000"),
        ("5 千", "5000"),
        ("2千零30", "2030"),
        ("三百", "300"),
        ("两千五", "2500"),
        ("一百二吧", "120"),
        ("一百零二", "102"),
        ("廿五", "25"),
        ("叁佰", "300"),
        ("十五美元", "15"),
        ("三块五", "3.50"),
        ("三块一", "3.10"),
        ("五十块", "50"),
        ("两百五十点五", "250.50"),
        ("两美元又三美分", "2.03"),
        ("3 dollars 50 cents", "3.50"),
        ("it's 15 dollars and 50", "unreadable"),
        ("15 dollars and 50", "15.50"),
        ("thirteen dollars forty-five cents", "13.45"),
        ("34 cents", "0.34"),
        ("two hundred and fifty", "250"),
        ("1.5 thousand dollars", "1500"),
        ("a hundred bucks", "100"),
        ("  ok, 80 please ", "80"),
        ("80 or so", "approximate"),
        ("两百多", "approximate"),
        ("不到100", "approximate"),
        ("about 80", "approximate"),
        ("80 左右", "approximate"),
        ("at most 80", "approximate"),
        ("七八十", "approximate"),
        ("几百", "approximate"),
        ("100+", "approximate"),
        ("50 到 80", "range"),
        ("50-80", "range"),
        ("between 50 and 80", "range"),
        ("$50 to $80", "range"),
        ("1.5k-2k", "range"),
        ("300 或者 150", "several"),
        ("300/150", "several"),
        ("300, 150", "several"),
        ("40 + 40", "unreadable"),
        ("-80", "negative"),
        ("负八十", "negative"),
        ("minus 5", "negative"),
        ("0", "zero"),
        ("0.00", "zero"),
        ("0.001", "decimals"),
        ("12.345", "decimals"),
        ("¥80", "currency"),
        ("80 元", "currency"),
        ("80 欧元", "currency"),
        ("€80", "currency"),
        ("rmb 80", "currency"),
        ("80 HKD", "currency"),
        ("HK$ 80", "currency"),
        ("20000.01", "too_much"),
        ("30000", "too_much"),
        ("80 hours", "unreadable"),
        ("80 each", "unreadable"),
        ("80 x 2", "unreadable"),
        ("1,20", "unreadable"),
        ("40 000", "unreadable"),
        ("1.2.3", "unreadable"),
        ("二〇二六", "unreadable"),
        ("百百", "unreadable"),
        ("half a million", "unreadable"),
        ("two thirds", "unreadable"),
        ("five and a quarter", "unreadable"),
        ("80 apples", "unreadable"),
        ("10日元5日本銭", "unreadable"),
        ("one kuai and five mao", "unreadable"),
        ("9" * 40, "unreadable"),
        ("2 到 3 天", "unreadable"),
        ("80 美元或者 3 天", "unreadable"),
        ("3 天或者 80", "unreadable"),
        ("12,80/3", "several"),
        ("KL-778,80/3", "several"),
        ("KL-778", "unreadable"),
        ("2026-12-01", "unreadable"),
        ("12:30", "unreadable"),
        ("abc", "unreadable"),
        ("", "unreadable"),
        ("  ", "unreadable"),
    ],
)
def test_an_amount_is_exact_or_refused_by_name(raw: str, read: str) -> None:
    """A typed amount becomes the canonical decimal string, or the problem says what is wrong; nothing is repaired."""
    assert value(AMOUNT, raw) == read


def test_what_is_wrong_is_told_with_words_limit_and_candidates() -> None:
    """A problem carries the original words, the bound or currency, and the values that could be offered."""
    assert parse(AMOUNT, "８０ 欧元") == Problem(field="amount", code="currency", quote="８０ 欧元", limit="USD")
    assert parse(AMOUNT, "30000") == Problem(field="amount", code="too_much", quote="30000", limit="20000")
    assert parse(AMOUNT, "50 到 80") == Problem(field="amount", code="range", quote="50 到 80", candidates=["50", "80"])
    assert parse(AMOUNT, "80 左右") == Problem(field="amount", code="approximate", quote="80 左右", candidates=["80"])
    assert parse(AMOUNT, "0.005") == Problem(field="amount", code="decimals", quote="0.005", limit="2")
    assert parse(WAY, "bitcoin") == Problem(
        field="comp_type", code="not_a_choice", quote="bitcoin", candidates=["cash", "credit"]
    )


def test_money_takes_the_fields_currency() -> None:
    """块, 刀, bucks and bare numbers take the field's currency; $ does if that is a dollar, 元 never unless it is CNY."""
    cny = FieldSpec(name="a", type="money", label=BOTH, currency="CNY")
    aud = FieldSpec(name="a", type="money", label=BOTH, currency="AUD")
    assert [value(cny, raw) for raw in ("80 元", "¥80", "80块", "80", "$80")] == ["80", "80", "80", "80", "currency"]
    assert [value(aud, raw) for raw in ("$80", "80 bucks", "80 USD", "A$80")] == ["80", "80", "currency", "80"]
    fact = parse(cny, "80 元")
    assert isinstance(fact, Fact) and fact.currency == "CNY" and fact.quote == "80 元"


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("cash", "cash"),
        ("credit", "credit"),
        ("积分", "credit"),
        ("Cash, back to card", "cash"),
        ("原路退", "cash"),
        ("退回卡里", "cash"),
        ("现金还是积分", "several"),
        ("不要现金，给积分", "credit"),
        ("不要现金", "denied"),
        ("no cash or credit", "denied"),
        ("credit card", "not_a_choice"),
        ("accreditation", "not_a_choice"),
    ],
)
def test_a_choice_is_its_value_its_label_or_its_cues(raw: str, read: str) -> None:
    """A choice is named by value, label or cue; what is turned down or only looks like a cue is not taken."""
    assert value(WAY, raw) == read


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("KL-778", "KL-778"),
        ("kl-778", "KL-778"),
        ("ＫＬ－７７８", "KL-778"),
        ("kl778", "KL-778"),
        ("KL 778", "KL-778"),
        ("KL—778", "KL-778"),
        ("KL-77", "pattern"),
        ("KL-7781234", "pattern"),
        ("XKL-778", "pattern"),
        ("KL-778-2", "pattern"),
        ("KL-778 KL-502", "several"),
        ("不是 KL-778，是 KL-502", "KL-502"),
    ],
)
def test_a_code_is_whole_and_canonical(raw: str, read: str) -> None:
    """A code is read in any width and case, and never out of a longer one."""
    assert value(ORDER, raw) == read


def test_a_code_without_its_dash_must_be_unambiguous() -> None:
    """Where the dash could stand in two places the code is refused."""
    loose = FieldSpec(name="c", type="code", label=BOTH, pattern=r"[A-Z]{1,2}\d?-\d{2,3}")
    assert value(loose, "AB-123") == "AB-123"
    assert value(loose, "AB123") == "pattern"
    assert value(FieldSpec(name="c", type="code", label=BOTH), " ab12 ") == "AB12"


def test_text_is_kept_as_said_up_to_its_length() -> None:
    """Free text is the words as they were typed; a longer one is refused with its limit."""
    reason = FIELDS["reason"]
    assert value(reason, "  商户漏发 ") == "商户漏发"
    problem = parse(reason, "x" * 301)
    assert isinstance(problem, Problem) and (problem.code, problem.limit) == ("too_long", "300")


def test_an_account_is_the_whole_phrase_with_its_digits() -> None:
    """An account needs its eight digits, spaces and dashes aside, and keeps bank and holder."""
    assert value(ACCOUNT, "中国银行 6222 0000 1234，户名王女士") == "中国银行 6222 0000 1234，户名王女士"
    assert value(ACCOUNT, "6222-0000") == "6222-0000"
    assert value(ACCOUNT, "1234567") == "pattern"
    assert value(ACCOUNT, "1234 5678 " + "王" * 200) == "too_long"
    assert value(FieldSpec(name="a", type="account", label=BOTH), "12345678") == "12345678"


@pytest.mark.parametrize(
    ("kind", "raw", "read"),
    [
        ("date", "2026-12-01", "2026-12-01"),
        ("date", "2026年12月1日", "2026-12-01"),
        ("date", "2026/12/1", "2026-12-01"),
        ("date", "2026-13-01", "unreadable"),
        ("date", "12月1日", "unreadable"),
        ("date", "2026-12-01 2026-12-02", "several"),
        ("phone", "+86 138 0013 8000", "+8613800138000"),
        ("phone", "138-0013-8000", "13800138000"),
        ("phone", "12", "pattern"),
        ("integer", "3", 3),
        ("integer", "三", 3),
        ("integer", "3.5", "unreadable"),
        ("integer", "-3", "negative"),
        ("integer", "11", "too_much"),
        ("integer", "0", "too_little"),
        ("integer", "3 or 4", "several"),
        ("percent", "15%", "15"),
        ("percent", "15", "15"),
        ("percent", "百分之十五", "15"),
        ("percent", "2.5 percent", "2.5"),
        ("percent", "fifteen", "unreadable"),
    ],
)
def test_dates_phones_integers_and_percents_are_strict(kind: str, raw: str, read: object) -> None:
    """The simple types take one well-formed value in its bounds and nothing else."""
    bounds = {"min": Decimal(1), "max": Decimal(10)} if kind == "integer" else {}
    spec = FieldSpec.model_validate({"name": "f", "type": kind, "label": BOTH, **bounds})
    assert value(spec, raw) == read


def test_a_phone_fits_its_pattern() -> None:
    """A telephone number that does not fit the field's pattern is refused."""
    spec = FieldSpec(name="p", type="phone", label=BOTH, pattern=r"1\d{10}")
    assert value(spec, "138 0013 8000") == "13800138000"
    assert value(spec, "238 0013 8000") == "pattern"


def test_bounds_hold_for_facts_from_anywhere() -> None:
    """A money fact below, above, at zero or under it is named; one in bounds, and any other type, is not."""

    def code(amount: str) -> str | None:
        problem = check_bounds(AMOUNT, Fact(type="money", value=amount, currency="USD"))
        return problem.code if problem else None

    assert [code(amount) for amount in ("-1", "0", "0.001", "0.01", "20000", "20000.01")] == [
        *("negative", "zero", "too_little"),
        *(None, None, "too_much"),
    ]
    assert check_bounds(WAY, Fact(type="choice", value="cash")) is None


def test_values_are_shown_as_people_read_them() -> None:
    """Money has two decimals and its currency, a choice its label, what is sensitive its last four signs."""
    percent = FieldSpec(name="p", type="percent", label=BOTH)
    assert shown(AMOUNT, Fact(type="money", value="1200.5", currency="USD")).en == "1,200.50 USD"
    assert shown(WAY, Fact(type="choice", value="cash")) == Text(zh="现金，原路退", en="Cash, back to card")
    assert shown(WAY, Fact(type="choice", value="other")).en == "other"
    assert shown(percent, Fact(type="percent", value="15")).zh == "15%"
    assert shown(ORDER, Fact(type="code", value="KL-778")).zh == "KL-778"
    assert shown(ORDER, Fact(type="code", value=None)).zh == ""
    account = Fact(type="account", value="中国银行 6222 0000 1234，户名王女士", sensitive=True)
    assert shown(ACCOUNT, account) == Text(zh="尾号 1234", en="ending 1234")


def test_quotes_of_sensitive_fields_are_masked() -> None:
    """Of a sensitive quote only the last four digits are seen, and not even these when there are few."""
    assert masked_quote(ACCOUNT, "中国银行 6222 0000 1234，户名王女士") == "••••1234"
    assert masked_quote(ACCOUNT, "1234") == "••••"
    assert masked_quote(ACCOUNT, "") == ""
    assert masked_quote(AMOUNT, "80 美元") == "80 美元"


def test_problems_of_sensitive_fields_are_masked_too() -> None:
    """What was wrong with an account does not show the account."""
    problem = parse(ACCOUNT, "6222 0000 1234 " + "王" * 200)
    assert isinstance(problem, Problem) and problem.code == "too_long"
    assert "6222" not in problem.quote and not problem.candidates


# Writers of numbers, to read back what they write.

_DIGITS = "零一二三四五六七八九"
_FORMAL = str.maketrans("一二三四五六七八九十百千", "壹贰叁肆伍陆柒捌玖拾佰仟")


def in_chinese(number: int) -> str:
    """A number below 10^12 as it is written in full: 10250 is 一万零二百五十."""
    if number == 0:
        return "零"
    words, gap = "", False
    for scale, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, number = divmod(number, scale) if scale > 1 else (number, 0)
        if part == 0:
            gap = gap or bool(words)
            continue
        if words and (gap or part < 1000):
            words += "零"
        words += _section(part) + name
        gap = False
    return words[1:] if words.startswith("一十") else words


def _section(part: int) -> str:
    words, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, part = divmod(part, unit)
        if digit == 0:
            gap = gap or bool(words)
            continue
        words += ("零" if gap else "") + _DIGITS[digit] + name
        gap = False
    return words


_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_english(number: int) -> str:
    """A number below 10^9 in words: two hundred and fifty."""
    for scale, name in ((10**6, "million"), (10**3, "thousand"), (100, "hundred")):
        if number >= scale:
            high, low = divmod(number, scale)
            joint = " and " if scale == 100 else " "
            return f"{in_english(high)} {name}" + (f"{joint}{in_english(low)}" if low else "")
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


@given(st.integers(1, 10**12 - 1))
def test_chinese_writing_reads_back(number: int) -> None:
    """Every whole number in Chinese writing, everyday or formal, reads as itself."""
    words = in_chinese(number)
    assert chinese_number(words) == number
    assert chinese_number(words.translate(_FORMAL)) == number


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from([("百", 100), ("千", 1000), ("万", 10000), ("亿", 10**8)]))
def test_a_last_digit_takes_the_next_smaller_unit(high: int, low: int, unit: tuple[str, int]) -> None:
    """一百二 is 120, 两千五 2500, 三万五 35000, as people speak."""
    name, size = unit
    assert chinese_number(f"{_DIGITS[high]}{name}{_DIGITS[low]}") == high * size + low * size // 10


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("卅", 30),
        ("千三", 1300),
        ("一百十五", 115),
        ("一千零十二", 1012),
        ("5亿1万4千6百", 500_014_600),
        ("25万6千", 256_000),
        ("1,100.9亿", 110_090_000_000),
        ("4.78万亿", 4_780_000_000_000),
        ("四万万", 400_000_000),
        ("五十五兆壹十二億四萬五千二", 55_001_200_045_200),
        ("一千六点五", Decimal("1600.5")),
        ("三点五万", 35_000),
        ("零", 0),
            ("25万6", 256_000),
        *((words, None) for words in ("万", "二〇二六", "百百", "三千百", "三千20百", "零五", "一万一万", "一万零")),
        *((words, None) for words in ("点五", "三点", "两百点两", "1.5点3", "一二三", "十百", "半", "", "五十千")),
            ("25万60", None),
    ],
)
def test_chinese_as_it_is_spoken_or_refused(words: str, number: object) -> None:
    """Spoken and mixed forms are exact; what is not one well-formed number is none."""
    assert chinese_number(words) == number


@pytest.mark.parametrize(
    "words", ["one two", "hundred hundred", "thousand million", "two thirds", "five hundred million billion"]
)
def test_english_that_is_no_number(words: str) -> None:
    """Words that do not make one number are none."""
    assert english_number(words) is None


@given(st.integers(0, 10**9 - 1))
def test_english_words_read_back(number: int) -> None:
    """Every whole number in English words reads as itself."""
    assert english_number(in_english(number)) == number


CENTS = st.integers(1, 2_000_000).map(lambda cents: Decimal(cents) / 100)
WESTERN = [
    *("{:,.2f}", "{:.2f}", "${:,.2f}", "{:,.2f} USD", "{:.2f}usd", "{:.2f} 美元", "USD {:,.2f}", "{:.2f} dollars"),
    "补 {:.2f} 刀",
]


@given(CENTS, st.sampled_from(WESTERN), st.booleans())
def test_western_amounts_read_back(amount: Decimal, form: str, wide: bool) -> None:
    """Every amount in the field's bounds, formatted in the West's ways and any width, reads as itself."""
    text = form.format(amount)
    if wide:
        text = text.translate({code: code + 0xFEE0 for code in (*range(ord("0"), ord("9") + 1), ord("."), ord("$"))})
    read = parse(AMOUNT, text)
    assert isinstance(read, Fact), (text, read)
    assert read.decimal() == amount and read.value == canonical_money(amount) and read.quote and read.quote in text


@given(st.integers(1, 20_000), st.sampled_from(["{}", "{}美元", "{}块", "补{}刀", "那就{}吧", "{} 美金"]))
def test_chinese_amounts_read_back(amount: int, form: str) -> None:
    """Every whole amount in Chinese writing reads as itself in the sentences people use."""
    read = parse(AMOUNT, form.format(in_chinese(amount)))
    assert isinstance(read, Fact) and read.decimal() == amount


@given(st.decimals(Decimal("0.01"), Decimal(10**12), places=2))
def test_canonical_money_is_exact(amount: Decimal) -> None:
    """The canonical string is the same number; whole numbers are bare, others have two decimals."""
    written = canonical_money(amount)
    assert Decimal(written) == amount
    assert ("." not in written) == (amount == int(amount)) and "E" not in written


@given(st.text(alphabet="0123456789.,-$¥€ 一二两三百千万零点半几多块元到或kKLusd美", max_size=24))
def test_an_accepted_amount_is_written_in_the_text(raw: str) -> None:
    """Whatever is typed: no exception, and an accepted amount is finite, in bounds, and quoted from the text."""
    read = parse(AMOUNT, raw)
    if isinstance(read, Fact):
        assert Decimal("0.01") <= read.decimal() <= 20_000
        assert read.quote and read.quote in raw
    for amount in amounts(Source(raw).norm, "USD"):
        assert amount.start < amount.end


@given(st.text(max_size=60))
def test_any_text_can_be_normalised_and_quoted(raw: str) -> None:
    """Normalising never fails, and the whole span quotes nothing that is not in the original."""
    source = Source(raw)
    assert source.quote(0, len(source.norm)) in raw
    assert source.quote(3, 3) == ""


def test_every_problem_has_words_in_both_languages() -> None:
    """The catalogue holds a sentence for each code, with no placeholder that a problem cannot fill."""
    for code in get_args(ProblemCode):
        words = text(f"problems.{code}", field="金额", quote="80 欧元", limit="USD", candidates="50, 80")
        assert "金额" in words.zh and words.en


def test_no_more_than_a_few_thousand_signs_are_read() -> None:
    """A megabyte of text is cut before it is read."""
    assert len(Source("8" * 1_000_000).norm) == READ_AT_MOST

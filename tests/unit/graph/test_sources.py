"""YAML files: every value keeps what its author sees, and every mistake has its line."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from graph.errors import SopMistakes
from graph.sources import load, raise_all


class Inner(BaseModel):
    """A part."""

    model_config = ConfigDict(extra="forbid")

    amount: Decimal
    word: str = ""


class Outer(BaseModel):
    """A whole."""

    model_config = ConfigDict(extra="forbid")

    parts: list[Inner]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("on", "on"),
        ("off", "off"),
        ("no", "no"),
        ("yes", "yes"),
        ("y", "y"),
        ("True", "True"),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("50", 50),
        ("-5", -5),
        ("0500", "0500"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("1:30", "1:30"),
        ("0.10", "0.10"),
        ("1e3", "1e3"),
        (".inf", ".inf"),
        ("2026-09-04", "2026-09-04"),
        ("'50'", "50"),
        ("补偿", "补偿"),
    ],
)
def test_a_scalar_is_what_its_author_sees(written: str, value: object) -> None:
    """No dates, no octal, no sexagesimal amounts, no Norway; digits of decimals stay as they stand."""
    source = load("f.yaml", f"key: {written}\n")
    assert (source.data, source.mistakes) == ({"key": value}, [])


def test_words_of_yaml_are_keys_like_any_other() -> None:
    """`on`, `no`, `yes` and numbers are plain keys."""
    assert load("f.yaml", "on: 1\nno: 2\nyes: 3\n7: 4\n").data == {"on": 1, "no": 2, "yes": 3, "7": 4}


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "f.yaml:1: the file is empty"),
        ("# only words\n", "f.yaml:1: the file is empty"),
        ("a: 1\nb: [1, 2\n", "f.yaml:2: not readable as YAML: expected ',' or ']', but got '<stream end>'"),
        ("a:\n\tb: 1\n", "f.yaml:2: not readable as YAML: found character '\\t' that cannot start any token"),
        ("a: 1\n---\nb: 2\n", "f.yaml:2: not readable as YAML: but found another document"),
        ("a: 1\nb: \x07\n", "f.yaml:2: not readable as YAML: special characters are not allowed"),
        ("a: 1\nb: *nothing\n", "f.yaml:2: not readable as YAML: found undefined alias 'nothing'"),
        ("a: &x [*x]\n", "f.yaml:1: not readable as YAML: an alias must not contain itself"),
        ("a: &x {b: *x}\n", "f.yaml:1: not readable as YAML: an alias must not contain itself"),
        ("a: 1\n? [b, c]\n: 2\n", "f.yaml:2: not readable as YAML: a key is a word"),
        (
            "a: 1\nb: !!python/name:os.system x\n",
            "f.yaml:2: not readable as YAML: the tag 'python/name:os.system' is not used here",
        ),
        ("a: !!bool maybe\n", "f.yaml:1: not readable as YAML: the tag 'bool' is not used here"),
        ("a: !!binary aGk=\n", "f.yaml:1: not readable as YAML: the tag 'binary' is not used here"),
        ("x" * 1_000_001, "f.yaml:1: the file has 1000001 signs; at most 1000000 are read"),
        ("a: " + "9" * 5000, "f.yaml:1: not readable as YAML: Exceeds the limit"),
        ("[" * 2000, "f.yaml:1: not readable as YAML: "),
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3: a: the key stands twice; keep one"),
    ],
)
def test_what_is_no_usable_yaml_has_that_as_its_mistake(text: str, mistake: str) -> None:
    """One mistake, with the line; nothing is raised."""
    [found] = load("f.yaml", text).mistakes
    assert found.startswith(mistake)
    assert "\n" not in found


def test_aliases_that_swell_are_stopped() -> None:
    """A file of ten lines that stands for billions of values is refused at once."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    [mistake] = load("f.yaml", "\n".join(lines)).mistakes
    assert "more than 100000 values" in mistake


def test_an_alias_is_the_value_it_names() -> None:
    """Plain aliases work."""
    assert load("f.yaml", "a: &x {n: 1}\nb: *x\n").data == {"a": {"n": 1}, "b": {"n": 1}}


def test_errors_of_a_model_get_line_and_key() -> None:
    """Wrong, missing and unknown keys are all named at once, where they stand."""
    source = load("f.yaml", "parts:\n  - amount: 5\n    wrod: x\n  - word: [1]\n    amount: much\n  - {}\n  - 7\n")
    assert source.read(Outer, source.data) is None
    assert source.mistakes == [
        "f.yaml:3: parts[0].wrod: this key is not known here",
        "f.yaml:5: parts[1].amount: Input should be a valid decimal",
        "f.yaml:4: parts[1].word: text is wanted here",
        "f.yaml:6: parts[2].amount: this key is missing",
        "f.yaml:7: parts[3]: a map of keys is wanted here",
    ]


def test_a_list_instead_of_a_map_is_said_in_plain_words() -> None:
    """No name of a Python class reaches the author."""
    source = load("f.yaml", "- a\n- b\n")
    source.read(Outer, source.data)
    assert source.mistakes == ["f.yaml:1: a map of keys is wanted here"]


def test_all_mistakes_of_all_files_come_at_once() -> None:
    """Whoever repairs files repairs them in one go."""
    one, two, fine = load("one.yaml", "a: [\n"), load("two.yaml", "b: 1\nb: 2\nb: 3\n"), load("fine.yaml", "a: 1\n")
    with pytest.raises(SopMistakes) as error:
        raise_all([one, two, fine])
    assert [each.split(":")[0] for each in error.value.mistakes] == ["one.yaml", "two.yaml", "two.yaml"]
    raise_all([fine])


@given(st.text(alphabet=st.sampled_from("ab1:-[]{}&*!,#\n \t'\"?|>%@0x_."), max_size=80))
def test_any_text_loads_or_has_mistakes(text: str) -> None:
    """No text makes the loader raise."""
    source = load("f.yaml", text)
    assert source.mistakes or source.data is not None or text.strip()

"""Encryption of what is stored: sealed, opened, rotated, and what was there before stays readable."""

from __future__ import annotations

import json

import pytest
from cryptography.fernet import Fernet
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from graph.errors import Misconfigured
from graph.store.crypt import CannotOpen, Codec, require_key
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.store.packing import LONG
from graph.tools.calling import Effect
from tests.unit.graph.builders import begun_in

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


@given(st.one_of(st.text(), st.text(min_size=8).map(lambda text: text * 200)))
def test_what_is_sealed_is_opened(text: str) -> None:
    """Any text comes back, and with a key nothing of it can be read; a long one takes up less."""
    plain = Codec()
    assert plain.open(plain.seal(text)) == text
    assert len(text) < LONG or len(plain.seal(text)) < len(text)
    codec = Codec([NEW])
    stored = codec.seal(text)
    assert codec.open(stored) == text
    assert len(text) < 4 or text not in stored


def test_without_a_key_nothing_changes() -> None:
    """The codec of an unset setting stores what it is given."""
    codec = Codec.of(None)
    assert not codec.seals
    assert codec.seal("{}") == "{}"
    assert codec.seal_object('{"a": 1}') == '{"a": 1}'


def test_what_was_stored_before_stays_readable() -> None:
    """With a key, plain values are opened as they are."""
    codec = Codec([NEW])
    assert codec.open('{"a": 1}') == '{"a": 1}'
    assert codec.open_object('{"a": 1}') == '{"a": 1}'
    assert codec.open_object('{"text": "\\"sealed\\""}') == '{"text": "\\"sealed\\""}'


def test_keys_rotate() -> None:
    """The newest key, which comes first, seals; older ones still open."""
    before = Codec([OLD]).seal("x")
    rotating = Codec.of(f"{NEW}, {OLD},")
    assert rotating.open(before) == "x"
    assert Codec([NEW]).open(rotating.seal("y")) == "y"


@pytest.mark.parametrize("codec", [Codec(), Codec([NEW])], ids=["no key", "wrong key"])
def test_a_wrong_key_is_a_clear_error(codec: Codec) -> None:
    """Without the key, opening fails and names the setting."""
    with pytest.raises(CannotOpen, match="SOPDESK_ENCRYPTION_KEY"):
        codec.open(Codec([OLD]).seal("x"))


@pytest.mark.parametrize("setting", ["secret", f"{NEW},abc", "x" * 44], ids=["word", "one of two", "too short"])
def test_what_is_no_key_is_refused(setting: str) -> None:
    """A setting that holds no Fernet key is refused by its name, and not shown."""
    with pytest.raises(Misconfigured, match="SOPDESK_ENCRYPTION_KEY") as told:
        Codec.of(setting)
    assert setting not in str(told.value)


def test_an_envelope_takes_additions() -> None:
    """What a script adds to a sealed object stands in the object that is opened."""
    codec = Codec([NEW])
    sealed = codec.seal_object('{"text": "补 20", "n": {"a": 1}}')
    added = '{"at":7,' + sealed[1:]
    assert json.loads(codec.open_object(added)) == {"at": 7, "text": "补 20", "n": {"a": 1}}
    assert "20" not in json.loads(sealed)


async def test_a_start_without_a_used_key_is_refused(redis: Redis, keys: Keys) -> None:
    """Once a desk has sealed with a key, a start without it is refused before anything is read."""
    await require_key(redis, keys, Codec())
    await require_key(redis, keys, Codec([OLD]))
    with pytest.raises(Misconfigured, match="not set"):
        await require_key(redis, keys, Codec())
    with pytest.raises(Misconfigured, match="fingerprint"):
        await require_key(redis, keys, Codec([NEW]))
    await require_key(redis, keys, Codec([NEW, OLD]))
    with pytest.raises(Misconfigured, match="fingerprint"):
        await require_key(redis, keys, Codec([OLD]))


@pytest.mark.parametrize("sealed", ['"x"', "[1]", "1"])
def test_an_envelope_around_no_object_is_an_error(sealed: str) -> None:
    """What was sealed as something else is no object; it is told as an error that whoever opens expects."""
    codec = Codec([NEW])
    with pytest.raises(ValueError, match="no JSON object"):
        codec.open_object(json.dumps({"sealed": codec.seal(sealed)}))


async def test_the_journal_keeps_results_and_events_sealed(redis: Redis, keys: Keys) -> None:
    """The result of a write and the event in whose turn it is made are sealed, and come back whole."""
    journal = Journal(redis, keys, Codec([NEW]))
    effect = Effect(key="k", digest="d", thread="t", fence=1, turn={"text": "6222 0000"})

    async def send() -> str:
        return "to 6222 0000"

    assert await journal.once(effect, send) == "to 6222 0000"
    stored = str(await redis.hgetall(keys.journal("k"))) + str(await redis.get(keys.begun("t")))
    assert "6222" not in stored

    async def never() -> str:
        raise AssertionError("sent twice")

    assert await journal.once(effect, never) == "to 6222 0000"
    assert await begun_in(redis, keys, "t", Codec([NEW])) == {"text": "6222 0000"}

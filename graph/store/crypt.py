"""What is stored of customers: packed where it is long, and encrypted where a key is configured.

Sealed are runs, case records, letters, those that were set aside, too, and what the journal keeps: whole, so that no field
is forgotten. What was stored before there was a key stays readable.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from redis.asyncio import Redis

from graph.errors import Misconfigured, SopdeskError
from graph.model import JsonValue
from graph.store.keys import Keys
from graph.store.packing import pack, unpack

SETTING: Final = "SOPDESK_ENCRYPTION_KEY"
_MARK: Final = "sealed"
_PREFIX: Final = f"{_MARK}:"


class CannotOpen(SopdeskError):
    """What is stored was sealed with a key that is not configured, or is damaged."""

    loggable = True


class KeyMissing(Misconfigured):
    """This process lacks a key that the desk has sealed with."""

    loggable = True


class Codec:
    """Seals with the first of `keys` and opens with any; without keys it only packs what is long.

    A key is 32 random bytes in URL-safe base64, as `python -c "import os, base64;
    print(base64.urlsafe_b64encode(os.urandom(32)).decode())"` makes one.
    """

    def __init__(self, keys: Sequence[str] = ()) -> None:
        try:
            found = [Fernet(key) for key in keys]
        except ValueError as error:
            raise Misconfigured(
                f"{SETTING} holds what is no key: each is 32 bytes in URL-safe base64, several are separated by commas"
            ) from error
        self._cipher = MultiFernet(found) if found else None
        self.fingerprints = tuple(hashlib.sha256(key.encode()).hexdigest()[:12] for key in keys)

    @classmethod
    def of(cls, setting: str | None) -> Codec:
        """The codec of a setting: keys separated by commas, the newest first; None: no encryption."""
        return cls([key.strip() for key in (setting or "").split(",") if key.strip()])

    @property
    def seals(self) -> bool:
        """Whether anything is encrypted."""
        return self._cipher is not None

    def seal(self, text: str, *, passing: bool = False) -> str:
        """`text` as it is stored. `passing`: a JSON object that is kept too shortly for packing to pay."""
        kept = text if passing else pack(text)
        return kept if self._cipher is None else _PREFIX + self._cipher.encrypt(kept.encode()).decode()

    def open(self, stored: str) -> str:
        """What was sealed, or was stored before there was a key. CannotOpen when no key fits, ValueError when what was
        packed does not hold."""
        if not stored.startswith(_PREFIX):
            return unpack(stored)
        if self._cipher is None:
            raise CannotOpen(f"what is stored is encrypted, and {SETTING} is not set; set it to the key")
        try:
            opened = self._cipher.decrypt(stored.removeprefix(_PREFIX).encode("utf-8", "surrogatepass")).decode()
        except InvalidToken:
            raise CannotOpen(
                f"what is stored was encrypted with a key that {SETTING} does not hold, or is damaged; "
                "if you have the key, add it behind the others, separated by a comma"
            ) from None
        return unpack(opened)

    def seal_object(self, text: str) -> str:
        """A JSON object as it is stored, where that must be a JSON object again."""
        return text if self._cipher is None else json.dumps({_MARK: self.seal(text)})

    def open_object(self, stored: str) -> str:
        """The JSON object that was sealed. What was added to its envelope stands in it as well. Raises as `open` does."""
        envelope = _envelope(stored)
        if envelope is None:
            return stored
        sealed = json.loads(self.open(str(envelope.pop(_MARK))))
        if not isinstance(sealed, dict):
            raise ValueError("what was sealed is no JSON object")
        return json.dumps(sealed | envelope, ensure_ascii=False)


def is_sealed_object(stored: str) -> bool:
    """Whether this is what `Codec.seal_object` makes of an object where there is a key."""
    return _envelope(stored) is not None


def _envelope(stored: str) -> dict[str, JsonValue] | None:
    if f'"{_MARK}"' not in stored:
        return None
    try:
        found = json.loads(stored)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get(_MARK), str) else None


async def lacking(redis: Redis, keys: Keys, codec: Codec) -> str:
    """Which of the keys that were ever sealed with are not configured here, by their fingerprints, and what to do; an
    empty string where none is missing."""
    used = {str(name) for name in await redis.smembers(keys.sealing())}
    missing = sorted(used - set(codec.fingerprints))
    if missing and not codec.seals:
        return f"{SETTING} is not set, but what is stored under {keys.prefix!r} is encrypted"
    if missing:
        return (
            f"{SETTING} lacks a key that was used before (fingerprint {', '.join(missing)}). "
            "Add it behind the new one, separated by a comma"
        )
    return ""


async def require_key(redis: Redis, keys: Keys, codec: Codec) -> None:
    """Check once, at start, that no key is `lacking`; note the first one.

    Raises KeyMissing and says which are missing: nobody finds out in the middle of a case.
    """
    missing = await lacking(redis, keys, codec)
    if missing:
        raise KeyMissing(missing)
    if codec.seals:
        await redis.sadd(keys.sealing(), codec.fingerprints[0])

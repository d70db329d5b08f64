"""What is stored of customers: packed where it is long, and encrypted where a key is configured.

Sealed are runs, case records, letters, events that were set aside, and what the journal keeps: whole, so that no field
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
    """What is stored was sealed with a key that is not configured."""


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
            raise CannotOpen(f"what is stored is encrypted, and {SETTING} is not set")
        try:
            return unpack(self._cipher.decrypt(stored.removeprefix(_PREFIX)).decode())
        except InvalidToken:
            raise CannotOpen(f"what is stored was encrypted with a key that {SETTING} does not hold") from None

    def seal_object(self, text: str) -> str:
        """A JSON object as it is stored, where that must be a JSON object again."""
        return text if self._cipher is None else json.dumps({_MARK: self.seal(text)})

    def open_object(self, stored: str) -> str:
        """The JSON object that was sealed. What was added to its envelope stands in it as well."""
        if f'"{_MARK}"' not in stored:
            return stored
        envelope: dict[str, JsonValue] = json.loads(stored)
        if not isinstance(sealed := envelope.pop(_MARK, None), str):
            return stored
        return json.dumps(json.loads(self.open(sealed)) | envelope, ensure_ascii=False)


async def require_key(redis: Redis, keys: Keys, codec: Codec) -> None:
    """Check once, at start, that all keys that were ever sealed with are configured; note the first one.

    Raises Misconfigured and says which are missing, by their fingerprints: nobody finds out in the middle of a case.
    """
    used = {str(name) for name in await redis.smembers(keys.sealing())}
    missing = sorted(used - set(codec.fingerprints))
    if missing and not codec.seals:
        raise Misconfigured(f"{SETTING} is not set, but what is stored under {keys.prefix!r} is encrypted")
    if missing:
        raise Misconfigured(
            f"{SETTING} lacks a key that was used before (fingerprint {', '.join(missing)}). "
            "Add it behind the new one, separated by a comma"
        )
    if codec.seals:
        await redis.sadd(keys.sealing(), codec.fingerprints[0])

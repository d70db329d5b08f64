"""At most one effect per `Idempotency-Key`, and the same answer every time it is asked for."""

import hashlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel

from deploy.local.backoffice.errors import Refusal


@dataclass(frozen=True)
class Answer:
    """The JSON that answers a write, and whether it was made by an earlier request."""

    body: str
    replayed: bool


def digest_of(operation: str, request: BaseModel) -> str:
    """What must be equal for two requests to be the same: the operation and the validated body."""
    return hashlib.sha256(f"{operation}\n{request.model_dump_json()}".encode()).hexdigest()


def once(connection: sqlite3.Connection, key: str, digest: str, now: datetime, effect: Callable[[], BaseModel]) -> Answer:
    """Carry out `effect` if `key` is new, else repeat its answer.

    Must run inside a write transaction: the lock that it holds is what makes two simultaneous requests queue up.
    A refused request leaves no trace of its key, so it may be tried again under the same key.
    Raises Refusal `key_reused` if the key was used for another request.
    """
    known = connection.execute("SELECT request_digest, body FROM answers WHERE key = ?", (key,)).fetchone()
    if known is not None:
        if known["request_digest"] != digest:
            raise Refusal("key_reused", "This Idempotency-Key was used for a different request. Use a new key.")
        return Answer(known["body"], replayed=True)
    body = effect().model_dump_json(exclude_none=True)
    connection.execute(
        "INSERT INTO answers (key, request_digest, body, at) VALUES (?, ?, ?, ?)",
        (key, digest, body, now.isoformat()),
    )
    return Answer(body, replayed=False)

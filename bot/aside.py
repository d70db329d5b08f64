"""Events that were set aside: what is kept of each, and what of that can be read."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.notice import Notice
from graph.model import Event, JsonValue, Lang
from graph.store.crypt import CannotOpen, Codec, is_sealed_object

CANNOT_OPEN: Final = "cannot_open"
"""Why a letter was set aside that no configured key opens."""
UNREADABLE: Final = "unreadable"
"""Why one was set aside that is no event."""


class DeadEvent(BaseModel):
    """An event that was set aside, whole: `raw` is its JSON, else what was found in its place; `why` the class of the last
    error, or a word. `obstacle` is why `raw` cannot be opened here, and what helps; `thread` is then empty where the whole
    record cannot be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: str
    thread: str
    why: str
    failures: int
    raw: str
    obstacle: str = Field(default="", exclude=True)

    @classmethod
    def opened(cls, event_id: str, stored: str, codec: Codec) -> DeadEvent:
        """The record of an event, as far as it can be opened. Raises nothing: one bad record hides no other."""
        try:
            # Records of earlier versions are sealed whole.
            dead = cls.model_validate_json(codec.open(stored))
        except CannotOpen as error:
            return cls(event=event_id, thread="", why=CANNOT_OPEN, failures=0, raw=stored, obstacle=str(error))
        except ValueError:
            return cls(event=event_id, thread="", why=UNREADABLE, failures=0, raw=stored)
        try:
            return dead.model_copy(update={"raw": codec.open_object(codec.open(dead.raw))})
        except CannotOpen as error:
            return dead.model_copy(update={"obstacle": str(error)})
        except ValueError:
            return dead

    def stored(self, codec: Codec) -> str:
        """As it is kept. Sealed is only what was said: whose thread it was, when, and what went wrong can be shown, and
        the thread be told, also without the key."""
        return self.model_copy(update={"raw": _sealed(self.raw, codec)}).model_dump_json()

    def letter(self) -> Event | None:
        """The event itself; None if it cannot be read."""
        try:
            return Event.model_validate_json(self.raw)
        except ValidationError:
            return None

    @property
    def at(self) -> str:
        """When the event came, ISO 8601, as far as that is known."""
        event = self.letter()
        if event is not None:
            return event.at.isoformat(timespec="seconds")
        at = _object(self.raw).get("at")
        with contextlib.suppress(ValueError, OverflowError, OSError):
            if isinstance(at, int):
                return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")
            return datetime.fromisoformat(str(at)).isoformat(timespec="seconds")
        return ""

    def failed(self) -> Notice:
        """What its thread is told when it is set aside."""
        return self._told("failed")

    def parked(self) -> Notice:
        """What its thread is told when an operator gives it up."""
        return self._told("parked")

    def _told(self, kind: str) -> Notice:
        event = self.letter()
        actor, lang = (event.actor.id, event.actor.lang) if event is not None else ("", _UNKNOWN)
        return Notice(
            id=f"{kind}:{self.event}",
            kind=kind,
            thread=self.thread,
            place="thread",
            to=self.thread,
            once=True,
            payload={"event": self.event, "actor": actor, "lang": lang},
        )


_UNKNOWN: Final[Lang] = "zh"


def _sealed(raw: str, codec: Codec) -> str:
    if not codec.seals or is_sealed_object(raw):
        return raw
    found = _object(raw)
    if not found:
        return codec.seal(raw)
    envelope: dict[str, JsonValue] = json.loads(codec.seal_object(raw))
    return json.dumps({"at": found.get("at")} | envelope)


def _object(raw: str) -> dict[str, JsonValue]:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}

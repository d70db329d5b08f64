"""What is to be shown, before it has words or blocks. The sender renders it."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, SkipValidation

from graph.json_text import canonical, dumps
from graph.model import JsonValue

PlaceKind = Literal["thread", "channel", "level", "user"]
TAKEN_BACK: Final = "taken_back"
"""The kind of a notice that removes messages: the posts of another, `of`, that do not count."""


class Notice(BaseModel):
    """One message to be posted, or to be edited where it was posted before under the same `id`.

    `to` is a thread id, the name of a level, or a user id, as `place` says; a channel is named by a thread in it. A `once`
    notice is never edited: a second one with its id is ignored. `payload` is all that the sender needs to render it.
    `thread` is the thread it is about. `under` is the id of the notice in whose thread it stands.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: str
    thread: str
    place: PlaceKind
    to: str
    once: bool = False
    under: str = ""
    payload: SkipValidation[dict[str, JsonValue]] = {}

    @property
    def destination(self) -> str:
        """The outbox queue it waits in: order is kept within one."""
        return f"{self.place}:{self.to}"

    @property
    def digest(self) -> str:
        """A fingerprint of all that is shown: two notices that look the same have the same."""
        content = {"kind": self.kind, "place": self.place, "to": self.to, "payload": self.payload}
        text = canonical(content)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def taken_back(self) -> Notice:
        """What removes the posts of this notice that do not count, in its turn."""
        id_ = f"{self.id}/taken_back/{secrets.token_hex(4)}"
        return self.model_copy(update={"id": id_, "kind": TAKEN_BACK, "once": True, "payload": {"of": self.id}})

    def parcel(self) -> str:
        """As the scripts take it: what they need to know beside the notice itself."""
        return dumps(
            {
                "id": self.id,
                "destination": self.destination,
                "digest": self.digest,
                "once": "1" if self.once else "0",
                "notice": self.model_dump_json(),
            }
        )


class Place(BaseModel):
    """Where a notice stands in Slack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    channel: str
    ts: str

"""Events that the desk sends to itself: as the scripts take them, for a mailbox."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from graph.model import Event
from graph.store.crypt import Codec

KEPT_SECONDS = 90 * 86400
"""How long it is remembered that such an event was delivered."""


def letters(events: Sequence[Event], codec: Codec) -> str:
    """The events without their time, which the script stamps; sealed as those that come from outside."""
    return json.dumps(
        [
            {
                "id": event.id,
                "thread": event.thread,
                "json": codec.seal_object(event.model_dump_json(exclude={"at"})),
                "said": microseconds(event.said_at or event.at),
            }
            for event in events
        ],
        ensure_ascii=False,
    )


def microseconds(moment: datetime) -> str:
    """A time since 1970, as mailboxes are ordered by. ValueError without a time zone."""
    if moment.tzinfo is None:
        raise ValueError("said_at needs a time zone")
    return str((moment - datetime.fromtimestamp(0, tz=moment.tzinfo)) // timedelta(microseconds=1))

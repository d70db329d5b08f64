"""A sender that went silent may only sleep: what is done about what it posts or edits after another went on."""

from __future__ import annotations

import json
import secrets
from typing import Final

from bot.notice import TAKEN_BACK, Notice
from bot.timers import timer_event

SWEEPS: Final = (60.0, 600.0, 7200.0)
"""Seconds after a sender was overtaken at which it is looked whether it has woken and posted after all. One that lives to
tell has it put right at once."""


def put_right(notice: Notice, after: int = 0) -> str:
    """What is to be done, after so many ms, about a sender that was overtaken, as the scripts take it. Nothing for what
    only one person sees, which is said at least once."""
    if notice.place == "user" or notice.kind == TAKEN_BACK:
        return ""
    event = f"timer:again/{secrets.token_hex(8)}"
    told = timer_event(event, notice.thread)
    late = {"of": notice.id, "thread": notice.thread, "event": event, "json": told, "after": after}
    return f'{json.dumps(late, ensure_ascii=False)[:-1]}, "back": {notice.taken_back().parcel()}}}'

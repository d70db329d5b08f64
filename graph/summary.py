"""What a model's words about the end of a run must not claim: no tool says that money has arrived, and the record says
who rejected, what was paid and what is left to do."""

from __future__ import annotations

import re

from graph.state import RunState

_ARRIVED = re.compile(r"到账|已到|收到(?:了|款|钱)|arrived|received|landed|reached (?:the|their|your)", re.IGNORECASE)
_REJECTED = re.compile(r"驳回|拒绝|未付|没有付|没付|取消|reject|declin|not paid|unpaid|cancel", re.IGNORECASE)
_NOTHING_LEFT = re.compile(
    r"无需|不需要|不用|没有待办|nothing (?:left|more|else)|no (?:further|manual|more)|not? need", re.IGNORECASE
)
_PAID = re.compile(r"已(?:提交|发起|支付|付款|完成)|已经(?:付|补)|submitted|(?:been|was|is) paid|compensated", re.I)


def is_prose(words: str) -> bool:
    """Whether these are words for people, not the data or code that a model gives when it has lost the thread."""
    return words.lstrip()[:1] not in ("{", "[", "`", "<")


def contradicts(words: str, run: RunState) -> bool:
    """Whether these words say something of the end that the run's own record does not bear out."""
    if _ARRIVED.search(words) or not is_prose(words):
        return True
    if run.status == "done":
        rejected = any(entry.what == "reject" for entry in run.trail)
        by_hand = any(route.kind == "manual_transfer" for entry in run.trail for route in entry.routes)
        return bool(_REJECTED.search(words) and not rejected) or bool(by_hand and _NOTHING_LEFT.search(words))
    return bool(not run.has_written and _PAID.search(words))

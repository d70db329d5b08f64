"""Whole messages that tell the desk what to do with the case: drop it, give it to somebody else."""

from __future__ import annotations

import re
from typing import Literal

from graph.fields.words import Source
from graph.reading.clauses import clauses
from graph.reading.fillers import courtesy
from graph.reading.stance import stance

_DROP = re.compile(
    r"取消|撤销|撤回|作废|终止|中止|不办了|不用办|不补了|不做了|(?<![a-z])(?:cancel|abort|scrap|drop|withdraw|call it off|"
    r"forget it|never ?mind)(?![a-z])"
)
_CASE = re.compile(r"工单|案子|(?<![a-z])(?:case|ticket)(?![a-z])")
_CASE_ZH = (
    "(?:请|麻烦|帮我|帮忙|把|这个?单子?|这个?工单|工单|单子|这个?案子|这件事|这个|剩下的|后面的|先|都|我|现在|那就|就| )*"
)
_ASKING_EN = "(?:(?:please|pls|can you|could you|just|now|let's) )*"
_CASE_EN = "(?:it|this|that|the case|this case)"
_GIVEN = re.compile(
    rf"{_CASE_ZH}(?:转给|转交给?|移交给?|交给|转到)[ ]*@.{{1,60}}|"
    rf"{_ASKING_EN}(?:hand (?:{_CASE_EN} )?over|(?:re)?assign {_CASE_EN}|(?:transfer|pass|give|move) {_CASE_EN}"
    rf"(?: on| over)?) to @.{{1,60}}"
)
_GIVEN_AWAY = re.compile(
    rf"{_CASE_ZH}(?:转交|移交|转给(?:其他|别的)?(?:同事|坐席|人))(?:给[^\s\d]{{1,6}})?(?:处理|跟进|一下|吧)*|"
    rf"{_ASKING_EN}(?:hand (?:{_CASE_EN} )?over|reassign)(?: {_CASE_EN})?(?: to [a-z ]{{1,30}})?"
)


def drops(text: str) -> bool:
    """Whether a message does nothing but drop the case: 这单不办了，谢谢."""
    norm = Source(text).norm
    parts = [norm[low:high] for low, high in clauses(norm)]
    telling = [part for part in parts if not courtesy(part)]
    return bool(telling) and all(stance(part, telling=True) == "cancel" and _DROP.search(part) for part in telling)


def names_case(text: str) -> bool:
    """Whether a message speaks of the case itself, not of what the guest ordered."""
    return _CASE.search(Source(text).norm) is not None


def hands_over(text: str) -> Literal["named", "unnamed", ""]:
    """Whether a message hands the case over, and to somebody it names with an `@`."""
    norm = Source(text).norm.strip(" \n,，.。!！~")
    if _GIVEN.fullmatch(norm):
        return "named"
    return "unnamed" if _GIVEN_AWAY.fullmatch(norm) else ""

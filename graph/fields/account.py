"""Account numbers: runs of digits that are no date, no telephone and no number of a ticket or an order."""

from __future__ import annotations

import re

from graph.fields.found import Found
from graph.fields.spec import FieldSpec
from graph.fields.words import any_of

_RUN = re.compile(r"(?<![a-z0-9-])[a-z0-9]+(?:[ -][a-z0-9]+)*")
_LONG_GROUP = 8  # two groups of so many digits are two accounts, not one in two parts
_WALLET = re.compile(
    any_of("支付宝|微信", "alipay|wechat(?: pay)?") + r"(?:账号|账户|帐号|号码?|手机号?|account|id|[ :：是为])*$",
    re.IGNORECASE,
)
_ELSE = re.compile(
    "|".join(
        [
            r"(?<!\d)\d{4} ?[-/.年] ?\d{1,2} ?[-/.月] ?\d{1,2}(?!\d) ?[日号]?",
            r"(?<![\d -])(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?![ -]?\d)",
            r"(?P<phone>\+\d{1,3}[ -]?\d(?:[ -]?\d){5,13}(?!\d)|(?<!\d)(?<!\d[ -])1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![ -]?\d))",
            r"(?<![a-z0-9])[a-z]{1,6}[-#]\d+(?:-\d+)*",
            any_of(
                "工单|订单|单号|票号|票|流水|参考|确认|预订|预定|护照|身份证|证件|航班|电话|手机",
                "ticket|order|case|booking|reference|ref|invoice|confirmation|passport|flight|phone|tel|mobile|call",
            )
            + r"(?:号码?|编号|number|no\.?|nr\.?|id|[ :#是为])*\d[\d -]*",
        ]
    ),
    re.IGNORECASE,
)
_WITH_STOPS = re.compile(rf"[ ,，;；、(（]*(?:{_ELSE.pattern})[)）]?", re.IGNORECASE)


def without_others(words: str) -> str:
    """What was said of an account without the telephone and ticket numbers beside it: the last four digits that people see
    must be the account's."""
    left = _WITH_STOPS.sub(lambda other: other.group() if _of_wallet(words, other) else "", words)
    return left.strip(" ,，;；、\n") or words


def accounts(text: str, spec: FieldSpec) -> list[Found]:
    """Runs of digits (and letters) that hold the field's pattern once spaces and dashes are taken out.

    A telephone number is an account only of a wallet that goes by it (支付宝, Alipay).
    """
    found = []
    pattern = re.compile(rf"(?<!\d)(?:{spec.pattern or chr(92) + 'd{8,34}'})(?!\d)", re.IGNORECASE)
    for run in _RUN.finditer(_ELSE.sub(lambda other: _hidden(text, other), text)):
        for part in _parts(run.group()):
            hits = pattern.finditer(re.sub(r"[ -]", "", part))
            found += [Found(run.start(), run.end(), hit.group()) for hit in hits]
    return found


def _hidden(text: str, other: re.Match[str]) -> str:
    """Signs that end a run, in place of what is no account."""
    return other.group() if _of_wallet(text, other) else "|" * len(other.group())


def _of_wallet(text: str, other: re.Match[str]) -> bool:
    """Whether a telephone number is the account of a wallet."""
    return bool(other["phone"] and _WALLET.search(text, max(0, other.start("phone") - 24), other.start("phone")))


def _parts(run: str) -> list[str]:
    groups = re.split("[ -]", run)
    long = sum(group.isdigit() and len(group) >= _LONG_GROUP for group in groups)
    return groups if long > 1 else [run]

"""Words from outside made safe to show: escaping, cutting, clock times and mentions.

Outside text (people, orders, tools, models) must show as text and ping nobody. Slack has no escape for its
formatting signs, so they are shown by their full-width twins, which no client formats; `& < >` become entities,
which no client reads as a mention or a link.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

from graph.model import Lang
from graph.phrases import say

OUTSIDE_LIMIT = 300
_INVISIBLE = {"Cc", "Cf", "Cs", "Co"}
_TWINS = str.maketrans("*~`", "＊～｀")
_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_EMOJI = re.compile(r"(?<!\d):(?=[\w+'-]+:)", re.ASCII)
_TOKEN = re.compile(r"<[^<>]*>|&(?:amp|lt|gt);|.", re.DOTALL)
_PERSON = re.compile(r"[UW][A-Z0-9]{2,}")
_CHANNEL = re.compile(r"[CG][A-Z0-9]{2,}")
_LINK = re.compile(r"https?://[^\s<>|\"]{1,2900}")


def sound(raw: str) -> str:
    """The text without halves of surrogate pairs, which cannot be sent."""
    return raw.encode("utf-8", "ignore").decode("utf-8")


def tidy(raw: str, limit: int = OUTSIDE_LIMIT) -> str:
    """One line without control and direction signs, which could fake a line or turn an amount around; cut at `limit`."""
    spaced = "".join(
        " " if sign.isspace() else sign
        for sign in raw[: 4 * limit + 100]
        if sign.isspace() or unicodedata.category(sign) not in _INVISIBLE
    )
    line = " ".join(spaced.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def plain(raw: str, limit: int = OUTSIDE_LIMIT) -> str:
    """Outside text for `plain_text` objects: headers, buttons, labels. Formatting signs are harmless there."""
    return tidy(raw, limit).replace("<", "＜").replace(">", "＞")


def md(raw: str, limit: int = OUTSIDE_LIMIT) -> str:
    """Outside text for `mrkdwn` objects and the top-level text."""
    line = _EMOJI.sub("：", _UNDERSCORE.sub("＿", tidy(raw, limit).translate(_TWINS)))
    if line.startswith(">"):
        # Slack quotes a line that begins with this sign, escaped or not.
        line = "＞" + line[1:]
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def md_lines(raw: str, limit: int) -> str:
    """As `md`, keeping the lines: for answers and passages of our own handbook."""
    return "\n".join(md(line, limit) for line in raw[: 2 * limit].splitlines() if line.strip())


def cut(marked: str, limit: int) -> str:
    """Text with Slack's marks, cut between signs so that no entity, mention or date is torn."""
    if len(marked) <= limit:
        return marked
    kept, room = [], limit - 1
    for token in _TOKEN.findall(marked):
        if len(token) > room:
            break
        kept.append(token)
        room -= len(token)
    return "".join(kept).rstrip() + "…"


def push(lead: str, tail: str, limit: int = 150) -> str:
    """A card's top-level text: `lead` is cut to leave room for `tail`, the case's id."""
    tail = cut(tail, limit // 2)
    return cut(lead, limit - len(tail)) + tail


def clock(at: str, *, day: bool = False) -> str:
    """A clock time in the reader's zone, from ISO 8601; `day` adds the day. Clients that cannot, show UTC."""
    try:
        moment = datetime.fromisoformat(at)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        epoch = int(moment.timestamp())
    except (ValueError, OverflowError):
        return "–"
    if epoch < 0:
        return "–"
    form = "{date_short_pretty} {time}" if day else "{time}"
    return f"<!date^{epoch}^{form}|{moment:%Y-%m-%d %H:%M}>" if day else f"<!date^{epoch}^{form}|{moment:%H:%M}>"


def clock_after(at: str, since: str) -> str:
    """A clock time on a card that was made at `since`: with its day, where it may be another one than the card's."""
    try:
        due, made = datetime.fromisoformat(at), datetime.fromisoformat(since)
        same = due.astimezone(UTC).date() == made.astimezone(UTC).date()
    except (ValueError, OverflowError):
        same = True
    return clock(at, day=not same)


def mention(person: str) -> str:
    """A mention of a person by id, which pings; an id that is none of Slack's is shown as a name."""
    return f"<@{person}>" if _PERSON.fullmatch(person) else f"@{md(person, 40)}"


def is_person(identity: str) -> bool:
    """Whether an id is one of Slack's user ids."""
    return _PERSON.fullmatch(identity) is not None


def channel(name: str) -> str:
    """A link to a channel by id, or its name."""
    return f"<#{name}>" if _CHANNEL.fullmatch(name) else f"#{md(name, 80)}"


def is_link(address: str) -> bool:
    """Whether an address can stand in Slack's marks without breaking out of them."""
    return _LINK.fullmatch(address) is not None


def link(address: str, words: str) -> str:
    """Words that lead to an address; the words alone where there is no usable one."""
    return f"<{address}|{words}>" if is_link(address) else words


def quoted(raw: str, lang: Lang, limit: int = OUTSIDE_LIMIT) -> str:
    """Someone's very words, in quotation marks, for `mrkdwn`."""
    return say("cards.quoted", lang, words=md(raw, limit))


def listed(items: list[str], lang: Lang) -> str:
    """Items in a row."""
    return say("cards.list", lang).join(items)


def capital(words: str) -> str:
    """The first letter large, as a sentence opens."""
    return words[:1].upper() + words[1:]

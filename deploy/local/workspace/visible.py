"""What a person reads: Block Kit and mrkdwn flattened to words, and the controls among them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from .elements import every_element, options
from .escaping import unescape
from .model import Json, Message, View
from .world import World

_REFERENCE = re.compile(r"<([^<>]+)>")
_BOUND = r"(?<![\w{c}]){c}(?=\S)([^{c}\n]+?)(?<=\S){c}(?![\w{c}])"
_MARKS = [re.compile(_BOUND.format(c=re.escape(mark))) for mark in "*_~"]
_CODE = re.compile(r"(```[\s\S]+?```|`[^`\n]+`)")
_DATE_TOKEN = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Control:
    """Something that can be pressed or filled. `label` is what is written on or over it."""

    kind: str
    label: str
    action_id: str
    block_id: str
    value: str | None = None
    style: str | None = None
    choices: tuple[str, ...] = ()
    confirm: str | None = None


class Reader:
    """Reads as one person does: names, dates in their zone, no markup."""

    def __init__(self, world: World, user: str | None = None) -> None:
        self._world = world
        person = world.users.get(user or "")
        self._zone = timezone(timedelta(seconds=person.tz_offset)) if person else UTC

    def mrkdwn(self, text: str) -> str:
        """mrkdwn as words: references resolved, emphasis marks gone, entities as characters."""
        out = []
        for index, part in enumerate(_CODE.split(text)):
            if index % 2:
                out.append(unescape(part.strip("`")))
                continue
            plain = part
            for mark in _MARKS:
                plain = mark.sub(r"\1", plain)
            out.append(unescape(_REFERENCE.sub(self._reference, plain)))
        return "".join(out)

    def text(self, item: Json | None) -> str:
        """A text object as words."""
        if not item:
            return ""
        return self.mrkdwn(item["text"]) if item["type"] == "mrkdwn" else unescape(item["text"])

    def blocks(self, blocks: Iterable[Json]) -> str:
        """All blocks, one line each part."""
        return "\n".join(line for block in blocks for line in self._lines(block) if line)

    def _reference(self, match: re.Match[str]) -> str:
        body, _, label = match[1].partition("|")
        world = self._world
        if body.startswith("@"):
            user = world.users.get(body[1:])
            return f"@{user.display}" if user else label or body
        if body.startswith("#"):
            channel = world.channels.get(body[1:])
            return f"#{channel.name}" if channel else f"#{label}"
        if body.startswith("!date^"):
            return self._date(body) or label
        if body.startswith("!subteam^"):
            group = world.groups.get(body.removeprefix("!subteam^"))
            return f"@{group.handle}" if group else label
        if body.startswith("!"):
            return f"@{body[1:]}"
        return label or body

    def _date(self, body: str) -> str:
        parts = body.split("^")
        if len(parts) < 3 or not parts[1].isdigit():
            return ""
        moment = datetime.fromtimestamp(int(parts[1]), self._zone)
        today = datetime.now(self._zone).date()
        forms = {
            "date_num": f"{moment:%Y-%m-%d}", "date": f"{moment:%B} {moment.day}, {moment.year}",
            "date_short": f"{moment:%b} {moment.day}, {moment.year}",
            "date_long": f"{moment:%A, %B} {moment.day}, {moment.year}",
            "time": f"{moment:%H:%M}", "time_secs": f"{moment:%H:%M:%S}",
        }
        days = {0: "today", -1: "yesterday", 1: "tomorrow"}.get((moment.date() - today).days)
        for name in ("date", "date_short", "date_long"):
            forms[f"{name}_pretty"] = days or forms[name]
        return _DATE_TOKEN.sub(lambda token: forms.get(token[1], token[0]), parts[2])

    def _lines(self, block: Json) -> list[str]:
        match block["type"]:
            case "section":
                fields = [self.text(item) for item in block.get("fields") or []]
                side = [block["accessory"]] if block.get("accessory") else []
                return [self.text(block.get("text")), *fields, self._row(side)]
            case "header":
                return [self.text(block["text"])]
            case "context":
                return [" ".join(self._context(item) for item in block["elements"])]
            case "actions":
                return [self._row(block["elements"])]
            case "input":
                hint = self.text(block.get("hint"))
                return [self.text(block["label"]), self._row([block["element"]]), hint]
            case "image":
                return [self.text(block.get("title")), block["alt_text"]]
            case "rich_text":
                return [_rich(block, self)]
            case _:
                return []

    def _context(self, item: Json) -> str:
        return str(item["alt_text"]) if item["type"] == "image" else self.text(item)

    def _row(self, items: list[Json]) -> str:
        return " ".join(filter(None, (self._element(item) for item in items)))

    def _element(self, item: Json) -> str:
        match item["type"]:
            case "button":
                return f"[{self.text(item['text'])}]"
            case "image":
                return str(item["alt_text"])
            case "overflow":
                return "[⋯ " + " / ".join(self.text(option["text"]) for option in item["options"]) + "]"
            case "static_select" | "multi_static_select" | "radio_buttons" | "checkboxes":
                words = [self.text(option["text"]) for option in options(item)]
                return "[" + " / ".join(filter(None, [self.text(item.get("placeholder")), *words])) + "]"
            case _:
                return str(item.get("initial_value") or self.text(item.get("placeholder")))


def _rich(node: Json, reader: Reader) -> str:
    match node["type"]:
        case "text":
            return str(node["text"])
        case "link":
            return str(node.get("text") or node["url"])
        case "user":
            return reader.mrkdwn(f"<@{node['user_id']}>")
        case "channel":
            return reader.mrkdwn(f"<#{node['channel_id']}>")
        case "emoji":
            return f":{node['name']}:"
    inner = [_rich(child, reader) for child in node.get("elements", [])]
    return ("\n" if node["type"] in ("rich_text", "rich_text_list") else "").join(inner)


def visible_text(item: Message | View, world: World, user: str | None = None) -> str:
    """All words of a message or view as `user` sees them (dates in UTC if no user is given)."""
    reader = Reader(world, user)
    if isinstance(item, View):
        frame = [reader.text(item.body.get("title")), reader.blocks(item.blocks)]
        frame += [f"[{reader.text(item.body[key])}]" for key in ("submit", "close") if item.body.get(key)]
        return "\n".join(filter(None, [*frame, *item.errors.values()]))
    return reader.blocks(item.blocks) if item.blocks else reader.mrkdwn(item.text)


def controls(item: Message | View) -> list[Control]:
    """The buttons, menus and fields of a message or view, in order."""
    found = []
    for block, element in every_element(item.blocks):
        label = element.get("text") or block.get("label") or element.get("placeholder") or {"text": ""}
        found.append(Control(
            element["type"], unescape(label["text"]), element["action_id"], block["block_id"], element.get("value"),
            element.get("style"), tuple(unescape(option["text"]["text"]) for option in options(element)),
            element["confirm"]["text"]["text"] if element.get("confirm") else None,
        ))
    return found

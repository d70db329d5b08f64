"""Blocks and elements within Slack's limits, and the card they make up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict
from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ConfirmObject,
    ContextBlock,
    HeaderBlock,
    InteractiveElement,
    MarkdownTextObject,
    Option,
    OverflowMenuElement,
    PlainTextObject,
    SectionBlock,
    StaticSelectElement,
)

from blocks.budget import MENU_LIMIT, MESSAGE_LIMIT, Json, fitted, size
from blocks.press import BUTTON_LIMIT, OPTION_LIMIT, Do, Press, action_id
from blocks.text import cut, is_link, plain

HEADER_LIMIT, SECTION_LIMIT, TEXT_LIMIT = 150, 3000, 150
MESSAGE_BLOCKS, BUTTON_TEXT, MENU_OPTIONS, OVERFLOW_OPTIONS, ROW_ELEMENTS = 50, 75, 100, 5, 25


class Card(BaseModel):
    """A message: `text` is what phones push and screen readers read, `blocks` what is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    blocks: list[Json]


def card(text: str, *parts: Block | None) -> Card:
    """A message of these blocks, in order; None is left out. Ids become unique, the whole keeps to Slack's limits."""
    return Card(text=cut(text, TEXT_LIMIT) or "–", blocks=fitted(numbered(parts, MESSAGE_BLOCKS), MESSAGE_LIMIT))


def numbered(parts: Iterable[Block | None], limit: int) -> list[Json]:
    """Blocks as JSON, at most `limit`, with block ids and action ids that are unique among them."""
    made: list[Json] = []
    buttons, used = 0, set[str]()
    for block in [part for part in parts if part is not None][:limit]:
        if not block.block_id or block.block_id in used:
            block.block_id = f"b.{len(made)}"
        used.add(block.block_id)
        for element in _elements(block):
            element.action_id = f"{element.action_id}.{buttons}"
            buttons += 1
        made.append(block.to_dict())
    return made


def header(words: str) -> Block:
    """A large line of plain text."""
    return HeaderBlock(text=_label(words, HEADER_LIMIT))


def section(*lines: str, accessory: ButtonElement | None = None) -> Block | None:
    """Marked lines; None when all are empty."""
    text = "\n".join(line for line in lines if line)
    return SectionBlock(text=_marked(text), accessory=accessory) if text else None


def context(*lines: str) -> Block | None:
    """Small grey marked lines; None when all are empty."""
    text = "\n".join(line for line in lines if line)
    return ContextBlock(elements=[_marked(text)]) if text else None


def actions(*elements: InteractiveElement | None) -> Block | None:
    """Buttons in a row; None when there are none."""
    kept = [element for element in elements if element is not None][:ROW_ELEMENTS]
    return ActionsBlock(elements=kept) if kept else None


def button(
    label: str,
    press: Press | None,
    *,
    spoken: str = "",
    primary: bool = False,
    again: ConfirmObject | None = None,
    url: str = "",
) -> ButtonElement | None:
    """A button. `spoken` is what a screen reader says, `again` a second question. None without a press that fits."""
    value = _encoded(press, BUTTON_LIMIT)
    if press is None or value is None:
        return None
    return ButtonElement(
        text=_label(label, BUTTON_TEXT),
        action_id=action_stem(press.do),
        value=value,
        url=url if is_link(url) else None,
        style="primary" if primary else None,
        confirm=again,
        accessibility_label=plain(spoken, BUTTON_TEXT) or None,
    )


def again(title: str, words: str, yes: str, no: str) -> ConfirmObject:
    """The dialog that asks once more before a press is sent."""
    return ConfirmObject(
        title=_label(title, 100),
        text=PlainTextObject(text=plain(words, 300) or "–", emoji=False),
        confirm=_label(yes, 30),
        deny=_label(no, 30),
    )


def option(label: str, press: Press | None, url: str = "") -> Option | None:
    """A menu's option. None without a press that fits."""
    value = _encoded(press, OPTION_LIMIT)
    if value is None:
        return None
    return Option(text=_label(label, BUTTON_TEXT), value=value, url=url if is_link(url) else None)


def overflow(*options: Option | None) -> OverflowMenuElement | None:
    """The menu behind three dots; None when it is empty."""
    kept = [choice for choice in options if choice is not None][:OVERFLOW_OPTIONS]
    return OverflowMenuElement(action_id=action_stem("more"), options=kept) if kept else None


def menu(placeholder: str, options: Sequence[Option | None]) -> StaticSelectElement | None:
    """A menu of which one is chosen; None when it is empty."""
    kept: list[Option] = []
    taken = 0
    for choice in [choice for choice in options if choice is not None][:MENU_OPTIONS]:
        taken += size(choice.to_dict())
        if taken <= MENU_LIMIT:
            kept.append(choice)
    if not kept:
        return None
    return StaticSelectElement(placeholder=_label(placeholder, 150), action_id=action_stem("more"), options=kept)


def action_stem(do: Do) -> str:
    """An action id that still lacks its number."""
    return action_id(do, 0).removesuffix(".0")


def paragraphs(lines: Iterable[str]) -> list[Block | None]:
    """Marked lines gathered into as few sections as hold them."""
    packs: list[list[str]] = [[]]
    taken = 0
    for line in lines:
        if taken + len(line) + 1 > SECTION_LIMIT:
            packs.append([])
            taken = 0
        packs[-1].append(line)
        taken += len(line) + 1
    return [section(*pack) for pack in packs]


def _encoded(press: Press | None, limit: int) -> str | None:
    try:
        return press.encode(limit) if press else None
    except ValueError:
        return None


def _label(words: str, limit: int) -> PlainTextObject:
    return PlainTextObject(text=plain(words, limit) or "–", emoji=False)


def _marked(words: str) -> MarkdownTextObject:
    # Verbatim, so that Slack makes no links or mentions of its own out of plain words.
    return MarkdownTextObject(text=cut(words, SECTION_LIMIT), verbatim=True)


def _elements(block: Block) -> list[InteractiveElement]:
    if isinstance(block, ActionsBlock):
        return [element for element in block.elements if isinstance(element, InteractiveElement)]
    if isinstance(block, SectionBlock) and isinstance(block.accessory, InteractiveElement):
        return [block.accessory]
    return []

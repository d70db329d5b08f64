"""Slack's limits, checked as Slack does: a refusal names the place by json pointer and the limit that was broken."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from .errors import ApiError
from .kit_blocks import Image, Input, MessageBlocks, Section, ViewArgument
from .model import Json

MESSAGE_TEXT = 40_000
MESSAGE_BLOCKS_TOTAL = 13_200
"""Characters of a message's blocks as JSON. Slack publishes no number; refusals have been seen from about here."""
VIEW_BYTES = 250_000
METADATA_BYTES = 16_000


def _reason(kind: str, context: Mapping[str, Any], message: str, value: object) -> str:
    match kind:
        case "string_too_long":
            return f"must be less than {context['max_length'] + 1} characters"
        case "string_too_short":
            return f"must be more than {context['min_length'] - 1} characters"
        case "too_long":
            return f"no more than {context['max_length']} items allowed"
        case "too_short":
            return f"no fewer than {context['min_length']} items required"
        case "union_tag_invalid":
            tags = context["expected_tags"].replace("~", "")
            return f"unsupported type: {str(context['tag']).removeprefix('~')} (allowed here: {tags})"
        case "slack":
            return str(context["reason"])
        case "literal_error":
            return f"must be one of {context['expected']}"
        case "string_pattern_mismatch":
            return f"must match {context['pattern']}"
        case "extra_forbidden" | "missing":
            return ""
        case _:
            return f"{message[:1].lower()}{message[1:]}, got {type(value).__name__}"


def _problems(error: ValidationError) -> list[str]:
    out = []
    for item in error.errors():
        path = [part for part in item["loc"] if not str(part).startswith("~")]
        context = item.get("ctx") or {}
        reason = _reason(item["type"], context, item["msg"], item["input"])
        if item["type"] in ("missing", "extra_forbidden"):
            word = "missing required field" if item["type"] == "missing" else "invalid additional property"
            reason = f"{word}: {path.pop()}"
        if item["type"] == "union_tag_invalid":
            path.append("type")
        pointer = "".join(f"/{part}" for part in path) + str(context.get("at", ""))
        out.append(f"{reason} [json-pointer:{pointer}]")
    return out


def _elements(block: BaseModel) -> Iterable[tuple[str, BaseModel]]:
    if isinstance(block, Input):
        yield "/element", block.element
    elif isinstance(block, Section):
        if block.accessory:
            yield "/accessory", block.accessory
    elif not isinstance(block, Image):
        for index, element in enumerate(getattr(block, "elements", [])):
            yield f"/elements/{index}", element


def _repeated_ids(blocks: Iterable[BaseModel], root: str) -> list[str]:
    out: list[str] = []
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        block_id = getattr(block, "block_id", None)
        if block_id is not None and block_id in seen:
            out.append(f"block_id {block_id!r} already exists [json-pointer:{root}/{index}/block_id]")
        seen.add(block_id or "")
        actions: set[str] = set()
        for pointer, element in _elements(block):
            action = getattr(element, "action_id", None)
            if action is not None and action in actions:
                out.append(
                    f"action_id {action!r} already exists in this block [json-pointer:{root}/{index}{pointer}/action_id]"
                )
            actions.add(action or "")
    return out


def check_blocks(blocks: object) -> list[str]:
    """What is wrong with a message's blocks; empty if Slack would take them."""
    try:
        parsed = MessageBlocks.model_validate({"blocks": blocks})
    except ValidationError as error:
        return _problems(error)
    return _repeated_ids(parsed.blocks, "/blocks")


def check_view(view: object) -> list[str]:
    """What is wrong with a modal or home view; empty if Slack would take it."""
    try:
        parsed = ViewArgument.model_validate({"view": view})
    except ValidationError as error:
        return _problems(error)
    return _repeated_ids(parsed.view.blocks, "/view/blocks")


def require_message(text: str, blocks: list[Json], metadata: Json | None, attachments: list[Json], has_files: bool) -> None:
    """Raise ApiError if Slack would refuse the message."""
    if not text and not blocks and not attachments and not has_files:
        raise ApiError("no_text")
    if len(text) > MESSAGE_TEXT:
        raise ApiError("msg_too_long", [f"must be less than {MESSAGE_TEXT + 1} characters [json-pointer:/text]"])
    if problems := check_blocks(blocks):
        raise ApiError("invalid_blocks", problems)
    size = len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))
    if size > MESSAGE_BLOCKS_TOTAL:
        limit = f"blocks are {size} characters, no more than {MESSAGE_BLOCKS_TOTAL} allowed [json-pointer:/blocks]"
        raise ApiError("msg_blocks_too_long", [limit])
    if metadata is not None:
        if not isinstance(metadata.get("event_type"), str) or not isinstance(metadata.get("event_payload"), dict):
            raise ApiError("invalid_metadata_format", ["event_type and event_payload are required"])
        if len(json.dumps(metadata).encode()) > METADATA_BYTES:
            raise ApiError("metadata_too_large", [f"no more than {METADATA_BYTES} bytes allowed [json-pointer:/metadata]"])


def require_view(view: object, kind: str | None = None) -> Json:
    """The view, if Slack would take it; else ApiError `invalid_arguments`."""
    if not isinstance(view, dict):
        raise ApiError("invalid_arguments", ["must be a JSON object [json-pointer:/view]"])
    if problems := check_view(view):
        raise ApiError("invalid_arguments", problems)
    if kind and view["type"] != kind:
        raise ApiError("invalid_arguments", [f"must be one of '{kind}' [json-pointer:/view/type]"])
    if len(json.dumps(view, ensure_ascii=False).encode()) > VIEW_BYTES:
        raise ApiError("view_too_large", [f"no more than {VIEW_BYTES} bytes allowed [json-pointer:/view]"])
    return view

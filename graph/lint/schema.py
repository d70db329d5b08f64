"""The JSON Schema of a procedure's file, made from what the loader reads, for completion in an editor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.model import JsonValue
from graph.sop_file import SopFile, Vocabulary

_KEYS: Mapping[str, str] = {
    "name": "What the procedure is called in commands: small letters, digits and _.",
    "title": "What people call it.",
    "description": "When it is to be used. A request is matched against these words.",
    "fields": "Fields of fields.yaml.",
    "steps": "What is done, in this order.",
    "id": "The step's own name; no two are alike.",
    "kind": "What the step does.",
    "when": "The step is passed over where this is not true.",
    "why": "Why the step is there, for people.",
    "tool": "The interface that is called.",
    "args": "What the interface is given: a fact, or a literal, for each argument.",
    "save_as": "The name under which the result is kept as a fact.",
    "on_error": "Where to go when the interface refuses, by its code.",
    "repeat": "true: a write is done once more when the step is passed again; false: what was done stands.",
    "rules": "Rules in code. The first that does not pass stops the case.",
    "on_fail": "Where to go instead of stopping, by the rule's name.",
    "prompt": "What is asked.",
    "on_no": "Where a no leads.",
    "tiers": "Who decides up to which amount, from small to large; the last has no max.",
    "amount": "The fact the tiers go by.",
    "max": "The largest amount of this tier, as a number.",
    "level": "A level of approvals.yaml, or auto for nobody.",
    "on_reject": "Where a rejection leads, by level; without it the case stops.",
    "on_expire": "What happens when nobody decided in time: ask whether to submit again, stop, or where to go.",
    "separate": "false: only whoever opened the case may not decide; otherwise nobody who set a fact may.",
    "remind_after": "When the level is reminded, in its working hours.",
    "escalate_after": "When the level above is asked, too.",
    "expire_after": "When the request expires.",
    "on_approve": "Where an approval leads; without it, on to the next step.",
}


def schema_of(words: Vocabulary) -> dict[str, JsonValue]:
    """The schema, with the tools, rules, fields and levels of this vocabulary proposed."""
    schema: dict[str, JsonValue] = SopFile.model_json_schema()
    proposed = {
        "tool": sorted(words.tools),
        "rules": sorted(words.rules),
        "fields": sorted(words.fields),
        "level": ["auto", *words.authority.levels],
    }
    definitions = schema.get("$defs")
    for each in (schema, *(definitions.values() if isinstance(definitions, dict) else ())):
        if isinstance(each, dict):
            _describe(each, proposed)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "A procedure"}


def _describe(model: dict[str, JsonValue], proposed: Mapping[str, Sequence[str]]) -> None:
    properties = model.get("properties")
    for name, each in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(each, dict):
            continue
        each.pop("title", None)
        each["description"] = _KEYS.get(name) or each.get("description") or model.get("description") or name
        if name in proposed:
            choice: JsonValue = {"anyOf": [{"enum": list(proposed[name])}, {"type": "string"}]}
            if each.get("type") == "array":
                # A field may also be defined in the procedure itself.
                defined = "$ref" in str(each.get("items"))
                each["items"] = {"anyOf": [choice, {"type": "object"}]} if defined else choice
            else:
                each.pop("type", None)
                each["anyOf"] = [{"enum": list(proposed[name])}, {"type": "string"}]

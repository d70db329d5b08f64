"""What every write has: a key that makes it happen once, a checked body, and an answer that says whether it is new."""

import re
from typing import TypeVar

from aiohttp import web
from pydantic import BaseModel, ValidationError

from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.idempotency import Answer
from deploy.local.backoffice.models import BAD_AMOUNT
from deploy.local.backoffice.replies import json_reply

Body = TypeVar("Body", bound=BaseModel)

_KEY = re.compile(r"[!-~]{1,200}")


def written(answer: Answer) -> web.Response:
    """201 for what was done now, 200 for what was done before under the same key."""
    if answer.replayed:
        return json_reply(answer.body, headers={"Idempotent-Replayed": "true"})
    return json_reply(answer.body, status=201)


def key_of(request: web.Request) -> str:
    """The request's Idempotency-Key; raises Refusal `key_required`."""
    key = request.headers.get("Idempotency-Key", "")
    if not _KEY.fullmatch(key):
        raise Refusal(
            "key_required", "Send the header Idempotency-Key: 1 to 200 visible ASCII characters, the same on a retry."
        )
    return key


async def body_of(request: web.Request, model: type[Body]) -> Body:
    """The request's body; raises Refusal for one that is not as it must look."""
    try:
        return model.model_validate_json(await request.read())
    except ValidationError as wrong:
        raise _as_refusal(wrong) from wrong


def query_of(request: web.Request, model: type[Body]) -> Body:
    """The request's query as a model; raises Refusal for one that is not as it must look."""
    try:
        return model.model_validate(dict(request.query))
    except ValidationError as wrong:
        raise _as_refusal(wrong) from wrong


def _as_refusal(wrong: ValidationError) -> Refusal:
    # include_input=False: what was sent may be an account number, and this text is returned and logged.
    first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return Refusal("bad_json", "The body is not valid JSON.")
    name = str(first["loc"][0]) if first["loc"] else "body"
    if first["type"] == "extra_forbidden":
        return Refusal("bad_request", "The body has a key that is not known here; see the interface description.")
    code = BAD_AMOUNT if name in ("amount", "currency") else "bad_request"
    return Refusal(code, f"{name}: {first['msg']}")

"""The forms that every answer takes."""

import json

from aiohttp import web


def json_reply(body: str, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON answer from JSON text."""
    return web.Response(text=body, status=status, content_type="application/json", headers=headers)


def error_reply(status: int, code: str, message: str) -> web.Response:
    """`{"error": {"code", "message"}}`: the code for programs, the message for people."""
    return json_reply(json.dumps({"error": {"code": code, "message": message}}), status=status)

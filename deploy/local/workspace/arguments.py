"""The arguments of a Web API call, from a form, JSON or the query, read strictly."""

import base64
import json
from dataclasses import dataclass, field

from aiohttp import web

from .errors import ApiError
from .model import Json


@dataclass
class Arguments:
    """One call's arguments. Each reader raises ApiError in Slack's words."""

    values: Json = field(default_factory=dict)
    token: str | None = None

    @classmethod
    async def of(cls, request: web.Request) -> "Arguments":
        """Parse a request body."""
        values: Json = dict(request.query)
        if request.content_type == "application/json":
            try:
                body = await request.json()
            except ValueError:
                raise ApiError("invalid_json") from None
            if not isinstance(body, dict):
                raise ApiError("json_not_object")
            values |= body
        elif request.can_read_body:
            values |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
        scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
        token = bearer.strip() if scheme.lower() == "bearer" else values.pop("token", None)
        return cls(values, token)

    def text(self, name: str, default: str = "") -> str:
        """A string argument."""
        value = self.values.get(name)
        if value is None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise ApiError("invalid_arguments", [f"must be a string [json-pointer:/{name}]"])
        return value

    def optional(self, name: str) -> str | None:
        """A string argument, None if absent or empty."""
        return self.text(name) or None

    def required(self, name: str) -> str:
        """A string argument that must be there."""
        value = self.text(name)
        if not value:
            raise ApiError("invalid_arguments", [f"missing required field: {name} [json-pointer:/{name}]"])
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean argument in any of the spellings that Slack takes."""
        value = self.values.get(name, default)
        return value if isinstance(value, bool) else str(value).lower() in ("true", "1", "yes")

    def number(self, name: str, default: int, largest: int) -> int:
        """A whole number between 1 and `largest`."""
        try:
            value = int(self.values.get(name) or default)
        except (TypeError, ValueError):
            raise ApiError("invalid_arguments", [f"must be an integer [json-pointer:/{name}]"]) from None
        if not 1 <= value <= largest:
            raise ApiError("invalid_limit", [f"must be 1 to {largest} [json-pointer:/{name}]"])
        return value

    def has(self, name: str) -> bool:
        """Whether the argument was given at all."""
        return self.values.get(name) is not None

    def decoded(self, name: str, error: str) -> object:
        """An argument that is JSON, or JSON in a string."""
        value = self.values.get(name)
        if isinstance(value, str):
            try:
                return json.loads(value) if value else None
            except ValueError:
                raise ApiError(error, [f"is not valid JSON [json-pointer:/{name}]"]) from None
        return value

    def objects(self, name: str, error: str) -> list[Json]:
        """An argument that is a list of objects."""
        value = self.decoded(name, error)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise ApiError(error, [f"must be an array of objects [json-pointer:/{name}]"])
        return value

    def object(self, name: str, error: str) -> Json | None:
        """An argument that is an object."""
        value = self.decoded(name, error)
        if value is not None and not isinstance(value, dict):
            raise ApiError(error, [f"must be an object [json-pointer:/{name}]"])
        return value

    def page(self, items: list[Json], default: int = 100, largest: int = 1000) -> tuple[list[Json], str]:
        """One page of `items` by `cursor` and `limit`, and the cursor of the next (empty at the end)."""
        limit = self.number("limit", default, largest)
        start = 0
        if cursor := self.text("cursor"):
            try:
                start = int(base64.urlsafe_b64decode(cursor).decode().removeprefix("next:"))
            except ValueError:
                raise ApiError("invalid_cursor") from None
        rest = len(items) > start + limit
        following = base64.urlsafe_b64encode(f"next:{start + limit}".encode()).decode() if rest else ""
        return items[start : start + limit], following

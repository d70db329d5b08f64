"""The back office over HTTP: one request, with its answer checked and its refusals named."""

from __future__ import annotations

from typing import TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from graph.errors import ToolRefused, ToolUnavailable
from graph.failpoints import around
from graph.json_text import dumps

M = TypeVar("M", bound=BaseModel)


class _Refusal(BaseModel):
    code: str
    message: str = ""


class _RefusalBody(BaseModel):
    error: _Refusal


class BackOffice:
    """A client of one back office. `client` carries the base URL, the headers and the time limits of connecting; it is told
    of nothing else by its answers, such as cookies."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._base = str(client.base_url).rstrip("/")
        self._extensions = {"timeout": client.timeout.as_dict()}

    async def get(self, path: str, answer: type[M]) -> M:
        """Read `path`. ToolRefused for a clear no, ToolUnavailable for anything that is no usable answer."""
        return await self._ask("GET", path, answer, None, None)

    async def post(self, path: str, body: dict[str, str], answer: type[M], *, key: str | None) -> M:
        """Write to `path` under an idempotency key. Errors as `get`."""
        return await self._ask("POST", path, answer, body, key)

    async def _ask(self, method: str, path: str, answer: type[M], body: dict[str, str] | None, key: str | None) -> M:
        try:
            asking = self._client.send(self._request(method, path, body, key))
            response = await around("backoffice.read" if method == "GET" else "backoffice.write", asking)
        except (httpx.TimeoutException, TimeoutError) as error:
            raise ToolUnavailable("slow") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ToolUnavailable("down") from error
        if response.status_code >= 500 or response.status_code in (408, 425, 429):
            raise ToolUnavailable("down", f"the back office answered {response.status_code}")
        if response.status_code >= 400:
            raise _refused(response)
        try:
            return answer.model_validate_json(response.content)
        except ValidationError as error:
            raise ToolUnavailable("nonsense", f"{method} answered what {answer.__name__} cannot hold") from error

    def _request(self, method: str, path: str, body: dict[str, str] | None, key: str | None) -> httpx.Request:
        """Made whole at once: httpx takes as long to put one together out of what its client has as to send it."""
        headers = self._client.headers.copy()
        if key:
            headers["Idempotency-Key"] = key
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else dumps(body)
        return httpx.Request(method, f"{self._base}{path}", headers=headers, content=content, extensions=self._extensions)


def _refused(response: httpx.Response) -> ToolRefused | ToolUnavailable:
    try:
        refusal = _RefusalBody.model_validate_json(response.content).error
    except ValidationError:
        return ToolUnavailable("nonsense", f"status {response.status_code} without a readable reason")
    return ToolRefused(refusal.code, refusal.message)

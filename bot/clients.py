"""Slack's Web API clients, and what went wrong when a call failed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from aiohttp import ClientError
from pydantic import BaseModel, ValidationError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry import HttpRequest, HttpResponse, RetryState
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.settings import Settings

CALL_TIMEOUT = 10
"""Seconds for one call of the Web API."""
_DOUBTFUL = ("internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org")
_T = TypeVar("_T")
_M = TypeVar("_M", bound=BaseModel)


def quiet_logger(name: str) -> logging.Logger:
    """A logger for Slack's libraries. At DEBUG they write whole requests, which hold customers' data: never below INFO."""
    logger = logging.getLogger(f"sopdesk.slack.{name}")
    logger.setLevel(logging.INFO)
    return logger


class _Limits(AsyncRetryHandler):
    """Tells of every 429, and leaves what to do to the others."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self._tell = tell

    async def can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        """See the base class."""
        if response is not None and response.status_code == 429:
            self._tell()
        return False


def asking_client(
    settings: Settings, token: str | None = None, *, on_limit: Callable[[], None] = lambda: None
) -> AsyncWebClient:
    """For calls that may be repeated: reading, opening a form, editing. Repeats after 429, 5xx and broken lines.
    `on_limit` is called for every 429."""
    return AsyncWebClient(
        token=token or _token(settings),
        base_url=settings.slack_api_url,
        timeout=CALL_TIMEOUT,
        logger=quiet_logger("ask"),
        retry_handlers=[
            _Limits(on_limit),
            AsyncRateLimitErrorRetryHandler(max_retry_count=2),
            AsyncConnectionErrorRetryHandler(max_retry_count=2),
            AsyncServerErrorRetryHandler(max_retry_count=2),
        ],
    )


def posting_client(settings: Settings, *, on_limit: Callable[[], None] = lambda: None) -> AsyncWebClient:
    """For posts. Never repeats by itself: a post that seemed to fail may stand in the channel. The sender decides."""
    return AsyncWebClient(
        token=_token(settings),
        base_url=settings.slack_api_url,
        timeout=CALL_TIMEOUT,
        logger=quiet_logger("post"),
        retry_handlers=[_Limits(on_limit)],
    )


class SlackFailed(Exception):
    """A call of the Web API failed.

    `code` is Slack's word (`channel_not_found`), `http_503`, or `no_answer`. `doubtful`: the call may have had its
    effect. `retry_after`: seconds to wait, where Slack said so.
    """

    def __init__(self, code: str, *, doubtful: bool = False, retry_after: float | None = None) -> None:
        super().__init__(f"Slack answered {code}")
        self.code = code
        self.doubtful = doubtful
        self.retry_after = retry_after


async def asked(call: Awaitable[_T], within: float = CALL_TIMEOUT * 6) -> _T:
    """The answer of one call, repetitions included. Raises SlackFailed, whatever the library raised."""
    try:
        async with asyncio.timeout(within):
            return await call
    except SlackApiError as error:
        raise _failed(error) from error
    except (SlackClientError, ClientError, OSError, TimeoutError) as error:
        raise SlackFailed("no_answer", doubtful=True) from error


async def read(shape: type[_M], call: Awaitable[AsyncSlackResponse]) -> _M:
    """The answer of one call as `shape`. Raises SlackFailed, also where the answer has another shape."""
    answer = await asked(call)
    try:
        return shape.model_validate(answer.data)
    except ValidationError as error:
        raise SlackFailed("unreadable_answer") from error


def _failed(error: SlackApiError) -> SlackFailed:
    response = error.response
    if not isinstance(response, AsyncSlackResponse):
        return SlackFailed("no_answer", doubtful=True)
    code = response.data.get("error") if isinstance(response.data, dict) else None
    if response.status_code == 429 or code in ("ratelimited", "rate_limited"):
        return SlackFailed("ratelimited", retry_after=_seconds(response.headers))
    doubtful = response.status_code >= 500 or code is None or code in _DOUBTFUL
    return SlackFailed(str(code or f"http_{response.status_code}"), doubtful=doubtful)


def _seconds(headers: Mapping[str, str]) -> float:
    for name, value in headers.items():
        if name.lower() == "retry-after" and value.isdecimal():
            return max(1.0, float(value))
    return 1.0


def _token(settings: Settings) -> str | None:
    return settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None

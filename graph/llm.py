"""The one small door to a language model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeVar

from langchain_core.exceptions import LangChainException
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, OpenAIError
from pydantic import BaseModel, SecretStr, ValidationError

from graph.errors import ModelUnavailable

Message = tuple[Literal["system", "human"], str]
T = TypeVar("T", bound=BaseModel)

FAILURES_TO_OPEN = 3
SECONDS_OPEN = 30.0
#: What the client raises for an endpoint that is down, slow, or speaks something else (an HTML page with status 200).
_NO_ANSWER = (OpenAIError, LangChainException, TimeoutError, ValueError, TypeError, LookupError, AttributeError)


class Llm(Protocol):
    """What reading and writing need of a model. Both raise ModelUnavailable, which counts the calls made."""

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """One call whose answer is a JSON object of the shape `reply`."""
        ...

    async def words(self, messages: Sequence[Message]) -> str:
        """One call whose answer is plain words."""
        ...


class OpenAiLlm:
    """Any endpoint that speaks OpenAI's chat protocol. One HTTP request a call, never a retry.

    After three failures in a row it is left alone for half a minute, so that a dead endpoint costs no one a wait.
    `timeout` is in seconds. `mode` says how JSON is asked for; not every endpoint knows schemas.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: SecretStr,
        base_url: str | None,
        timeout: float = 15,
        mode: Literal["json_mode", "json_schema"] = "json_mode",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # A client of its own: the library's default is shared by the whole process and bound to its first event loop.
        self._client = DefaultAsyncHttpxClient(timeout=timeout)
        self._chat = ChatOpenAI(
            model=model,
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=0,
            temperature=0,
            http_async_client=self._client,
        )
        self._mode = mode
        self._timeout = timeout
        self._clock = clock
        self._failures = 0
        self._closed_until = 0.0

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """One call whose answer is a JSON object of the shape `reply`; ModelUnavailable where it is not."""
        content = await self._call(messages, self._format(reply))
        try:
            answer = reply.model_validate_json(content)
        except ValidationError as error:
            raise self._failed("the model's answer is not the JSON that was asked for") from error
        self._failures = 0
        return answer

    async def words(self, messages: Sequence[Message]) -> str:
        """One call whose answer is plain words; ModelUnavailable where there are none."""
        content = (await self._call(messages, None)).strip()
        if not content:
            raise self._failed("the model's answer is empty")
        self._failures = 0
        return content

    def _format(self, reply: type[BaseModel]) -> dict[str, object]:
        if self._mode == "json_mode":
            return {"type": "json_object"}
        schema = {"name": reply.__name__, "schema": reply.model_json_schema(), "strict": False}
        return {"type": "json_schema", "json_schema": schema}

    async def _call(self, messages: Sequence[Message], response_format: dict[str, object] | None) -> str:
        if self._clock() < self._closed_until:
            raise ModelUnavailable("the model failed several times in a row and is left alone for a while", calls=0)
        chat = self._chat if response_format is None else self._chat.bind(response_format=response_format)
        try:
            async with asyncio.timeout(self._timeout):
                answer = await chat.ainvoke(list(messages))
        except _NO_ANSWER as error:
            raise self._failed(f"the model gave no answer: {type(error).__name__}") from error
        if answer.response_metadata.get("finish_reason") == "length":
            raise self._failed("the model's answer was cut off")
        return str(answer.text)

    def _failed(self, why: str) -> ModelUnavailable:
        """The error of one call that was made. The third in a row, and each one after it, closes the door for a while."""
        self._failures += 1
        if self._failures >= FAILURES_TO_OPEN:
            self._closed_until = self._clock() + SECONDS_OPEN
        return ModelUnavailable(why)

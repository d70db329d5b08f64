"""A language model behind an endpoint. Imported only where one is configured: its libraries take a second to load."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from langchain_core.exceptions import LangChainException
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, OpenAIError
from pydantic import BaseModel, SecretStr, ValidationError

from graph.errors import ModelUnavailable
from graph.llm import JsonMode, Message
from graph.metering import spend

T = TypeVar("T", bound=BaseModel)

FAILURES_TO_OPEN = 3
SECONDS_OPEN = 30.0
_TOLD, _QUOTED = 5, 400
#: What the client raises for an endpoint that is down, slow, or speaks something else (an HTML page with status 200).
_NO_ANSWER = (OpenAIError, LangChainException, TimeoutError, ValueError, TypeError, LookupError, AttributeError)


class OpenAiLlm:
    """Any endpoint that speaks OpenAI's chat protocol. A request that fails is never sent again; an answer of the
    wrong shape is asked for once more.

    After three failures in a row it is left alone for half a minute, so that a dead endpoint costs no one a wait.
    `timeout` is in seconds. `mode` says how JSON is asked for; not every endpoint knows schemas or functions.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: SecretStr,
        base_url: str | None,
        timeout: float = 15,
        mode: JsonMode = "json_mode",
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
        """An answer of the shape `reply`. What has not that shape is asked for once more, with what is wrong with it;
        ModelUnavailable where that does not help. Both tries together take no longer than one may."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        asked = list(messages)
        for attempt in (1, 2):
            content = await self._call(asked, self._shape(reply), deadline, attempt)
            try:
                answer = reply.model_validate_json(content)
            except ValidationError as error:
                asked = [*messages, ("human", _again(content, error))]
            else:
                self._failures = 0
                return answer
        raise self._failed("the model's answer is not the JSON that was asked for", calls=2)

    async def words(self, messages: Sequence[Message]) -> str:
        """One call whose answer is plain words; ModelUnavailable where there are none."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        content = (await self._call(messages, None, deadline)).strip()
        if not content:
            raise self._failed("the model's answer is empty")
        self._failures = 0
        return content

    def _shape(self, reply: type[BaseModel]) -> dict[str, object]:
        """How the endpoint is told what shape the answer has."""
        name, schema = reply.__name__, reply.model_json_schema()
        if self._mode == "function_calling":
            function = {"type": "function", "function": {"name": name, "parameters": schema}}
            return {"tools": [function], "tool_choice": {"type": "function", "function": {"name": name}}}
        if self._mode == "json_schema":
            return {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": name, "schema": schema, "strict": False},
                }
            }
        return {"response_format": {"type": "json_object"}}

    async def _call(
        self, messages: Sequence[Message], shape: dict[str, object] | None, deadline: float, attempt: int = 1
    ) -> str:
        if self._clock() < self._closed_until:
            raise ModelUnavailable("the model failed several times in a row and is left alone for a while", calls=0)
        chat = self._chat if shape is None else self._chat.bind(**shape)
        try:
            spend(calls=1)
            async with asyncio.timeout_at(deadline):
                answer = await chat.ainvoke(list(messages))
        except _NO_ANSWER as error:
            raise self._failed(f"the model gave no answer: {type(error).__name__}", attempt) from error
        if usage := answer.usage_metadata:
            spend(read=usage["input_tokens"], written=usage["output_tokens"])
        if answer.response_metadata.get("finish_reason") == "length":
            raise self._failed("the model's answer was cut off", attempt)
        return _content(answer)

    def _failed(self, why: str, calls: int = 1) -> ModelUnavailable:
        """The error of the calls that were made. The third in a row, and each one after it, closes the door for a while."""
        self._failures += 1
        if self._failures >= FAILURES_TO_OPEN:
            self._closed_until = self._clock() + SECONDS_OPEN
        return ModelUnavailable(why, calls=calls)


def _content(answer: AIMessage) -> str:
    """The answer's text; of a function call its arguments, which may be no JSON at all."""
    if answer.tool_calls:
        return json.dumps(answer.tool_calls[0]["args"])
    if answer.invalid_tool_calls:
        return answer.invalid_tool_calls[0]["args"] or ""
    return str(answer.text)


def _again(content: str, error: ValidationError) -> str:
    """What is wrong with an answer, as the model is told. Its own words come back as data, cut to what is useful."""
    wrong = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'answer'}: {each['msg']}" for each in error.errors()[:_TOLD])
    return (
        f"Your answer was not the JSON object that was asked for ({wrong}). It began: {json.dumps(content[:_QUOTED])}. "
        "Answer again, with that JSON object and nothing else."
    )

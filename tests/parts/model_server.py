"""An OpenAI-compatible model endpoint in this process, which says what a test scripted.

    server = ModelServer()
    await server.start()
    server.script = lambda messages, request: '{"mode": "task"}'
    ... ChatOpenAI(base_url=server.url, api_key="test", model="scripted") ...
    server.calls[0].messages[-1].text

What has been put into `next` is said first, one reply a call; then the script is asked. Tokens are counted as words
and, in Chinese, as characters.
"""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

FinishReason = Literal["stop", "length", "content_filter"]
_TOKEN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")
_SMALLEST_PIECE: Final = 8
_MOST_PIECES: Final = 200
_BIG: Final = 1_000_000


class ChatMessage(BaseModel):
    """One message of a request."""

    model_config = ConfigDict(extra="allow")

    role: str
    content: str | list[dict[str, object]] | None = None

    @property
    def text(self) -> str:
        """The content as text, the text parts of a list joined."""
        if isinstance(self.content, list):
            return "".join(str(part.get("text", "")) for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """What a streaming request wants beside the text."""

    include_usage: bool = False


class Function(BaseModel):
    """A function that may be called."""

    model_config = ConfigDict(extra="allow")

    name: str


class Tool(BaseModel):
    """One entry of `tools`."""

    model_config = ConfigDict(extra="allow")

    function: Function


class ChatRequest(BaseModel):
    """A request as it came in; keys that are not named here are in `model_extra`."""

    model_config = ConfigDict(extra="allow")

    model: str
    messages: list[ChatMessage]
    stream: bool = False
    stream_options: StreamOptions | None = None
    response_format: dict[str, object] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    tools: list[Tool] = Field(default_factory=list)


@dataclass(frozen=True)
class Reply:
    """What the server does with one request; the class methods make the usual misfortunes.

    `delay` is in seconds, before anything is sent. `body` replaces the whole HTTP body, to break the protocol itself.
    """

    text: str = ""
    finish_reason: FinishReason = "stop"
    status: int = 200
    delay: float = 0.0
    retry_after: int | None = None
    body: str | None = None
    reset: bool = False

    @classmethod
    def error(cls, status: int, *, retry_after: int | None = None) -> "Reply":
        """An HTTP error in OpenAI's form; `retry_after` in seconds."""
        return cls(status=status, retry_after=retry_after)

    @classmethod
    def slow(cls, text: str, seconds: float) -> "Reply":
        """The text, after a while."""
        return cls(text, delay=seconds)

    @classmethod
    def truncated(cls, text: str) -> "Reply":
        """Text that ended because the token limit was reached."""
        return cls(text, finish_reason="length")

    @classmethod
    def broken_json(cls) -> "Reply":
        """Text that stops in the middle of a JSON object, though the model claims to be done."""
        return cls('{"amount": 30')

    @classmethod
    def broken_body(cls) -> "Reply":
        """An HTTP body that is not JSON, as a proxy in between may send it."""
        return cls(body="<html>upstream connect error</html>")

    @classmethod
    def empty(cls) -> "Reply":
        """No text at all."""
        return cls("")

    @classmethod
    def huge(cls) -> "Reply":
        """A megabyte of text."""
        return cls("x" * _BIG)

    @classmethod
    def connection_reset(cls) -> "Reply":
        """The connection is cut instead of an answer."""
        return cls(reset=True)


Script = Callable[[list[ChatMessage], ChatRequest], str | Reply | Awaitable[str | Reply]]


class ModelServer:
    """The endpoint. `calls` holds every request in order; one that nothing was scripted for is refused with 400."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script
        self.next: deque[str | Reply] = deque()
        self.calls: list[ChatRequest] = []
        self._runner: web.AppRunner | None = None
        self._url = ""

    @property
    def url(self) -> str:
        """The base URL for clients; it ends in `/v1`."""
        if not self._url:
            raise RuntimeError("The model server has no address yet. Call start() first.")
        return self._url

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes any free port."""
        app = web.Application(client_max_size=16 * 2**20)
        app.add_routes([web.post("/v1/chat/completions", self._complete), web.get("/v1/models", self._models)])
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        await web.TCPSite(runner, host, port).start()
        self._runner = runner
        self._url = f"http://{host}:{runner.addresses[0][1]}/v1"

    async def stop(self) -> None:
        """Close the port; requests that still wait are dropped."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    def then(self, *replies: str | Reply, times: int = 1) -> None:
        """Say these next, in order, all of them `times` times, before the script is asked again."""
        self.next.extend(replies * times)

    def reset(self) -> None:
        """Forget the calls, what was to be said next, and the script."""
        self.calls.clear()
        self.next.clear()
        self.script = None

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        try:
            asked = ChatRequest.model_validate_json(await request.read())
        except ValidationError as wrong:
            return _error(400, f"This is not a chat request: {wrong}")
        self.calls.append(asked)
        reply = await self._reply(asked)
        if reply is None:
            return _error(400, "No reply is scripted for this call. Set server.script, or call server.then(...).")
        await asyncio.sleep(reply.delay)
        if reply.reset:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        if reply.status != 200:
            return _error(reply.status, "An error set by a test.", reply.retry_after)
        if reply.body is not None:
            return web.Response(text=reply.body, content_type="text/html")
        completion = _Completion(f"chatcmpl-{len(self.calls)}", int(time.time()), asked, reply)
        if asked.stream:
            return await _stream(request, completion)
        return web.json_response(completion.whole())

    async def _reply(self, asked: ChatRequest) -> Reply | None:
        if self.next:
            said: str | Reply = self.next.popleft()
        elif self.script is not None:
            scripted = self.script(asked.messages, asked)
            said = await scripted if isinstance(scripted, Awaitable) else scripted
        else:
            return None
        return said if isinstance(said, Reply) else Reply(said)

    async def _models(self, _request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model", "owned_by": "test"}]})


def count_tokens(text: str) -> int:
    """How many tokens this server takes a text for."""
    return len(_TOKEN.findall(text))


@dataclass(frozen=True)
class _Completion:
    id: str
    created: int
    asked: ChatRequest
    reply: Reply

    def whole(self) -> dict[str, object]:
        message: dict[str, object] = {"role": "assistant", "content": self.reply.text, "refusal": None}
        if self.asked.tools:
            call = {"name": self.asked.tools[0].function.name, "arguments": self.reply.text}
            message |= {"content": None, "tool_calls": [{"id": "call-1", "type": "function", "function": call}]}
        choice = {"index": 0, "message": message, "finish_reason": self.reply.finish_reason, "logprobs": None}
        return {**self._frame("chat.completion"), "choices": [choice], "usage": self.usage()}

    def chunks(self) -> Iterator[dict[str, object]]:
        yield self._chunk({"role": "assistant", "content": ""})
        text = self.reply.text
        size = max(_SMALLEST_PIECE, len(text) // _MOST_PIECES)
        for start in range(0, len(text), size):
            yield self._chunk({"content": text[start : start + size]})
        yield self._chunk({}, self.reply.finish_reason)
        if self.asked.stream_options is not None and self.asked.stream_options.include_usage:
            yield {**self._frame("chat.completion.chunk"), "choices": [], "usage": self.usage()}

    def usage(self) -> dict[str, int]:
        prompt = sum(count_tokens(message.text) for message in self.asked.messages)
        said = count_tokens(self.reply.text)
        return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}

    def _chunk(self, delta: dict[str, str], finish_reason: FinishReason | None = None) -> dict[str, object]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        return {**self._frame("chat.completion.chunk"), "choices": [choice]}

    def _frame(self, kind: str) -> dict[str, object]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.asked.model}


async def _stream(request: web.Request, completion: _Completion) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    await response.prepare(request)
    for chunk in completion.chunks():
        await response.write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _error(status: int, message: str, retry_after: int | None = None) -> web.Response:
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    error = {"message": message, "type": "server_error" if status >= 500 else "invalid_request_error", "code": None}
    return web.json_response({"error": error}, status=status, headers=headers)

"""The scripted model server, driven by the client that the bot uses."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import openai
import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.parts.model_server import ChatMessage, ChatRequest, ModelServer, Reply, count_tokens

ASKED = [SystemMessage("Answer in JSON."), HumanMessage("给 KL-778 补 80 美元")]


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A running server with nothing scripted."""
    running = ModelServer()
    await running.start()
    yield running
    await running.stop()


def model(server: ModelServer, *, retries: int = 0, timeout: float = 5.0) -> ChatOpenAI:
    """The client, as the bot builds it."""
    return ChatOpenAI(
        base_url=server.url, api_key=SecretStr("test"), model="scripted", max_retries=retries, timeout=timeout
    )


async def test_json_mode_of_langchain_gets_the_scripted_text_and_usage(server: ModelServer) -> None:
    """ChatOpenAI bound to a JSON object returns what the script said, with the tokens counted."""

    def script(messages: list[ChatMessage], request: ChatRequest) -> str:
        assert request.response_format == {"type": "json_object"}
        return f'{{"heard": "{messages[-1].text}"}}'

    server.script = script
    answer = await model(server).bind(response_format={"type": "json_object"}).ainvoke(ASKED)
    assert answer.content == '{"heard": "给 KL-778 补 80 美元"}'
    assert answer.usage_metadata is not None
    prompt = count_tokens("Answer in JSON.") + count_tokens("给 KL-778 补 80 美元")
    assert answer.usage_metadata["input_tokens"] == prompt == 3 + 6
    assert answer.usage_metadata["total_tokens"] == prompt + answer.usage_metadata["output_tokens"]
    assert [message.role for message in server.calls[0].messages] == ["system", "user"]


async def test_streaming_gives_the_same_text_and_usage(server: ModelServer) -> None:
    """A streamed reply comes in pieces that add up, and the last one carries the usage."""
    text = "已为订单 KL-778 发起补偿。" * 20
    server.then(text)
    pieces = [piece async for piece in model(server).astream(ASKED, stream_usage=True)]
    assert "".join(str(piece.content) for piece in pieces) == text
    assert len(pieces) > 3
    used = [piece.usage_metadata for piece in pieces if piece.usage_metadata]
    assert [usage["output_tokens"] for usage in used] == [count_tokens(text)]
    assert server.calls[0].stream


async def test_queued_replies_come_before_the_script(server: ModelServer) -> None:
    """What was put in line is said first, in order, then the script is asked, which may be a coroutine."""

    async def script(_messages: list[ChatMessage], _request: ChatRequest) -> str:
        await asyncio.sleep(0)
        return "from the script"

    server.script = script
    server.then("first", "second")
    said = [str((await model(server).ainvoke(ASKED)).content) for _ in range(3)]
    assert said == ["first", "second", "from the script"]


async def test_an_error_strikes_as_often_as_told_and_then_goes(server: ModelServer) -> None:
    """Two 503s are ridden out by a client with two retries, and all three requests are in the call log."""
    server.script = lambda _messages, _request: "well again"
    server.then(Reply.error(503, retry_after=0), times=2)
    assert (await model(server, retries=2).ainvoke(ASKED)).content == "well again"
    assert len(server.calls) == 3


async def test_a_truncated_reply_raises_in_json_mode(server: ModelServer) -> None:
    """finish_reason length reaches the client as the error that it makes of it."""
    server.then(Reply.truncated('{"amount": "3'))
    with pytest.raises(openai.LengthFinishReasonError):
        await model(server).bind(response_format={"type": "json_object"}).ainvoke(ASKED)


@pytest.mark.parametrize(
    ("reply", "text"),
    [(Reply.broken_json(), '{"amount": 30'), (Reply.empty(), ""), (Reply.huge(), "x" * 1_000_000)],
    ids=["broken", "empty", "huge"],
)
async def test_odd_texts_arrive_unchanged(server: ModelServer, reply: Reply, text: str) -> None:
    """Broken JSON, nothing, and a megabyte are delivered as they are."""
    server.then(reply)
    assert (await model(server).bind(response_format={"type": "json_object"}).ainvoke(ASKED)).content == text


async def test_a_cut_connection_is_a_connection_error(server: ModelServer) -> None:
    """A reset shows as the client's connection error, not as an answer."""
    server.then(Reply.connection_reset())
    with pytest.raises(openai.APIConnectionError):
        await model(server).ainvoke(ASKED)


async def test_a_slow_reply_runs_into_the_clients_time_limit(server: ModelServer) -> None:
    """A delay longer than the client's limit is a timeout."""
    server.then(Reply.slow("too late", 30.0))
    with pytest.raises(openai.APITimeoutError):
        await model(server, timeout=0.2).ainvoke(ASKED)


async def test_a_broken_body_is_not_taken_for_an_answer(server: ModelServer) -> None:
    """A body that is not JSON never becomes text of the model."""
    server.then(Reply.broken_body())
    async with httpx.AsyncClient() as client:
        body = {"model": "scripted", "messages": [{"role": "user", "content": "hi"}]}
        answer = await client.post(f"{server.url}/chat/completions", json=body)
    assert answer.status_code == 200
    with pytest.raises(ValueError, match="Expecting value"):
        answer.json()


async def test_a_call_that_nothing_was_scripted_for_is_refused(server: ModelServer) -> None:
    """An unexpected call fails at once and says what to set."""
    with pytest.raises(openai.BadRequestError, match="No reply is scripted"):
        await model(server, retries=2).ainvoke(ASKED)
    assert len(server.calls) == 1


async def test_models_are_listed(server: ModelServer) -> None:
    """GET /v1/models answers in OpenAI's form."""
    async with httpx.AsyncClient() as client:
        listed = (await client.get(f"{server.url}/models")).json()
    assert [entry["id"] for entry in listed["data"]] == ["scripted"]

"""HTTP mode: signed requests to the bot's request URLs."""

import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from urllib.parse import urlencode

import aiohttp

from .delivery import Attempt, NotAcknowledged
from .errors import BotUnreachable
from .faults import Faults
from .model import Json


@dataclass(frozen=True)
class RequestUrls:
    """Where the bot takes events, clicks and forms, and commands."""

    events: str
    interactivity: str
    commands: str


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Slack's v0 signature of a request body."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


class HttpMode:
    """Posts each payload to its request URL, signed, and takes HTTP 200 within the time limit as acknowledgement."""

    def __init__(self, urls: RequestUrls, secret: str, faults: Faults, ack_timeout: float) -> None:
        self._urls = urls
        self._secret = secret
        self._faults = faults
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ack_timeout))

    async def verify(self, token: str) -> None:
        """The url_verification handshake; BotUnreachable if the challenge does not come back."""
        payload: Json = {"type": "url_verification", "token": token, "challenge": "c-" + hashlib.sha1(
            str(time.time_ns()).encode(), usedforsecurity=False).hexdigest()}
        try:
            answer = await self.deliver(Attempt("events_api", payload))
        except NotAcknowledged as refusal:
            raise BotUnreachable(f"{self._urls.events} did not answer url_verification: {refusal}") from refusal
        echoed = answer.get("challenge") if isinstance(answer, dict) else answer
        if echoed != payload["challenge"]:
            raise BotUnreachable(f"{self._urls.events} did not return the challenge, but {answer!r}")

    async def deliver(self, attempt: Attempt) -> Json | str | None:
        """Post one payload; the body of the 200 is the answer."""
        if self._faults.offline:
            raise NotAcknowledged("connection_failed")
        url, content_type, body = self._request(attempt)
        timestamp = str(int(time.time()))
        headers = {
            "Content-Type": content_type, "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature(self._secret, timestamp, body), "User-Agent": "Slackbot 1.0",
        }
        if attempt.number:
            headers |= {"X-Slack-Retry-Num": str(attempt.number), "X-Slack-Retry-Reason": attempt.reason}
        try:
            async with self._session.post(url, data=body, headers=headers) as response:
                if response.status != 200:
                    raise NotAcknowledged("http_error")
                text = await response.text()
                return json.loads(text) if text and "json" in response.content_type else text or None
        except TimeoutError:
            raise NotAcknowledged("http_timeout") from None
        except (aiohttp.ClientError, ValueError):
            raise NotAcknowledged("connection_failed") from None

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    def _request(self, attempt: Attempt) -> tuple[str, str, bytes]:
        form = "application/x-www-form-urlencoded"
        match attempt.kind:
            case "events_api":
                return self._urls.events, "application/json", json.dumps(attempt.payload).encode()
            case "interactive":
                body = urlencode({"payload": json.dumps(attempt.payload)})
                return self._urls.interactivity, form, body.encode()
            case "slash_commands":
                return self._urls.commands, form, urlencode(attempt.payload).encode()

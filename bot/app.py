"""Bolt: every delivery is handed to the edge, and acknowledged after it was stored, never before (law 6)."""

from __future__ import annotations

import asyncio
import logging
import re

from pydantic import BaseModel, ConfigDict
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext, AsyncRespond
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from blocks import Card
from bot.clients import asked, quiet_logger, read
from bot.edge import Edge
from bot.settings import Settings, hidden_from_libraries
from graph.errors import SopdeskError

ANY = re.compile(r".*", re.DOTALL)
_log = logging.getLogger(__name__)


class _Identity(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    user_id: str
    bot_id: str | None = None


class _WhoAmI:
    """Asks Slack once who the bot is. A failure raises, so that the delivery is not acknowledged and comes again."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._known: _Identity | None = None
        self._asking = asyncio.Lock()

    async def identity(self) -> _Identity:
        """The bot's own user."""
        async with self._asking:
            if self._known is None:
                self._known = await read(_Identity, self._client.auth_test())
            return self._known


def build_app(settings: Settings, client: AsyncWebClient, edge: Edge) -> AsyncApp:
    """The Bolt app. `client` holds the bot's token; listeners run to their end before Slack hears of it."""
    secret = settings.slack_signing_secret
    who = _WhoAmI(client)

    async def authorize(enterprise_id: str | None, team_id: str | None, user_id: str | None) -> AuthorizeResult:
        bot = await who.identity()
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            user_id=user_id,
            bot_id=bot.bot_id,
            bot_user_id=bot.user_id,
            bot_token=client.token,
        )

    logger = quiet_logger("bolt")
    # Above INFO: at INFO Bolt logs the whole body of a request with a bad signature.
    logger.setLevel(logging.WARNING)
    with hidden_from_libraries():
        app = AsyncApp(
            name="sopdesk",
            logger=logger,
            signing_secret=secret.get_secret_value() if secret else None,
            # Without a token of its own, else Bolt acknowledges deliveries whenever auth.test fails.
            client=AsyncWebClient(base_url=client.base_url, timeout=client.timeout, logger=quiet_logger("bolt.client")),
            authorize=authorize,
            process_before_response=True,
        )

    async def on_event(body: dict[str, object], context: AsyncBoltContext) -> None:
        await edge.event(body, context.bot_user_id or "")

    async def on_click(body: dict[str, object], ack: AsyncAck) -> None:
        await edge.click(body)
        await ack()

    async def on_form(body: dict[str, object], ack: AsyncAck) -> None:
        errors = await edge.form(body)
        await (ack(response_action="errors", errors=errors) if errors else ack(response_action="clear"))

    async def on_shortcut(body: dict[str, object], ack: AsyncAck) -> None:
        await edge.shortcut(body)
        await ack()

    async def on_command(body: dict[str, object], ack: AsyncAck, respond: AsyncRespond) -> None:
        async def show(card: Card) -> None:
            answer = await asked(respond(text=card.text, blocks=card.blocks, response_type="ephemeral"))
            plain = [block for block in card.blocks if block.get("type") != "image"]
            if answer.status_code >= 400 and len(plain) < len(card.blocks):
                # Slack may not have made a picture ready yet; the words say the same.
                await asked(respond(text=card.text, blocks=plain, response_type="ephemeral"))

        await edge.command(body, show)
        await ack()

    app.event(ANY)(on_event)
    app.action(ANY)(on_click)
    app.view(ANY)(on_form)
    app.view_closed(ANY)(_nothing)
    app.options(ANY)(_nothing)
    app.shortcut(ANY)(on_shortcut)
    app.command(ANY)(on_command)
    app.error(_on_error)
    return app


async def _nothing(ack: AsyncAck) -> None:
    await ack()


async def _on_error(error: Exception) -> None:
    """Slack gets a 500, or no acknowledgement, and delivers again. Bodies and foreign messages stay out of the log."""
    what = str(error) if isinstance(error, SopdeskError) else type(error).__name__
    _log.error("a delivery was not taken in, Slack will send it again: %s", what)


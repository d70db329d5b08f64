"""`make demo`: Redis, back office, local workspace and bot, in one go."""

from __future__ import annotations

import asyncio
import os
import sys

from pydantic import SecretStr

from bot.settings import Settings
from bot.wiring.laptop import Running, on_laptop
from bot.wiring.service import log_to_stderr, open_service, stop_on_signals
from bot.wiring.vocabulary import load_library
from deploy.local.workspace import Workspace
from graph.errors import Misconfigured
from graph.phrases import say


async def run_demo(settings: Settings, port: int) -> None:
    """Serve the local workspace until SIGINT or SIGTERM. Misconfigured when the port or the state is in use."""
    log_to_stderr(settings)
    library = load_library(settings.sopdesk_sops)
    async with on_laptop(settings, join=False) as reachable:
        workspace = Workspace()
        try:
            await workspace.start(port=port)
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else "a port is 0 to 65535"
            raise Misconfigured(f"port {port} cannot be used ({why}); give another one with --port") from error
        stopping, ready = stop_on_signals(), asyncio.Event()
        try:
            async with open_service(_towards(reachable, workspace), library) as service:
                running = asyncio.create_task(service.run(stopping, ready), name="service")
                waiting = asyncio.create_task(ready.wait(), name="ready")
                await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if ready.is_set():
                    _announce(reachable, workspace.url)
                await running
        finally:
            Running.file(settings.sopdesk_state).unlink(missing_ok=True)
            await workspace.stop()


def _towards(settings: Settings, workspace: Workspace) -> Settings:
    seed = workspace.world.seed
    return settings.model_copy(
        update={
            "slack_bot_token": SecretStr(seed.bot_token),
            "slack_app_token": SecretStr(seed.app_token),
            "slack_api_url": workspace.api_url,
            "sopdesk_post_interval": 0.0,
        }
    )


def _announce(settings: Settings, url: str) -> None:
    running = Running(pid=os.getpid(), redis_url=settings.redis_url or "", backoffice_url=settings.backoffice_url or "")
    Running.file(settings.sopdesk_state).write_text(running.model_dump_json(), encoding="utf-8")
    model = settings.sopdesk_model if settings.openai_api_key is not None else None
    for lang in ("zh", "en"):
        reading = say("demo.with_model", lang, model=model) if model else say("demo.without_model", lang)
        words = say("demo.ready", lang, url=url, backoffice=settings.backoffice_url or "", reading=reading)
        print(words, file=sys.stdout, flush=True)

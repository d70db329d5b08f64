"""`python -m deploy.local.workspace`: run the workspace alone and print what the bot needs to join it."""

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path

from .driver import Workspace
from .errors import BotUnreachable
from .seed import Seed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m deploy.local.workspace", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the page itself is served to this machine only")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--manifest", type=Path, help="take commands, shortcuts, events and scopes from this file")
    parser.add_argument("--request-url", help="deliver by signed HTTP to this address instead of Socket Mode")
    return parser.parse_args()


async def _run(args: argparse.Namespace) -> None:
    seed = Seed().with_manifest(args.manifest) if args.manifest else Seed()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    workspace = Workspace(seed)
    try:
        await workspace.start(args.port, args.host)
    except OSError as error:
        sys.exit(f"cannot listen on {args.host}:{args.port} ({error.strerror}); choose another with --port")
    lines = [
        f"The workspace is open at {workspace.url}/", "", "For the bot, Socket Mode:",
        f"  SLACK_API_URL={workspace.api_url}", f"  SLACK_BOT_TOKEN={seed.bot_token}",
        f"  SLACK_APP_TOKEN={seed.app_token}", "", "For the bot, HTTP mode (start me with --request-url):",
        f"  SLACK_API_URL={workspace.api_url}", f"  SLACK_BOT_TOKEN={seed.bot_token}",
        f"  SLACK_SIGNING_SECRET={seed.signing_secret}", "",
    ]
    sys.stdout.write("\n".join(lines))
    sys.stdout.flush()
    connecting = asyncio.create_task(_connect(workspace, args.request_url)) if args.request_url else None
    await stopped.wait()
    if connecting:
        connecting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await connecting
    await workspace.stop()


async def _connect(workspace: Workspace, url: str) -> None:
    """Try until the bot answers; it may be started after the workspace."""
    while True:
        try:
            await workspace.use_http(url)
        except BotUnreachable as error:
            logging.getLogger(__name__).warning("%s; trying again in 2 s", error)
            await asyncio.sleep(2)
        else:
            return


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    asyncio.run(_run(_arguments()))

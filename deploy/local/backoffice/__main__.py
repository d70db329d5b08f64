"""Run the back office alone: `python -m deploy.local.backoffice --port 8070 --db var/backoffice.sqlite`."""

import argparse
import asyncio
import logging
import signal
from pathlib import Path

from deploy.local.backoffice.service import BackOffice

_log = logging.getLogger("deploy.local.backoffice")


def main() -> None:
    """Parse the command line and serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m deploy.local.backoffice", description=__doc__)
    parser.add_argument("--port", type=int, default=8070, help="its port; 0 takes any free one")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--db", type=Path, default=Path("var/backoffice.sqlite"), help="the SQLite file")
    parser.add_argument("--faults", action="store_true", help="with the test aids /_faults, /_calls, /_reset")
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    asyncio.run(_serve(BackOffice(chosen.db, faults=chosen.faults), chosen.host, chosen.port))


async def _serve(office: BackOffice, host: str, port: int) -> None:
    stopping = asyncio.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(wanted, stopping.set)
    await office.start(host, port)
    _log.info("Back office at %s", office.url)
    await stopping.wait()
    await office.stop()


if __name__ == "__main__":
    main()

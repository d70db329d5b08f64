"""What a process of a crash run is told to do, and what happens in it at a failpoint."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, SecretStr

from bot.settings import Role, Settings
from graph.failpoints import PLACES

Missing = Literal["fence", "stable_key"]
"""A protection that a process is made to do without, to show that its absence is seen."""
POINTS: Final = tuple(f"{place}:{when}" for place in PLACES for when in ("before", "after"))


class Trap(BaseModel):
    """At the `hit`th time that `point` is reached, the process is killed, or stopped until it is woken."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    point: str
    hit: int = 1
    deed: Literal["kill", "stop"] = "kill"


class Where(BaseModel):
    """The servers of a run, and the directory of its procedures. The tokens are the local workspace's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    redis_url: str
    backoffice_url: str
    slack_api_url: str
    bot_token: str
    app_token: str
    namespace: str
    tool_timeout: float = 2.0
    sops: Path | None = None

    def settings(self) -> Settings:
        """As the program is configured."""
        return Settings(
            _env_file=None,
            slack_bot_token=SecretStr(self.bot_token),
            slack_app_token=SecretStr(self.app_token),
            slack_api_url=self.slack_api_url,
            redis_url=self.redis_url,
            backoffice_url=self.backoffice_url,
            sopdesk_sops=self.sops,
            sopdesk_namespace=self.namespace,
            sopdesk_post_interval=0.0,
            sopdesk_tool_timeout=self.tool_timeout,
            sopdesk_tool_retries=1,
        )


class Orders(BaseModel):
    """How a process is to run. `takeover`: seconds after which a silent process's work is taken over."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    where: Where
    role: Role = "all"
    takeover: float = 1.0
    traps: tuple[Trap, ...] = ()
    without: tuple[Missing, ...] = ()


class Word(BaseModel):
    """What the nursery or one of its processes says: one line of JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    what: Literal["started", "ready", "trapped", "stopped", "woken", "ended"]
    pid: int = 0
    status: int = 0
    point: str = ""


def tell(word: Word) -> None:
    """Say it on standard output, in one piece."""
    os.write(sys.__stdout__.fileno() if sys.__stdout__ else 1, word.model_dump_json().encode() + b"\n")


class Snare:
    """The traps of one process."""

    def __init__(self, name: str, traps: Sequence[Trap]) -> None:
        self._name = name
        self._traps = list(traps)
        self._hits: Counter[str] = Counter()

    async def reached(self, point: str) -> None:
        """For `graph.failpoints.armed`."""
        self._hits[point] += 1
        trap = next((each for each in self._traps if (each.point, each.hit) == (point, self._hits[point])), None)
        if trap is not None:
            tell(Word(name=self._name, what="trapped", pid=os.getpid(), point=point))
            os.kill(os.getpid(), signal.SIGKILL if trap.deed == "kill" else signal.SIGSTOP)

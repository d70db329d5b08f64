"""The Lua scripts in `bot/lua`, each of which changes all it changes at once."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from redis.asyncio import Redis

from graph.failpoints import around
from graph.store.keys import Keys

_FOLDER: Final = Path(__file__).parent / "lua"
Answer = str | int | None | list["Answer"]
"""What a script can return."""


class Script:
    """One script under one prefix of keys. Its head names the keys and arguments."""

    def __init__(self, redis: Redis, keys: Keys, name: str) -> None:
        common = (_FOLDER / "common.lua").read_text("utf-8")
        self._prefix = keys.prefix
        self._place = f"script.{name}"
        self._script = redis.register_script(common + (_FOLDER / f"{name}.lua").read_text("utf-8"))

    async def __call__(self, *args: str | int) -> Answer:
        """Run it. It is sent once; if the answer is lost, it may or may not have run."""
        answer: Answer = await around(self._place, self._script(keys=[self._prefix], args=args))
        return answer

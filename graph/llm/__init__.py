"""The one small door to a language model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel

Message = tuple[Literal["system", "human"], str]
JsonMode = Literal["json_mode", "json_schema", "function_calling"]
T = TypeVar("T", bound=BaseModel)


class Llm(Protocol):
    """What reading and writing need of a model. Both raise ModelUnavailable, which counts the calls made."""

    async def json(self, messages: Sequence[Message], reply: type[T]) -> T:
        """An answer that is a JSON object of the shape `reply`."""
        ...

    async def words(self, messages: Sequence[Message]) -> str:
        """One call whose answer is plain words."""
        ...

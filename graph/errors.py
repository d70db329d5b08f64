"""One tree of errors. The docstring of each is its default message."""

from __future__ import annotations

from typing import ClassVar


class SopdeskError(Exception):
    """Something went wrong."""

    loggable: ClassVar[bool] = False
    """Whether its words, all of them ours and about settings, may stand in a log; others may quote a customer."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class ExpressionError(SopdeskError):
    """The expression is not one of those allowed."""


class MissingFact(SopdeskError):
    """A condition names a fact that is not known."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the fact {name!r} is not known")
        self.name = name


class IncomparableFacts(SopdeskError):
    """Two facts of different kinds, or money of two currencies, cannot be compared."""


class SopMistakes(SopdeskError):
    """One or more files have mistakes; `mistakes` lists all of them."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


class ToolRefused(SopdeskError):
    """The back office refused: it understood, and the answer is no. `code` is its word, `argument` what it is about."""

    def __init__(self, code: str, message: str = "", argument: str | None = None) -> None:
        super().__init__(message or f"refused: {code}")
        self.code = code
        self.argument = argument


SUSPENDED = "suspended"
"""The code of a call that was not made, because what it reaches is left alone for a while."""


class ToolUnavailable(SopdeskError):
    """The back office gave no usable answer: down, slow or nonsense. The code `suspended` says that it was not asked,
    because it failed several times in a row; `pause` is how many seconds later it may be."""

    def __init__(self, code: str, message: str = "", pause: float | None = None) -> None:
        super().__init__(message or f"no usable answer: {code}")
        self.code = code
        self.pause = pause


class ApprovalBroken(SopdeskError):
    """What was approved is not what would be written now. `step` approved it, `names` are the facts that changed."""

    def __init__(self, step: str, names: list[str]) -> None:
        super().__init__(f"approved in {step!r}, changed since: {', '.join(names)}")
        self.step = step
        self.names = names


class EffectMismatch(SopdeskError):
    """The same effect key came with other arguments."""


class ModelUnavailable(SopdeskError):
    """The language model gave no usable answer. `calls` is how many times it was asked."""

    def __init__(self, message: str | None = None, calls: int = 1) -> None:
        super().__init__(message)
        self.calls = calls


class ThreadBusy(SopdeskError):
    """Another worker holds this thread."""


class StateLost(SopdeskError):
    """The stored state of this thread cannot be read."""


class Misconfigured(SopdeskError):
    """A setting is missing or wrong."""

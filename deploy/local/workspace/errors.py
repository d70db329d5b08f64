"""What can go wrong: refusals of the Web API, and actions that a person could not have done."""

from collections.abc import Sequence


class ApiError(Exception):
    """A call that Slack answers with `ok: false`.

    `code` is Slack's error word; `messages` say where in the arguments the fault is, as json pointers;
    `status` and `retry_after` (seconds) serve HTTP-level refusals such as 429.
    """

    def __init__(
        self, code: str, messages: Sequence[str] = (), *, status: int = 200, retry_after: int | None = None,
        extra: dict[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {'; '.join(messages)}" if messages else code)
        self.code = code
        self.messages = list(messages)
        self.status = status
        self.retry_after = retry_after
        self.extra = dict(extra or {})


class ActionRefused(Exception):
    """A person cannot do this: the control is gone, the message is not visible to them, the value is no choice."""


class BotUnreachable(Exception):
    """The bot did not answer within the time limit where an answer is needed to go on (url verification)."""

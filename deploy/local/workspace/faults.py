"""Faults that a test can order: refusals, lost answers, delays, dropped and doubled deliveries."""

from dataclasses import dataclass, field


@dataclass
class ApiFault:
    """What happens to the next `calls` calls of one method.

    `effect`: whether the call is carried out before the answer is spoilt. `status` is the HTTP status answered
    (None: the connection is cut), `error` an `ok: false` code, `delay` seconds to wait before anything.
    """

    method: str
    calls: int = 1
    effect: bool = False
    status: int | None = 200
    error: str | None = None
    retry_after: int | None = None
    delay: float = 0.0
    channel: str | None = None


@dataclass
class Faults:
    """All faults in force. Everything is off until a test orders it."""

    api: list[ApiFault] = field(default_factory=list)
    acks_to_drop: int = 0
    duplicates: int = 0
    delivery_delay: float = 0.0
    offline: bool = False
    parent_changed: bool = False
    """Each reply also sends message_changed for its parent, as Slack has been seen to do."""
    channel_limit: bool = False
    """One message a second and channel, as Slack allows; more is answered with 429."""

    def rate_limit(self, method: str, calls: int = 1, retry_after: int = 1, channel: str | None = None) -> None:
        """Answer 429 with Retry-After to the next calls of `method`, without effect."""
        self.api.append(ApiFault(method, calls, status=429, retry_after=retry_after, channel=channel))

    def fail_after(self, method: str, calls: int = 1, status: int | None = 500, channel: str | None = None) -> None:
        """Carry the call out, then answer `status`; None cuts the connection instead."""
        self.api.append(ApiFault(method, calls, effect=True, status=status, channel=channel))

    def fail_before(self, method: str, calls: int = 1, status: int | None = 503, channel: str | None = None) -> None:
        """Answer `status` and do nothing; None cuts the connection."""
        self.api.append(ApiFault(method, calls, status=status, channel=channel))

    def refuse(self, method: str, error: str, calls: int = 1, channel: str | None = None) -> None:
        """Answer `ok: false` with this error."""
        self.api.append(ApiFault(method, calls, error=error, channel=channel))

    def delay(self, method: str, seconds: float, calls: int = 1, channel: str | None = None) -> None:
        """Let the next calls of `method` take this long, then carry them out."""
        self.api.append(ApiFault(method, calls, effect=True, delay=seconds, channel=channel))

    def drop_acks(self, count: int = 1) -> None:
        """The next `count` deliveries reach the bot, but its acknowledgements are lost on the way."""
        self.acks_to_drop += count

    def duplicate(self, count: int = 1) -> None:
        """Deliver the next `count` envelopes twice."""
        self.duplicates += count

    def clear(self) -> None:
        """No faults any more."""
        self.api.clear()
        self.acks_to_drop = self.duplicates = 0
        self.delivery_delay = 0.0
        self.offline = self.channel_limit = self.parent_changed = False

    def take(self, method: str, channel: str | None) -> ApiFault | None:
        """The fault that applies to this call, counted down."""
        for fault in self.api:
            if fault.method == method and fault.channel in (None, channel):
                fault.calls -= 1
                if fault.calls <= 0:
                    self.api.remove(fault)
                return fault
        return None

    def take_dropped_ack(self) -> bool:
        """True if the acknowledgement of this delivery is to be lost."""
        if self.acks_to_drop:
            self.acks_to_drop -= 1
            return True
        return False

    def take_duplicate(self) -> bool:
        """True if this delivery is to be made twice."""
        if self.duplicates:
            self.duplicates -= 1
            return True
        return False

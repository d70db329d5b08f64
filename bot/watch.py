"""What is told to operators about what the parts do: counters, spans, and ids in log lines."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from opentelemetry.trace import Tracer

from bot.logs import about
from bot.metrics import Metrics
from bot.outbox import Delivery
from bot.tracing import NO_TRACER, span
from graph.model import Event

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Watch:
    """One process's counters and tracer."""

    metrics: Metrics = field(default_factory=Metrics)
    tracer: Tracer = NO_TRACER

    @contextmanager
    def turn(self, event: Event) -> Iterator[None]:
        """Around one event, from taking it up to its end, whatever that is."""
        request = event.request or ""
        ids = {"event": event.id, "thread": event.thread, "case": request.partition("/")[0], "request": request}
        begun = time.monotonic()
        with about(**ids), span(self.tracer, "turn", kind=event.kind, **ids):
            try:
                yield
            finally:
                seconds = time.monotonic() - begun
                self.metrics.turns.labels(event.kind).observe(seconds)
                log.info("the turn of a %s took %.3f s", event.kind, seconds)

    @contextmanager
    def post(self, delivery: Delivery) -> Iterator[None]:
        """Around one notice on its way to Slack."""
        ids = {"notice": delivery.id, "thread": delivery.notice.thread}
        with about(**ids), span(self.tracer, "slack.post", **ids):
            yield

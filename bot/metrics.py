"""What Prometheus is told. Labels are words of this program: never a thread, a person or a word of a customer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.backlog import Backlog
from graph.store.figures import Figure

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_TURN_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)
_CALL_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """One process's counters, in a registry of their own; several desks in one process share nothing."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.events = Counter(
            "sopdesk_events", "Events: stored, duplicate, handled, failed, set_aside", ["outcome"], registry=registry
        )
        self.turns = Histogram(
            "sopdesk_turn_seconds", "From taking an event up to its end", ["kind"], buckets=_TURN_SECONDS, registry=registry
        )
        self.notices = Counter(
            "sopdesk_notices", "Notices: sent, edited, retried, given_up", ["outcome"], registry=registry
        )
        self.rate_limited = Counter("sopdesk_slack_rate_limited", "Calls that Slack answered with 429", registry=registry)
        self.tool_calls = Counter(
            "sopdesk_tool_calls",
            "Tool calls: ok, refused, unavailable, in_doubt, error",
            ["tool", "outcome"],
            registry=registry,
        )
        self.tool_seconds = Histogram(
            "sopdesk_tool_seconds", "One tool call, its tries included", ["tool"], buckets=_CALL_SECONDS, registry=registry
        )
        self.effects = Counter(
            "sopdesk_effects", "Writes in the journal: begun, done, refused, in_doubt", ["state"], registry=registry
        )
        self.model_calls = Counter(
            "sopdesk_model_calls", "Calls of the language model: ok, unavailable, skipped", ["outcome"], registry=registry
        )
        self.model_tokens = Counter(
            "sopdesk_model_tokens", "Tokens of the language model: read, written", ["direction"], registry=registry
        )
        self.leases_lost = Counter("sopdesk_leases_lost", "Threads that another worker took over", registry=registry)
        self.cases = Counter("sopdesk_cases", "Cases that ended, by how", ["status"], registry=registry)
        # An alarm on an increase does not see a counter that begins with 1.
        _begin(self.events, "stored", "duplicate", "handled", "failed", "set_aside")
        _begin(self.notices, "sent", "edited", "retried", "given_up")
        _begin(self.effects, "begun", "done", "refused", "in_doubt")
        _begin(self.model_calls, "ok", "unavailable", "skipped")
        _begin(self.model_tokens, "read", "written")
        _begin(self.cases, "done", "stopped", "cancelled", "answered")
        self._week_cases = Gauge("sopdesk_week_cases", "Cases that ended this week", ["sop"], registry=registry)
        self._week_person = Gauge(
            "sopdesk_week_cases_by_person", "Of these, those that needed a person", ["sop"], registry=registry
        )
        self._week_share = Gauge(
            "sopdesk_week_share_by_person", "Their share, 0 to 1", ["sop"], registry=registry
        )
        self._cases_open = Gauge("sopdesk_cases_open", "Cases that are open", registry=registry)
        self._mail = Gauge("sopdesk_mailbox_events", "Events that wait or are in hand", registry=registry)
        self._mail_threads = Gauge("sopdesk_mailbox_threads", "Threads that have mail", registry=registry)
        self._mail_age = Gauge("sopdesk_mailbox_oldest_seconds", "Age of the oldest event that waits", registry=registry)
        self._outbox = Gauge("sopdesk_outbox_notices", "Notices that wait or are in hand", registry=registry)
        self._set_aside = Gauge("sopdesk_events_aside", "Events that are set aside now", registry=registry)
        self._breakers = Gauge(
            "sopdesk_breaker_open", "1 for a channel that is left alone since it failed", ["channel"], registry=registry
        )
        self._unsent = Gauge("sopdesk_notices_unsent", "Notices that are given up now", registry=registry)

    def look(self, backlog: Backlog, week: Sequence[Figure] = ()) -> None:
        """Take over what waits in Redis, and this week's figures.

        It is the same for all processes of a desk: take the maximum, never the sum.
        """
        self._cases_open.set(backlog.cases_open)
        self._mail.set(backlog.events)
        self._mail_threads.set(backlog.threads)
        self._mail_age.set(backlog.oldest_seconds)
        self._outbox.set(backlog.notices)
        self._set_aside.set(backlog.set_aside)
        self._unsent.set(backlog.unsent)
        for gauge in (self._week_cases, self._week_person, self._week_share, self._breakers):
            gauge.clear()
        for channel in backlog.left_alone:
            self._breakers.labels(channel).set(1)
        for each in week:
            self._week_cases.labels(each.sop).set(each.ended)
            self._week_person.labels(each.sop).set(each.needed_person)
            self._week_share.labels(each.sop).set(each.share)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)

    def value(self, name: str, **labels: str) -> float:
        """One sample, 0 when there is none yet; counters end in `_total`."""
        return self._registry.get_sample_value(name, labels) or 0.0


def _begin(counter: Counter, *labels: str) -> None:
    for label in labels:
        counter.labels(label)

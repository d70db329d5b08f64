"""The names of all keys in Redis; `keytable` says what each holds, and for how long."""

from __future__ import annotations


class Keys:
    """Names of all keys under one prefix. Two prefixes on one server share nothing."""

    def __init__(self, prefix: str) -> None:
        if not prefix or ":" in prefix:
            raise ValueError(f"a key prefix is a plain word without a colon, not {prefix!r}")
        self.prefix = prefix

    def _of(self, name: str, item: str | None = None) -> str:
        return f"{self.prefix}:{name}" if item is None else f"{self.prefix}:{name}:{item}"

    def mailbox(self, thread: str) -> str:
        """The events of a thread that wait, in order."""
        return self._of("mailbox", thread)

    def letters(self, thread: str) -> str:
        """The events of a thread as stored."""
        return self._of("letters", thread)

    def seen(self, mark: str) -> str:
        """The memory of one event id or other mark."""
        return self._of("seen", mark)

    def dead(self) -> str:
        """The events that were set aside."""
        return self._of("dead")

    def parked(self) -> str:
        """The events that an operator gave up."""
        return self._of("parked")

    def stream(self, name: str) -> str:
        """The stream `ready` or `sendable`."""
        return self._of(name)

    def marks(self, stream: str) -> str:
        """Which items are in a stream already."""
        return self._of("marks", stream)

    def lease(self, thread: str) -> str:
        """Who works on a thread."""
        return self._of("lease", thread)

    def fence(self, thread: str) -> str:
        """The newest fence of a thread."""
        return self._of("fence", thread)

    def outbox(self, destination: str) -> str:
        """The notices that wait for one destination."""
        return self._of("outbox", destination)

    def notice(self, notice_id: str) -> str:
        """What is known of one notice."""
        return self._of("notice", notice_id)

    def unsent(self) -> str:
        """The notices that were given up."""
        return self._of("unsent")

    def timers(self) -> str:
        """All clocks."""
        return self._of("timers")

    def alarm(self) -> str:
        """The list that a sleeping clock listens to."""
        return self._of("alarm")

    def journal(self, effect: str) -> str:
        """One effect."""
        return self._of("journal", effect)

    def begun(self, thread: str) -> str:
        """The event of a thread whose turn began a write."""
        return self._of("begun", thread)

    def used(self, thread: str) -> str:
        """The events that ended cases of a thread have used."""
        return self._of("used", thread)

    def kept(self, thread: str) -> str:
        """What the checkpoint of a thread takes up."""
        return self._of("kept", thread)

    def reading(self, event: str, place: str) -> str:
        """What a model read of one event at one place."""
        return self._of("reading", f"{event}:{place}")

    def case(self, case: str) -> str:
        """The record of a case."""
        return self._of("case", case)

    def thread(self, thread: str) -> str:
        """The latest case of a thread."""
        return self._of("thread", thread)

    def ended(self) -> str:
        """The cases that have ended and are not archived."""
        return self._of("ended")

    def archived(self, case: str) -> str:
        """A case that is archived."""
        return self._of("archived", case)

    def owner(self, actor: str) -> str:
        """A person's cases."""
        return self._of("owner", actor)

    def drills(self) -> str:
        """Practice that has ended."""
        return self._of("drills")

    def open(self) -> str:
        """The cases that are open."""
        return self._of("open")

    def delegates(self) -> str:
        """Who stands in for whom."""
        return self._of("delegates")

    def proposed(self) -> str:
        """What authors propose."""
        return self._of("proposed")

    def released(self) -> str:
        """The versions in force."""
        return self._of("released")

    def release_count(self) -> str:
        """How many releases there were."""
        return self._of("release-count")

    def versions(self, sop: str) -> str:
        """All releases of a procedure."""
        return self._of("versions", sop)

    def waiting(self, place: str) -> str:
        """The cases that wait at a level, or for the leads."""
        return self._of("waiting", place)

    def breakers(self) -> str:
        """The names of the channels that failed last."""
        return self._of("breakers")

    def breaker(self, name: str) -> str:
        """What is known of a channel's failures."""
        return self._of("breaker", name)

    def claim(self, value: str) -> str:
        """The case that has an exclusive value."""
        return self._of("claim", value)

    def claimed(self, thread: str) -> str:
        """The claims that a thread has taken; `kept` among them where they may be in its checkpoint and not in its case."""
        return self._of("claimed", thread)

    def staked(self, thread: str) -> str:
        """What a turn of a thread has put at stake, until its case is stored; `kept` as in `claimed`."""
        return self._of("staked", thread)

    def stake(self, subject: str) -> str:
        """What is at stake where a fact has one value."""
        return self._of("stake", subject)

    def sealing(self) -> str:
        """Which keys values were ever sealed with."""
        return self._of("sealing")

    def preparing(self) -> str:
        """Who makes the checkpoints' indexes."""
        return self._of("preparing")

    def effects(self) -> str:
        """The stream of effects."""
        return self._of("effects")

    def audit(self, case: str) -> str:
        """The audit log of a case."""
        return self._of("audit", case)

    def audited(self, case: str) -> str:
        """Which lines the audit log of a case holds."""
        return self._of("audited", case)

    def figures(self, week: str) -> str:
        """How many cases ended in a week, and how."""
        return self._of("figures", week)

    def order(self, order: str) -> str:
        """The cases that were about an order."""
        return self._of("order", order)

    def section(self, handbooks: str, place: str) -> str:
        """A section's terms."""
        return self._of("section", f"{handbooks}:{place}")

    def handbooks(self) -> str:
        """The states of the handbooks that are indexed."""
        return self._of("handbooks")

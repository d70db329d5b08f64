"""Every key in Redis: what it holds, of which type, for how long.

A key is `prefix:name` or `prefix:name:item`. Lua scripts get the prefix as KEYS[1] and build keys by the same rule;
that needs one Redis (or one primary with replicas), not a cluster.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Row(NamedTuple):
    """One kind of key."""

    name: str
    item: str
    type: str
    lifetime: str
    meaning: str


TABLE: Final = (
    # mailboxes
    Row("mailbox", "thread", "zset", "while events wait", "members of `letters` by the time they were said, in µs"),
    Row("letters", "thread", "hash", "while events wait", "`arrival|event id` -> the event as JSON, `at` included"),
    Row("working", "thread", "hash", "while an event is worked on", "member, event id, starts, failures"),
    Row("arrivals", "", "counter", "for good", "numbers events, so that ties in time keep their order"),
    Row("seen", "id", "string", "3 days; of a timer 90 days", "an event id or other mark that was taken in"),
    Row("dead", "", "hash", "until revived or parked", "event id -> an event set aside, whole, as JSON"),
    Row("parked", "", "list", "until removed by hand", "events that were given up by an operator, whole, as JSON"),
    # who works on what
    Row("ready", "", "stream", "entries while in hand", "threads with mail; consumer group `workers`"),
    Row("sendable", "", "stream", "entries while in hand", "outbox queues with notices; consumer group `workers`"),
    Row("marks", "stream", "hash", "while queued", "item -> its entry, or `later`: a clock brings it back"),
    Row("lease", "thread", "string", "the lease's, renewed", "`owner|fence` of who works on the thread"),
    Row("fence", "thread", "string", "7 days after the last lease", "the newest fence given out; decimal digits"),
    # notices
    Row("outbox", "destination", "list", "while notices wait", "notice ids, first in, first out"),
    Row("notice", "id", "hash", "90 days after sending; `once` 7", "digest, body until sent, channel, ts, tries"),
    Row("unsent", "", "list", "until removed by hand", "notices given up, whole, with the reason, as JSON"),
    Row("pace", "channel", "string", "seconds", "when the channel may next be posted to, ms"),
    # clocks
    Row("timers", "", "zset", "until due", "`t:` timer, `r:` notice, `p:` sweep, `w:` thread, `s:` destination, by ms"),
    Row("timer-data", "", "hash", "until due", "member of `timers` -> the event or notice it becomes, as JSON"),
    Row("alarm", "", "list", "until read", "one element wakes a sleeping clock: something is due earlier now"),
    # the engine
    Row("journal", "effect key", "hash", "for good", "one effect: begun, done, its arguments' digest and its result"),
    Row("begun", "thread", "string", "until the turn is stored", "the turn that began a write: event, calls, as JSON"),
    Row("used", "thread", "hash", "90 days after a case ends", "event id -> the ended case that it was used in"),
    Row("kept", "thread", "set", "while the thread's run is open", "names of the keys that its checkpoint takes up"),
    Row("reading", "event, place", "string", "7 days", "what a model read, so that a replay reads the same"),
    Row("case", "id", "hash", "until archived", "`run` that has the id, `record` as JSON, `head` of its log, `place`"),
    Row("ended", "", "zset", "until archived", "the cases that have ended, by when"),
    Row("archived", "case", "string", "for good", "a case that ended long ago, with its log, in one"),
    Row("thread", "thread", "string", "until that is archived", "the latest case of a thread"),
    Row("owner", "actor", "zset", "each until archived", "a person's cases, by time of opening"),
    Row("open", "", "set", "for good", "the cases that are open"),
    Row("delegates", "", "hash", "dropped after their day, when one changes", "who is away -> their delegate, as JSON"),
    Row("proposed", "", "hash", "until released", "procedure -> the text that its author proposes, as JSON"),
    Row("released", "", "hash", "for good", "procedure -> the version in force, as JSON; none: the file counts"),
    Row("release-count", "", "counter", "for good", "releases so far; every process looks at it once a second"),
    Row("versions", "procedure", "list", "for good", "every release of a procedure, oldest first, as JSON"),
    Row("waiting", "place", "zset", "while they wait", "cases that wait at a level, or for `@leads`, by since when"),
    Row("staked", "thread", "set", "until the turn is stored", "what its turn has put at stake"),
    Row("stake", "subject", "hash", "while reserved, then its window", "`version`; `run|payment` -> a stake as JSON"),
    Row("breakers", "", "set", "until each answers again", "the channels that failed last, to be looked up"),
    Row("breaker", "name", "hash", "a day after a failure", "failures in a row, and until when it is left alone, ms"),
    Row("claim", "value", "hash", "while its case is open", "`case`, its `thread`, `at` in s: who has an exclusive value"),
    Row("claimed", "thread", "set", "while its case is open", "the keys of the claims that it has taken"),
    Row("sealing", "", "set", "for good", "fingerprints of the keys that values were ever sealed with"),
    Row("preparing", "", "string", "seconds", "held by the process that makes the checkpoints' indexes"),
    Row("effects", "", "stream", "each as long as a case", "every effect, as it began and ended"),
    Row("audit", "case", "list", "until archived", "the audit log: a row for the lines of a turn, with their hashes"),
    Row("audited", "case", "set", "90 days after the last line", "digests of its lines' ids: none is added twice"),
    Row("figures", "week", "hash", "2 years after its last case", "`procedure|ended`, `procedure|person`: how many"),
    Row("section", "handbooks, place", "hash", "7 days after its handbooks were last opened", "`terms` of a section"),
    Row("handbooks", "", "zset", "entries 7 days after use", "states of the handbooks that are indexed, by time of use"),
    Row("drills", "", "zset", "for good", "the cases that were practice and have ended, by time of their end"),
    Row("order", "order", "zset", "for good", "the cases that were about an order, by time of change"),
)

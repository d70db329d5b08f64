"""Whether a first message asks for a procedure now, or refuses, reports, defers, undoes or only speaks of it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from graph.fields.words import any_of
from graph.reading.clauses import HIDDEN, clauses
from graph.reading.fillers import substance
from graph.reading.sight import Sight
from graph.reading.spans import MARKER, Span, left_over
from graph.reading.stance import stance
from graph.reading.talk import asking
from graph.reading.verbs import Verb

_FILL = (
    "(?:"
    + any_of(
        "再|给|先|急着|用|要|能|去|客人|客户|他们|他|她|对方|这单|这个|这|那|把|为|向|对|又|都|也|一共|共|多|帮|我们|我|咱们|就|会|"
        "将|直接|统一|额外|另外|的|马上|全部|想|单独",
        "the|any|an?|to|further|more|him|her|them|guest|customer",
    )
    + rf"|[ {HIDDEN}])*$"
)
_NO = re.compile(
    "(?:先别|别|甭|不是|(?<![能可要])不|勿|停止|暂停|(?<![程单团动班店程发房户家人了被])取消|撤回|撤销|无需|没有?|未|拒绝|禁止|"
    "用不着|反对)(?:必要|需|用|想|能|会|该|应|可以|打算|准备|建议|值得|同意|允许|许|准|愿意|肯|得|要|宜|必|考虑|接受|支持|批准|赞成|说)*"
    + _FILL
)
_NO_EN = any_of(
    "",
    "not|no|never|without|don't|dont|doesn't|didn't|won't|wouldn't|shouldn't|can't|cannot|couldn't|haven't|isn't|aren't|"
    "wasn't|refuse[sd]?|declined?|avoid|against|nobody|stop",
)
_UNABLE = re.compile("(?:不了|不成|不起)")
_OTHERS = re.compile(
    any_of(
        "商户|商家|司机|导游|酒店|航司|航空公司|供应商|地接|景区|平台|船家|店家|车行|旅行社",
        "merchant|supplier|hotel|airline|driver|guide|operator|vendor|agency",
    )
)
_LATER = re.compile(
    "(?:(?:明天|明早|明晚|明日|后天|下周[一二三四五六日末]?|下个?月|月底|改天|改日|回头|晚点|晚些|稍后|待会儿?|过(?:几天|会儿?|一会儿?|两天)|"
    "以后|下次|之后|今晚|周[一二三四五六日末]|等[^了]{1,16}?(?:再|就|之后|以后|后)|暂缓|暂停|暂时|推迟|延后|"
    "(?:同意|批准|批|确认|核实|查清?|审核|审批|收到|回复|处理|核对|回来|商量|讨论|请示)(?:了|完|过|好|清楚)*(?:之|以)?后|"
    "可能|也许|或许|考虑|打算|准备|计划|要不要|该不该|是否|是不是|假设|讨论|不确定|想知道|怎么|如何)(?!的))" + _FILL
)
_PAST = re.compile("(?:已经?|刚刚?|刚才|昨天|昨晚|前天|上周|上个?月|上次|之前|早就|曾经?|前几天)" + _FILL)
_DONE = re.compile("(?:(?:了|过|完|好|上)(?!吧|好吗))")
_GAVE = re.compile(
    any_of(
        "收到|到账|拿到|领到|领了|入账|已[付发]",
        "gave|given|paid|issued|sent|offered|approved|granted|credited|awarded|transferred|processed|compensated|refunded|"
        "reimbursed|received|got|already|yesterday|last (?:week|month|night|time)",
    )
)
_TO_BE = re.compile(any_of("", "be|get|being") + " $")
_IF = re.compile(
    any_of(
        "如果|要是|假如|假使|万一|倘若|除非|只要|只有|若(?!干)|(?<!可以)(?<!方便)的话|前提|视情况|取决于",
        "if(?! possible| you can)|unless|provided|in case|as long as|depending|subject to|assuming|only when|pending",
    )
)
_SOON = re.compile(any_of("", "tomorrow|later|next week|next month|tonight|soon|when|once|until|till|after|before"))
_UNSURE_EN = re.compile(
    any_of(
        "",
        "may|how|suppose|would(?! like| you)|hold off|wait|instead of|rather than|had|was|were|been|did|ha(?:ve|s)(?! to)|should we|should i",
    )
)
_POLITELY = re.compile(
    "(?:能不能|能否|可不可以|可否|可以|能)(?:请|麻烦|你|您)*(?:帮|请|麻烦)(?!我?们?(?:看|查|问|确认|核|算|了解))|"
    "^(?:请(?!问|教)|帮(?!我?们?(?:看|查|问|确认|核|算|了解))|麻烦(?!说|问|看|查|告诉|讲|解释|确认)).*(?:可以|行|好|能|ok|成)(?:吗|么|嘛|不)?$|"
    r"(?<![a-z])(?:can|could|would|will) you (?:please |kindly |just |pls |help (?:me |us )?(?:to )?)*(?:give|pay|compensate|"
    r"refund|issue|send|offer|grant|approve|transfer|award|process|credit)(?![a-z])"
)
_INQUIRY = re.compile(
    any_of("能不能|能否|是否|有没有|是不是|要不要|该不该|可不可以|怎么|如何|多少", "whether|how|what|why|did (?:we|you|they|i)")
)
_IDLE = re.compile(
    any_of("", "maybe|perhaps|might|thinking|consider(?:ing)?|planning|plan to|whether|wondering|hypothetically|going to")
)
_UNDO = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|我们|我|要|想|把|先|需要|现在|那就|就|立即|马上| )*(?:取消|撤|作废|停|终止|中止|扣|收回|追回|要回|拿回|删)|"
    r"^(?:(?:please|pls|i|we|just|need to|want to|have to|must|can you|could you|would you|let's)(?![a-z]) *)*(?:cancel|undo|"
    r"reverse|revoke|void|withdraw|stop|claw|take (?:back|away)|remove|deduct|charge|recall|rescind|abort|halt|delete|drop|"
    r"hold|check|verify|confirm)(?![a-z])|"
    rf"(?:补偿|赔偿|赔付|退款|{HIDDEN})(?:款|金|单|申请|都|也|请|给|全部|先|要|帮我|应|该|得|需|可以|了|就| )*(?:取消|撤|作废|收回|追回|"
    r"扣回|停|免|算了|拒)"
)
_BECAUSE_AT = re.compile(rf"(?<![a-z])for(?! (?:{HIDDEN}|the |a )*(?:{HIDDEN}|guest|customer|client|him|her|them|order))(?![a-z])")
_NEGATION = re.compile("[不没别未勿]|(?<![a-z])(?:not|no)(?![a-z])")


@dataclass(frozen=True)
class Intent:
    """Whether a message asks for the procedure, and whether it forbids it: a model overrules no `forbids`."""

    asks: bool
    forbids: bool


def intent(seen: Sight, families: Collection[str]) -> Intent:
    """What a first message wants of a procedure whose verbs are of these families. In doubt it does not ask."""
    text = _masked(seen)
    spoken = [_Clause(seen, text, span, families) for span in clauses(text)]
    vetoed = any(clause.vetoes() for clause in spoken)
    asks = any(clause.asks() for clause in spoken) or all(clause.bare() for clause in spoken if clause.touched)
    reported = any(clause.reports() for clause in spoken)
    return Intent(asks=asks and not vetoed, forbids=vetoed or (reported and not any(each.asks() for each in spoken)))


def politely(norm: str) -> bool:
    """Whether a question is the polite form of a request: can you give …?, 帮 … 可以吗"""
    return _POLITELY.search(norm.strip(" ?？!。.~")) is not None


def _masked(seen: Sight) -> str:
    taken = seen.taken()
    text = list(seen.source.norm)
    for low, high in (*taken.labels, *taken.acts):
        text[low:high] = HIDDEN * (high - low)
    return "".join(text)


class _Clause:
    """A clause with its verbs. `head` ends where a reason begins."""

    def __init__(self, seen: Sight, text: str, span: Span, families: Collection[str]) -> None:
        self.low, self.high = span
        self.text, self.words, self.seen = text, text[self.low : self.high], seen
        self.foreign = [v for v in seen.verbs if self.low <= v.start < self.high and v.family and v.family not in families]
        inside = [verb for verb in seen.verbs if self.low <= verb.start < self.high]
        self.own = [verb for verb in inside if verb.family in families]
        self.weak = [verb for verb in inside if not verb.family]
        self.touched = HIDDEN in self.words
        taken = seen.taken()
        self.valued = any(self.low <= low < self.high for low, _ in taken.acts)
        self.end = self._head_end()
        self.head = text[self.low : self.end]

    def _head_end(self) -> int:
        first = min((verb.end for verb in (*self.own, *self.weak)), default=self.low)
        ends = [match.start() for match in MARKER.finditer(self.text, first, self.high) if match.group() != "for"]
        ends += [match.start() for match in _BECAUSE_AT.finditer(self.text, first, self.high)]
        return min((end for end in ends if end > self.low), default=self.high)

    @property
    def acts(self) -> bool:
        """Whether it speaks of the payout: by the procedure's verb, an amount or a way."""
        return bool(self.own) or self.valued

    def vetoes(self) -> bool:
        """Whether it refuses, undoes, defers or makes a condition."""
        words = self.seen.source.norm[self.low : self.high]
        if not self.acts and any(self._denied(verb) for verb in self.foreign):
            return False  # 不要退款, where a compensation is what is asked for
        if stance(words, telling=True):
            return True
        if not self.acts:
            return any(self._denied(verb) for verb in self.weak) and not substance(self._rest(self.weak))
        if any(self._denied(verb) and not self._of_others(verb) for verb in self.own):
            return True
        if any(self._denied(verb) for verb in self.weak) and self.valued and not self._of_others(self.weak[0]):
            return True
        if _IF.search(self.words) or _UNDO.search(self.head) or _SOON.search(self.head) or _IDLE.search(self.head):
            return True
        if any(_LATER.search(self._before(verb)) for verb in (*self.own, *self.weak)):
            return True
        if _POLITELY.search(self.words):
            return False
        return bool(_INQUIRY.search(self.head) or asking(words) or self.text[self.high : self.high + 1] in ("?", "？"))

    def asks(self) -> bool:
        """Whether it asks for the payout by a verb that is neither turned down nor told of."""
        verbs = [verb for verb in self.own if not self._noun(verb)] or (self.weak if self.touched else [])
        return bool(verbs) and self._live(verbs[-1])

    def reports(self) -> bool:
        """Whether it tells of a payout that happened."""
        if not self.acts:
            return False
        verbs = [verb for verb in (*self.own, *self.weak) if not self._noun(verb)]
        return _GAVE.search(self.head) is not None or any(not self._live(verb) for verb in verbs)

    def bare(self) -> bool:
        """Whether a clause without a verb is nothing but values, with a reason set apart."""
        parts = left_over(self.low, self.end, self.seen.taken().all())
        told = [self.text[low:high] for low, high in parts]
        if any(_PAST.search(part) or _GAVE.search(part) or _NEGATION.search(part) for part in told if not _apart(part)):
            return False
        return not any(substance(part) and not _apart(part) for part in told)

    def _before(self, verb: Verb) -> str:
        return self.text[max(self.low, verb.start - 60) : verb.start]

    def _denied(self, verb: Verb) -> bool:
        before = self._before(verb)
        if verb.word.isascii():
            return re.search(_NO_EN, before) is not None
        return verb.denied or bool(_NO.search(before) or _UNABLE.match(self.text, verb.end))

    def _of_others(self, verb: Verb) -> bool:
        return _OTHERS.search(self._before(verb)) is not None

    def _noun(self, verb: Verb) -> bool:
        before = self._before(verb).rstrip()
        if verb.word.startswith("compensation"):
            return True
        return len(verb.word) > 1 and before.endswith((HIDDEN, "的", " the", " a")) and not before.endswith("给")

    def _live(self, verb: Verb) -> bool:
        before = self._before(verb)
        if self._denied(verb) or _PAST.search(before) or _DONE.match(self.text, verb.end):
            return False
        if verb.word.isascii():
            past = _GAVE.fullmatch(verb.word) is not None and not _TO_BE.search(before)
            earlier = re.search(r"(?<![a-z])(?:already|yesterday)(?![a-z])", self.head)
            return not (past or earlier or _UNSURE_EN.search(before))
        return re.search(rf"(?:{HIDDEN}|[补赔退偿付给款])了$", self.head) is None

    def _rest(self, verbs: Collection[Verb]) -> str:
        return " ".join(self.text[a:b] for a, b in left_over(self.low, self.high, [(v.start, v.end) for v in verbs]))


def _apart(part: str) -> bool:
    """Whether words in Chinese stand between spaces, as a reason beside values does."""
    return part[:1] == " " and len(re.findall("[一-鿿]", part)) >= 2 and not _NEGATION.search(part)

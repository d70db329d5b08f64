"""Whether a first message asks for a procedure now, or refuses, reports, defers, undoes or only speaks of it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from graph.fields.words import any_of
from graph.reading.clauses import HIDDEN, MOST, clauses
from graph.reading.fillers import FAULT, faults, length, substance
from graph.reading.sight import Sight
from graph.reading.spans import MARKER, Span, Taken, left_over
from graph.reading.stance import stance
from graph.reading.talk import asking
from graph.reading.verbs import Verb

_FILL = (
    "(?:"
    + any_of(
        "再|给|先|急着|用|要|能|去|客人|客户|他们|他|她|对方|这单|这个|这|那|把|为|向|对|又|都|也|一共|共|多|帮|我们|"
        "我|咱们|就|会|"
        "将|直接|统一|额外|另外|的|马上|全部|想|单独",
        "the|any|an?|to|further|more|him|her|them|guest|customer",
    )
    + rf"|[ {HIDDEN}])*$"
)
_NO = re.compile(
    "(?:先别|别|甭|不是|(?<![能可要])不|勿|停止|暂停|(?<![程单团动班店程发房户家人了被])取消|撤回|撤销|无需|没有?|未|"
    "拒绝|禁止|"
    "用不着|反对)(?:必要|需|用|想|能|会|该|应|可以|打算|准备|建议|值得|同意|允许|许|准|愿意|肯|得|要|宜|必|考虑|接受|"
    "支持|批准|赞成|说)*" + _FILL
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
    "(?:(?:明天|明早|明晚|明日|后天|下周[一二三四五六日末]?|下个?月|月底|改天|改日|回头|晚点|晚些|稍后|待会儿?|"
    "过(?:几天|会儿?|一会儿?|两天)|"
    "以后|下次|之后|今晚|周[一二三四五六日末]|等[^了]{1,16}?(?:再|就|之后|以后|后)|暂缓|暂停|暂时|推迟|延后|"
    "(?:同意|批准|批|确认|核实|查清?|审核|审批|收到|回复|处理|核对|回来|商量|讨论|请示)(?:了|完|过|好|清楚)*(?:之|以)?后|"
    "可能|也许|或许|考虑|打算|准备|计划|要不要|该不该|是否|是不是|假设|讨论|本来|原本|原定|原计划|差点|不确定|想知道|"
    "怎么|如何)(?!的))" + _FILL
)
_PAST = re.compile("(?:已经?|刚刚?|刚才|昨天|昨晚|前天|上周|上个?月|上次|之前|早就|曾经?|前几天)" + _FILL)
_DONE = re.compile("(?:重|错|多|少|漏)?(?:了|过|完|好|上|的)(?!吧|好吗)")
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
        "may|how|suppose|would(?! like| you)|hold off|wait|instead of|rather than|had|was|were|been|did|ha(?:ve|"
        "s)(?! to)|should we|should i",
    )
)
_POLITELY = re.compile(
    "(?:能不能|能否|可不可以|可否|可以|能)(?:请|麻烦|你|您)*(?:帮|请|麻烦)(?!我?们?(?:看|查|问|确认|核|算|了解))|"
    "^(?:请(?!问|教)|帮(?!我?们?(?:看|查|问|确认|核|算|了解))|麻烦(?!说|问|看|查|告诉|讲|解释|确认)).*(?:可以|行|好|"
    "能|ok|成)(?:吗|么|嘛|不)?$|"
    r"(?<![a-z])(?:can|could|would|will) you (?:please |kindly |just |pls |help (?:me |us )?(?:to )?)*(?:give|pay|"
    r"compensate|"
    r"refund|issue|send|offer|grant|approve|transfer|award|process|credit)(?![a-z])"
)
_INQUIRY = re.compile(
    any_of(
        "能不能|能否|是否|有没有|是不是|要不要|该不该|可不可以|怎么|如何|多少|([一-鿿])不\\1|[^不]不$",
        "whether|how|what|why|did (?:we|you|they|i)",
    )
)
_IDLE = re.compile(
    any_of(
        "",
        "maybe|perhaps|might|thinking|consider(?:ing)?|planning|plan to|whether|wondering|hypothetically|going to|"
        "will(?! you)|'ll|shall|supposed to",
    )
)
_UNDO = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|我们|我|要|想|把|先|需要|现在|那就|就|立即|马上| )*(?:取消|撤|作废|停|终止|中止|扣|收回|"
    r"追回|要回|拿回|删)|退回来|还回来|退回去|"
    r"^(?:(?:please|pls|i|we|just|need to|want to|have to|must|can you|could you|would you|"
    r"let's)(?![a-z]) *)*(?:cancel|undo|"
    r"reverse|revoke|void|withdraw|stop|claw|take (?:back|away)|remove|deduct|charge|recall|rescind|abort|halt|delete|drop|"
    r"hold|check|verify|confirm)(?![a-z])|"
    rf"(?:补偿|赔偿|赔付|退款|{HIDDEN})(?:款|金|单|申请|都|也|请|给|全部|先|要|帮我|应|该|得|需|可以|了|就| )*(?:取消|"
    rf"撤|作废|收回|追回|"
    r"扣回|停|免|算了|拒)"
)
#: Who writes says that it is not meant, or that there is no reason for it.
_MEANT_NOT = re.compile(
    r"(?:我们?|咱们?)[^，]*(?:拒绝|没同意|没答应|不同意|撤|忽略|主意|反悔|放弃|后悔)|(?:[^，]{0,4}改主意|反悔|后悔)|"
    r"我?(?:说|录|点|写|选|补|填|发|弄|搞)错(?:了|群|单|人)*$|.*(?:收|要|拿|退|追)回来?$|"
    r"(?:请|麻烦)?(?:忽略|无视|别管)(?:它|这条|这个|上一?条|我|刚才的)*$|撤[回销](?:上|这|刚)|(?:这|只|就|仅|不过|"
    r"是)+(?:测试|试试|演示|举例)|"
    r"(?:不|不对|不是|不行|错了)$|一旦|.*(?:证据不足|没有?证据|不属实)|(?:(?:actually|oh|sorry|hmm|"
    r"wait)(?![a-z])[ ,]*)*(?:no|nope|nah|"
    r"not really)$|.*(?<![a-z])(?:ignore(?: (?:this|that|it|me|above))?$|wrong (?:order|case|thread|guest|"
    r"one)(?![a-z])|by mistake|what do you "
    r"think|chang\w+ my mind|second thoughts?|not justified|unjustified|no evidence|said no|only a test|a drill|"
    r"my mistake|my bad)"
)
_NO_FAULT = re.compile(
    any_of(
        "没有?(?:迟到|晚到|爽约|违约)",
        "(?:guide|driver|bus|boat|pickup|merchant|tour|trip) (?:was|were|is|came|arrived) (?:not late|on time)|"
        "(?:wasn't|was not) late",
    )
)
_BECAUSE_AT = re.compile(
    rf"(?<![a-z])for(?! (?:{HIDDEN}|the |a )*(?:{HIDDEN}|guest|customer|client|him|her|them|order))(?![a-z])"
)
_TURNED_DOWN = re.compile("[别勿]|不(?:要|用|行|需|给|补|可|同意|接受|想|批|办|付|赔|必|该|应)")
#: What a request may hold beside its verb and its values.
_REQUESTING = re.compile(
    any_of(
        "这次|再|已|想|能不能|能否|可否|可不可以|为|个|些|因|多|快|速|没问题|按政策|按规定|发放|反馈|同意|请求|补发|"
        "作为|安抚|表示|歉意",
        "if possible|if you can|like|let's|let|i'd|been|has|have|quickly|urgently|asap|goodwill|gesture|be|"
        "compensated|right away|up",
    )
)
_NEGATION = re.compile("[不没别未勿]|(?<![a-z])(?:not|no)(?![a-z])")


@dataclass(frozen=True)
class Intent:
    """Whether a message asks for the procedure beyond doubt, and whether it may be read so: no model goes beyond that."""

    asks: bool
    may: bool


def intent(seen: Sight, families: Collection[str]) -> Intent:
    """What a first message wants of a procedure whose verbs are of these families. In doubt it does not ask."""
    taken = seen.taken()
    text = _masked(seen, taken)
    spans = clauses(text)
    if len(spans) > MOST:
        return Intent(asks=False, may=False)
    spoken = [_Clause(seen, taken, text, span, families) for span in spans]
    if any(clause.vetoes() for clause in spoken):
        return Intent(asks=False, may=False)
    bare = all(clause.bare() for clause in spoken if clause.touched)
    plain = any(clause.asks() and clause.plain() for clause in spoken)
    return Intent(asks=bare or plain, may=bare or any(clause.asks() for clause in spoken))


def politely(norm: str) -> bool:
    """Whether a question is the polite form of a request: can you give …?, 帮 … 可以吗"""
    return _POLITELY.search(norm.strip(" ?？!。.~")) is not None


def _masked(seen: Sight, taken: Taken) -> str:
    text = list(seen.source.norm)
    for low, high in (*taken.labels, *taken.acts):
        text[low:high] = HIDDEN * (high - low)
    return "".join(text)


class _Clause:
    """A clause with its verbs. `head` ends where a reason begins."""

    def __init__(self, seen: Sight, taken: Taken, text: str, span: Span, families: Collection[str]) -> None:
        self.low, self.high = span
        self.text, self.words, self.seen = text, text[self.low : self.high], seen
        self.foreign = [v for v in seen.verbs if self.low <= v.start < self.high and v.family and v.family not in families]
        happened = [match.span() for match in FAULT.finditer(text, *span)]
        inside = [verb for verb in seen.verbs if self.low <= verb.start < self.high and not _in(verb, happened)]
        self.own = [verb for verb in inside if verb.family in families]
        self.weak = [verb for verb in inside if not verb.family]
        self.touched = HIDDEN in self.words
        self.taken = taken
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
        if any(stance(part, telling=True) for part in (words, *_apart_in(words))) or _MEANT_NOT.match(words):
            return True
        if _NO_FAULT.search(words):
            return True
        if not self.acts:
            return any(self._denied(verb) for verb in self.weak) and not substance(self._rest(self.weak))
        if any(self._denied(verb) and not self._of_others(verb) for verb in self.own):
            return True
        if any(self._denied(verb) for verb in self.weak) and self.valued and not self._of_others(self.weak[0]):
            return True
        if _IF.search(self.words) or _UNDO.search(self.head) or _SOON.search(self.head) or _IDLE.search(self.head):
            return True
        verb_end = max((verb.end for verb in self.own), default=self.low)
        if self.own and any(
            _TURNED_DOWN.search(part) for part in self.text[verb_end : self.end].split(HIDDEN) if not faults(part)
        ):
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

    def plain(self) -> bool:
        """Whether nothing stands beside the request that is no part of one, but for a reason that can be told as such."""
        told = [_REQUESTING.sub(" ", part) for part, last in self._told() if not _reason(part, last)]
        return not any(length(part) or _NEGATION.search(part) for part in told)

    def bare(self) -> bool:
        """Whether a clause is nothing but values, with a reason set apart. A verb would have to ask."""
        if any(not self._noun(verb) for verb in (*self.own, *self.weak)) or self.foreign:
            return False
        told = [part for part, last in self._told() if not _reason(part, last)]
        if any(_PAST.search(part) or _GAVE.search(part) or _NEGATION.search(part) for part in told):
            return False
        return not any(length(_REQUESTING.sub(" ", part)) for part in told)

    def _told(self) -> list[tuple[str, bool]]:
        """What is neither a value nor the procedure's verb, and whether it is the end of the clause."""
        taken = self.taken
        verbs = [(verb.start, verb.end) for verb in self.own]
        parts = left_over(self.low, self.end, [*taken.labels, *taken.acts, *verbs])
        return [(self.text[low:high], high == self.end) for low, high in parts]

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


def _in(verb: Verb, spans: Collection[Span]) -> bool:
    return any(low <= verb.start < high for low, high in spans)


def _apart_in(words: str) -> list[str]:
    """The parts of a clause that spaces set apart, those in Chinese."""
    return [part for part in words.split(" ") if re.search("[一-鿿]", part)]


def _reason(part: str, last: bool) -> bool:
    """Whether words beside a request tell why: they name a fault, or a space sets them apart at its end."""
    return not _GAVE.search(part) and (faults(part) or (last and _apart(part)))


def _apart(part: str) -> bool:
    """Whether words in Chinese stand between spaces, as a reason beside values does."""
    return part[:1] == " " and len(re.findall("[一-鿿]", part)) >= 2 and not _NEGATION.search(part)

"""What an answer says beyond the answer: it drops the whole, puts it off, asks back, or names something else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from graph.fields import FieldSpec
from graph.fields.showing import canonical_money, discreet
from graph.fields.words import any_of
from graph.model import Fact, Problem, ProblemCode
from graph.reading.clauses import HIDDEN, MOST, clauses
from graph.reading.decided import decided
from graph.reading.fillers import FAULT, courtesy, faults, length, substance
from graph.reading.labels import labels
from graph.reading.model import Reading, Stray
from graph.reading.pending import NO_WAIT, NOT_HERE, THE_REST
from graph.reading.sight import Sight, sight
from graph.reading.spans import Span, rest_of
from graph.reading.stance import stance
from graph.reading.talk import asking, says_yes
from graph.reading.wishes import OTHERS

#: Kinds whose values leave no room for other words.
_VALUES = frozenset({"choice", "money", "code", "integer", "percent", "date"})
#: Kinds of which a single answer is the value and little else, even where nobody approves: the words beside it may be of
#: another number or day (concert on …).
_BARE = frozenset({"code", "integer", "date"})
_NEGATION = re.compile("[不没别未勿停撤]|(?<![a-z])(?:not|no|never)(?![a-z])|n't(?![a-z])")
_ANSWERING = re.compile(
    any_of(
        "没问题|选|走|用|行|觉得|感觉|认为|刚刚?|住|签|上午|下午|早上|晚上|中午|傍晚|凌晨|我们|咱们?|约合|相当于|折合|就好|优先|算|按|统一|结算|已|回|同意|确定|确认了|定了|喜欢|刚说|说了|"
        "不是|之前|原来|加急|多谢|嗯嗯|最终|"
        "最后|总|额|补|赔|老样子|没错|大人|成人|够了?|足够|就是|[这那]一?[单个]|团|行程|主管|经理|领导|[他她]的|编号|批了|查了|看了|谈妥了?|谈好了?|客人|现在|原来|刚好|正好|"
        "出发|启程|入住|退房|到店|到达|抵达|改到|改期|联系",
        "hers|his|new|check-in|arrive|checked|looked|mgr|approved|call it|settled on|cust|yep|yeah|yup|she|he|they|"
        "feel|believe|morning|afternoon|"
        "evening|noon|"
        "typo|mistyped|i meant|fine|good|great|best|better|right|sure|go|going|went|goes|prefers?|preferred|likes?|liked|"
        "chose|choose|chosen|picks?|picked|"
        "use|using|put|take|takes|took|agrees?|agreed|confirmed|same|before|actually|sorry|mean|meant|said|think|"
        "they'd|he'd|she'd|"
        "i'd|we'd|let's say|let's|it's|that's|these|fair|though|store|final|answer|choice|option|works?|him|her|"
        "since|because|easier|was|not|"
        "depart(?:s|ing)?|leav(?:e|es|ing)|arriv(?:e|es|ing)|check(?:ing)? (?:in|out)|"
        "moved?|changed|postponed|shifted|reschedule|exactly|"
        "travel(?:s|l?ing)?|fly|flies|flying|come|comes|coming|start(?:s|ing)?|stay(?:s|ing)?|"
        "enough|says?|supervisor|manager|boss|tour|trip|now",
    )
)
#: An excuse for an earlier answer, before the better one.
_EXCUSE = re.compile(
    r"[我刚才 ]*(?:打|说|写|输|看|弄|搞|填|选)错了?|(?:(?:oh|oops|sorry|ah)(?![a-z])[ ,]*)*(?:typo|mistyped|"
    r"wrong number|my mistake|my bad)"
)
#: A Chinese sign that may go on a word: not 退回卡里, 刷卡上.
_WORD_ON = re.compile("(?![里上内去来中])[一-鿿]")
#: So many signs that no rule knows may stand beside a value: 签两年, 下周二下午过去.
_LOOSE, _LOOSE_LATIN = 3, 4
_SPOILT = re.compile(
    any_of(
        "或|还是|要么|之间|至少|除|任|不管|比|过期|清零|失效|用完|用光|没了|不足|不够|被?扣|冻结|作废|丢|退了|付[了过的]|刷[了过的]|买|花",
        "or|either|between|after|before|than|except|any|whichever|expired?|gone|used up|blocked|frozen|lost|"
        "paid|bought|spent|stolen|void|worthless",
    )
)
_CODES: dict[Stray, ProblemCode] = {"cancel": "cancelling", "wait": "waiting", "other": "beside"}


def strayed(
    text: str,
    fields: Sequence[FieldSpec],
    known: Mapping[str, Fact],
    told: Sequence[FieldSpec],
    today: date | None = None,
    *,
    talking: bool = False,
) -> Reading | None:
    """The reading of an answer to `fields` that goes beyond them: nothing taken, one problem that names the words.

    `known` is what the case knows, `told` the fields it is told; a value that differs from the known one goes beyond.
    `talking`: nothing in the case has to be approved, so that words beside the values are only talk. None: a plain answer.
    """
    others = [spec for spec in told if spec.name in known and all(spec.name != asked.name for asked in fields)]
    seen = sight(text, (*fields, *others), asked=True, today=today)
    valued = all(spec.type in _VALUES for spec in fields) and not talking
    bare = len(fields) == 1 and fields[0].type in _BARE
    telling = talking or any(spec.type == "text" for spec in fields)
    found: dict[Stray, str] = {}
    spans = clauses(seen.source.norm)
    if len(spans) > MOST:
        spans, found["other"] = [], text.strip()
    valued_at = [span for span in spans if _touched(seen, *span)]
    story = _decided_at(seen)
    for low, high in spans:
        if valued_at and (low, high) not in valued_at and _apart(seen, low, high, last=valued_at[-1]):
            continue
        kind = _of_clause(seen, low, high, telling=telling)
        strict = valued or (bare and (low, high) in valued_at)
        if not kind and strict and low >= story and _unsaid(seen, low, high, loose=not bare):
            kind = "other"
        kind = kind or ("other" if _contradicts(seen, others, known, (low, high), telling=telling) else "")
        if kind:
            found.setdefault(kind, seen.source.quote(low, high))
    for kind in ("cancel", "wait", "other"):
        if kind in found and fields:
            problem = Problem(field=fields[0].name, code=_CODES[kind], quote=found[kind][:60])
            return Reading(problems=[discreet(fields[0], problem)], stray=kind)
    return None


def _of_clause(seen: Sight, low: int, high: int, *, telling: bool) -> Stray:
    norm = seen.source.norm
    named = [cue for found in seen.cues.values() for cue in found if cue.value is not None and low <= cue.start < high]
    if named and all(cue.denied for cue in named):  # 现金算了: a way is turned down, not the whole
        return ""
    # A clause that is nothing but a choice is no more than that, though `not yet` would put the whole off elsewhere.
    asks = norm[high : high + 1] in ("?", "？") or asking(norm[low:high])
    if named and not asks and not rest_of(norm, low, high, seen.taken().all()).strip(" .,!~。，！"):
        return ""
    if kind := stance(_without_days(seen, low, high), telling=telling and not _acted(seen, low, high)):
        return kind
    return "other" if asks else ""


def _decided_at(seen: Sight) -> int:
    """Where a clause begins that decides after a story, and says a value for certain; 0 where there is none."""
    last = decided(seen.source.norm)
    if last is None or asking(seen.source.norm[slice(*last)].strip()):
        return 0
    chosen = [cue.start for found in seen.cues.values() for cue in found if cue.value and not (cue.denied or cue.supposed)]
    paid = [one.amount.start for found in seen.amounts.values() for one in found if one.role in ("wanted", "")]
    return last[0] if any(last[0] <= at < last[1] for at in (*chosen, *paid)) else 0


def _without_days(seen: Sight, low: int, high: int) -> str:
    """The clause without the days that a field asks for: tomorrow is an answer then, and puts nothing off."""
    words = list(seen.source.norm[low:high])
    for spec in seen.fields:
        for day in seen.others.get(spec.name, []) if spec.type == "date" else ():
            if low <= day.start and day.end <= high:
                words[day.start - low : day.end - low] = HIDDEN * (day.end - day.start)
    return "".join(words)


def _unsaid(seen: Sight, low: int, high: int, *, loose: bool) -> bool:
    """Whether a clause of an answer that has no room for a story says anything beside values and courtesy.

    `loose`: a few signs that no rule knows may stand beside a value.
    """
    words = seen.source.norm[low:high]
    cues = [cue for found in seen.cues.values() for cue in found if low <= cue.start < high]
    yes = says_yes(words)
    if yes or (yes is False and _acted(seen, high, len(seen.source.norm))):  # no, make it 80
        return False
    if _EXCUSE.fullmatch(words) or courtesy(words) or any(cue.denied for cue in cues):
        return False
    if faults(words) and not _NEGATION.search(FAULT.sub("", words)):
        return False  # 客人等到半夜，导游没来: why, once more
    bare = labels(rest_of(seen.source.norm, low, high, seen.taken().all()), seen.fields).rest
    rest = _ANSWERING.sub(" ", bare)
    if _NEGATION.search(rest) is not None or not _touched(seen, low, high):
        return bool(length(rest)) or _NEGATION.search(rest) is not None
    too_much = length(rest) > ((_LOOSE_LATIN if rest.isascii() else _LOOSE) if loose else 0)
    return too_much or _of_others(bare) or any(_goes_on(seen, cue.end, high) for cue in cues if not cue.supposed)


def _goes_on(seen: Sight, at: int, high: int) -> bool:
    """Whether unknown signs stand right behind a choice, which they may make another word: 到了机场."""
    behind = rest_of(seen.source.norm, at, high, seen.taken().all())
    return _WORD_ON.match(seen.source.norm, at) is not None and bool(length(_ANSWERING.sub(" ", behind)))


def _of_others(words: str) -> bool:
    """Whether words beside a value speak of somebody else, or of what became of it: 司机收现金, 积分过期."""
    return bool(length(words)) and (OTHERS.search(words) is not None or _SPOILT.search(words) is not None)


def _acted(seen: Sight, low: int, high: int) -> bool:
    """Whether an amount or a choice stands in a clause."""
    return any(low <= start < high for start, _ in seen.taken().acts)


def _touched(seen: Sight, low: int, high: int) -> bool:
    """Whether a value stands in a clause."""
    taken = seen.taken()
    return any(low <= start < high for start, _ in (*taken.labels, *taken.acts))


def _apart(seen: Sight, low: int, high: int, last: Span) -> bool:
    """Whether a clause without a value leaves the others' as they are: it puts off another field, or takes back what
    stood before the last one."""
    words = seen.source.norm[low:high]
    if NO_WAIT.fullmatch(words):
        return high <= last[0]
    if not NOT_HERE.search(words):
        return False
    named = labels(words, seen.fields).named
    return bool(THE_REST.search(words)) or (bool(named) and not any(_seen(seen, spec) for spec in named))


def _seen(seen: Sight, spec: FieldSpec) -> bool:
    """Whether there is a value for a field."""
    found = (seen.codes, seen.cues, seen.amounts, seen.others)
    return any(bool(each.get(spec.name)) for each in found)


def _contradicts(
    seen: Sight, others: Sequence[FieldSpec], known: Mapping[str, Fact], span: tuple[int, int], *, telling: bool
) -> bool:
    """Whether a clause gives a known field another value. In a story only what is clearly meant so counts."""
    low, high = span
    said: list[tuple[str, str | None]] = []
    for spec in others:
        said += [(spec.name, one.value) for one in seen.codes.get(spec.name, []) if _within(one.start, span, one.denied)]
        said += [
            (spec.name, canonical_money(one.amount.value) if one.amount.value is not None else None)
            for one in seen.amounts.get(spec.name, [])
            if low <= one.amount.start < high
            and (one.role == "wanted" and one.sure if telling else one.role in ("wanted", ""))
        ]
        if telling and substance(rest_of(seen.source.norm, low, high, seen.taken().all())):
            continue  # 司机只收现金
        said += [(spec.name, cue.value) for cue in seen.cues.get(spec.name, ()) if _within(cue.start, span, cue.denied)]
    return any(value != known[name].value for name, value in said)


def _within(start: int, span: tuple[int, int], denied: bool) -> bool:
    return span[0] <= start < span[1] and not denied

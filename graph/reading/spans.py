"""Free text: what of a message is left to be a reason once everything else in it is taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.fields.chinese import SIGNS

Span = tuple[int, int]

_CLAUSE = re.compile(r"(?:[^,，。;；!！?？\n:、]|[,:](?=\d)|、)+")
_MARKER = re.compile(
    r"(?:补偿|退款|投诉)?(?:原因|理由|事由|备注)(?:是|为|:)?|因为|由于|因|(?<![a-z])(?:because of|because|due to|owing to|on account of|since|"
    r"reason(?: is|:)?|as (?:the|a|an|they|he|she|it|we|our|there)|for)(?![a-z])"
)
_STRONG_MARKER = re.compile(
    r"^[ :]*(?:(?:补偿|退款|投诉)?(?:原因|理由|事由)(?: ?是| ?为)?[ :]*|因为|由于|(?:the )?(?:because of|because|due to|owing to|reason(?: is| was)?)(?![a-z])[ :]*)"
)
_NAME = r"[一-鿿]{1,2}(?:女士|先生|小姐|太太)|(?:mr|ms|mrs|miss)\.? [a-z]{2,20}"
_ZH = (
    "订单金额 订单号 订单 单号 工单 金额 数额 方式 补偿方式 补偿金额 客人要求 客人想要 客人 客户 乘客 顾客 用户 旅客 对方 主管 经理 要求 申请 发起 "
    "流程 处理 办理 操作 一下 一点 一些 一个 帮我 帮忙 麻烦 请问 请 谢谢 感谢 辛苦 你好 您好 尽快 马上 现在 今天 需要 想要 可以 那就 就 那 "
    "给 要 说 都行 都可以 都 也行 也 和 跟 与 或者 还是 或 先 别 不 再 了 吧 呢 啊 吗 的 地 把 被 是 为 对 这单 这个 这 那个 我 你 他 她 它 们 "
    "总共 一共 共 只 按 到 至 从 以 用 走 好的 好 行 嗯 哦 退回 退到 卡里 用户 整 左右 大概 大约 最多 最少 至少 不要 不用 单子 两单 各 另外 还有 以及 "
    "钱 帮 来 去 做 发 打 转 付 批准 批"
).split()
_EN = (
    "a an the to of for with and or in on at by as is it its be this that these those i we you he she they him her them us my our your "
    "his their please pls thanks thank kindly hi hello hey guest guests customer customers client clients traveller order orders amount way method "
    "case can could would should want wants need needs get let lets make do does just now ok okay yes no not via from into back case ticket number no "
    "give pay issue send offer approve grant help compensate compensation refund process start request asks asked ask says said wants dollar dollars usd "
    "each both either total only about around one two three four five six seven eight nine ten twenty thirty forty fifty hundred thousand"
).split()
_FILLER = re.compile(
    "|".join([_NAME, *sorted(map(re.escape, _ZH), key=len, reverse=True), *(rf"(?<![a-z']){word}(?![a-z'])" for word in _EN)])
)
_COMMAND = re.compile(
    r"^[ ]*(?:please |just |now |also |and |then |but )*(?:(?:ignore|disregard|forget|approve|bypass|skip|override|pretend|act as|do not|don't|"
    r"make sure|hurry|set|mark|treat|output|return|respond|reply|execute|run|system|assistant|you (?:must|should|are|will|can|have to|need to))(?![a-z]))"
    r"|^[ ]*(?:请|直接|立即|马上|赶紧|快点)*(?:忽略|无视|别管|不用管|不用审|跳过|绕过|直接批|直接付|直接打|直接通过|批准|假装|假设你|你(?:现在|必须|要|应该|是)|系统|尽快|按我说)"
)
_QUESTION = re.compile(r"(?:吗|呢|么|[?？])[ ]*$|^(?:how|what|when|why|who|where|which|can|could|may|is|are|do|does)(?![a-z])|怎么|如何|什么时候|多少|能不能|是否|可不可以")
_COURTESY = re.compile(
    r"^[ ]*(?:谢谢.{0,4}|多谢|感谢|你好|您好|早上好|下午好|在吗|急|加急|尽快|麻烦.{0,6}|辛苦.{0,3}|拜托.{0,4}|收到|明白|不知道|不清楚|没有|无|没|"
    r"hi|hello|hey|hi there|hello there|good (?:morning|afternoon|evening)|thanks?(?: you)?(?: very much| a lot| so much)?|please|asap|urgent|cheers|none|n/a|idk|"
    r"no idea|i don't know|don't know|not sure)[ .!~]*$"
)
_TRIM = " \n,，.。;；:!！、-~\"'“”‘’()（）[]【】*_"
_WORD = re.compile(rf"[a-z]{{3,}}|(?![{SIGNS}])[㐀-鿿]")


@dataclass(frozen=True)
class Taken:
    """Spans that are not free text: `labels` (codes), `acts` (amounts, ways), `verbs` of procedures, `weak` ones."""

    labels: Sequence[Span]
    acts: Sequence[Span]
    verbs: Sequence[Span]
    weak: Sequence[Span] = ()

    def all(self) -> list[Span]:
        """Every taken span."""
        return sorted([*self.labels, *self.acts, *self.verbs, *self.weak])


def substance(words: str) -> bool:
    """Whether words say something of themselves: two Chinese signs or one English word beyond what any request has."""
    rest = _FILLER.sub(" ", words)
    found = _WORD.findall(rest)
    return sum(2 if word.isascii() else 1 for word in found) >= 2


def left_over(text: str, start: int, end: int, taken: Sequence[Span]) -> list[Span]:
    """The parts of a span that no taken span covers."""
    parts, at = [], start
    for low, high in sorted(taken):
        if high <= start or low >= end:
            continue
        if low > at:
            parts.append((at, low))
        at = max(at, high)
    if at < end:
        parts.append((at, end))
    return parts


def usable(words: str) -> bool:
    """Whether words can be a reason: they say something, and neither order the desk about nor ask it, nor are mere courtesy."""
    return substance(words) and not (_COMMAND.search(words) or _QUESTION.search(words) or _COURTESY.search(words))


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the spaces and stops around it."""
    while start < end and text[start] in _TRIM:
        start += 1
    while start < end and text[end - 1] in _TRIM:
        end -= 1
    return start, end


def whole(text: str) -> Span | None:
    """The whole answer to a question that asked for nothing but free text, without `because` before it."""
    start = marker.end() if (marker := _STRONG_MARKER.match(text)) else 0
    start, end = trimmed(text, start, len(text))
    return (start, end) if start < end and not _COURTESY.search(text[start:end]) else None


def free_text(text: str, taken: Taken, *, asked: bool) -> Span | None:
    """The longest stretch of the text that is nothing but free text."""
    groups: list[Span] = []
    joined = False
    for clause in _CLAUSE.finditer(text):
        span = _of_clause(text, clause.start(), clause.end(), taken, asked)
        if span is None:
            joined = False
            continue
        start, end = span
        between = text[groups[-1][1] : start] if groups else ""
        if joined and not between.strip(_TRIM):
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append(span)
        joined = not text[end : clause.end()].strip(_TRIM)
    return max(groups, key=lambda span: span[1] - span[0], default=None)


def _of_clause(text: str, start: int, end: int, taken: Taken, asked: bool) -> Span | None:
    words = text[start:end]
    tail = text[end : end + 1]
    if tail in ("?", "？") or _COMMAND.search(words):
        return None
    has_act = _touch(start, end, taken.acts)
    first = trimmed(text, start, end)[0]
    verbs = [span for span in taken.verbs if start <= span[0] < end]
    if not has_act and any(not substance(text[start:low]) for low, _ in taken.weak if start <= low < end):
        verbs.append((start, start))
    if not has_act and verbs and not _long_before(text, start, end, taken):
        has_act = True
    if not has_act and not _touch(start, end, taken.labels):
        return _checked(text, start, end)
    parts = left_over(text, start, end, taken.all() if has_act else taken.labels)
    for low, high in parts:
        marker = _MARKER.search(text, low, high)
        if marker and (span := _checked(text, marker.end() if not marker.group().startswith("as ") else marker.start() + 3, high)):
            return span
    if has_act and not asked:
        return None
    spans = [span for low, high in parts if (span := _checked(text, low, high)) and _apart(text, low, high, first, end, has_act)]
    return max(spans, key=lambda span: span[1] - span[0], default=None)


def _apart(text: str, low: int, high: int, first: int, end: int, has_act: bool) -> bool:
    """Next to amounts and verbs, words are free text only where a space sets them apart."""
    if not has_act:
        return True
    left = low <= first or text[low] == " "
    right = high >= end or text[high - 1] == " "
    return left and right


def _long_before(text: str, start: int, end: int, taken: Taken) -> bool:
    """A clause that only happens to hold a verb (没有补发接送) and says enough beside it."""
    parts = left_over(text, start, end, taken.all())
    lengths = [len(_WORD.findall(_FILLER.sub(" ", text[low:high]))) for low, high in parts]
    leading = parts and parts[0][0] == start and lengths[0] >= 2
    return bool(leading) and sum(lengths) >= 4


def _checked(text: str, start: int, end: int) -> Span | None:
    if marker := _STRONG_MARKER.match(text[start:end]):
        start += marker.end()
    start, end = trimmed(text, start, end)
    return (start, end) if start < end and usable(text[start:end]) else None


def _touch(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(low < end and high > start for low, high in spans)


def claimed(text: str, span: Span, taken: Taken) -> Span | None:
    """A span that somebody says is free text, if it is: nothing else in it, and not from an order or a question to the desk."""
    start, end = trimmed(text, *span)
    if start >= end or _touch(start, end, [*taken.labels, *taken.acts]):
        return None
    around = next((clause for clause in _CLAUSE.finditer(text) if clause.start() <= start < clause.end()), None)
    if around and (_COMMAND.search(around.group()) or text[around.end() : around.end() + 1] in ("?", "？")):
        return None
    if any(low <= start and end <= high for low, high in taken.verbs):
        return None
    rest = " ".join(text[low:high] for low, high in left_over(text, start, end, [*taken.verbs, *taken.weak]))
    return (start, end) if substance(rest) and usable(text[start:end]) else None

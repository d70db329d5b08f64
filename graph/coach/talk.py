"""How people talk, whatever the scenario: what a question is, a farewell, a greeting, a yes and a no to a step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SENTENCE = re.compile(r"[^。！!？?；;\n]+[。！!？?；;\n]*")
_STOP = re.compile(r"(?<=[a-z)])\.(?=\s|$)")
_CLAUSE = re.compile(r"[,，:：—]+|\s-\s|\s/\s|\s*(?:另外|还有就是|顺便|以及)\s*")
_CONDITION = re.compile(r"的话|^(?:那?如果|要是|假如|既然|由于|因为|若)|^(?:if|since|because|as|in case|given)\b")
_STRONG = re.compile(
    r"[吗嘛么]|对吧|是吧|对不对|是不是|是否|有没有|有无|能否|哪|什么|啥|多(?:少|久|长)|(?<![等过这前])几(?:天|号|次|个)|谁|怎样|如何|何时|请问|(?:了|过)没|没有?呀?$|请教|"
    r"(?<!是)还是(?!.*吧)|"
    r"^(?:and |so |ok |okay |thanks |then |but |also |sorry )*(?:is|are|was|were|did|does|"
    r"do|has|have|had|which|what|who|whose|where|when|how|whether)(?:'?s)?\b|"
    r"\b(?:whether|or not)\b|\b(?:know|tell me|check|confirm|see|ask)(?: me)?(?: please)? (?:if|"
    r"which|what|who|whose|where|when|how)\b"
)
_MILD = re.compile(
    r"呢$|核实|核对|确认|了解|问(?:一)?下|问问|查(?:一)?下|看(?:一)?下|看(?:一)?看|看一眼|告诉|"
    r"告知|说(?:一)?下|讲(?:一)?下|报(?:一)?下|提供|"
    r"\b(?:confirm|tell me|let me know|clarify|verify|check|provide|share|specify|may i (?:know|"
    r"ask)|ask|know|wonder(?:ing)?|need)\b"
)
_BEFORE = re.compile(
    r"(?:过|了)(?:吗|没|嘛|么|没有)|(?<!超)过.{0,8}[吗嘛么没]|之前.{0,8}[吗嘛没]|"
    r"\b(?:did|have) you (?:already |ever |tried? |try )|\balready\b.*\?"
)
_OFFER = re.compile(
    r"可以|能|不如|看(?:一)?[下看]|查看|请(?!问|教)|麻烦|建议|需要|得|试试|去|把|让|"
    r"\b(?:can|could|please|would|need to|should|let|try|have to|must|may|just|will|why don't)\b|'ll\b"
)
_CLOSING = re.compile(
    r"再见|拜拜|祝您?.{0,4}(?:愉快|顺利|开心)|感谢您?的?(?:来电|咨询|致电|联系)|(?:就|先)(?:到|这样)|"
    r"结束(?:对话|会话|服务|聊天)|先挂|"
    r"还有(?:什么|啥|哪些).{0,6}(?:帮|需要|问题)|"
    r"(?:其他|其它|别的).{0,6}(?:问题|需要|可以帮|能帮|帮助|事)|(?:没有|没)?(?:其他|别的)(?:问题|"
    r"事).{0,4}(?:我)?(?:就|先)|"
    r"不打扰|关闭(?:工单|会话)|"
    r"\b(?:good ?bye|bye|have a (?:nice|great|good|lovely|wonderful)|(?:close|closing|end|"
    r"ending) (?:this|the) (?:chat|ticket|case|conversation)|"
    r"thank(?:s| you) for (?:calling|contacting|reaching)|anything else|that(?:'s| is| will be) all|take care)\b"
)
_REFUSING = re.compile(
    r"(?:帮不了|帮不到|处理不了|办不了|没办法(?:帮|处理|解决)|无法(?:帮|处理|解决)|解决不了)|"
    r"\b(?:can(?:'t|not| not) help|nothing (?:i|we) can do|unable to help|can(?:'t|not) (?:do|"
    r"solve|fix) (?:this|that|it))\b"
)
_POLITE = re.compile(
    r"您好|你好|早上好|下午好|晚上好|很高兴|为您服务|别着急|不着急|别担心|稍等|请等|等一下|不好意思|"
    r"抱歉|对不起|理解|明白|好的|好滴|收到|"
    r"谢谢|感谢|辛苦|我(?:来)?(?:帮您|查|看)|嗯|哦|在的|"
    r"\b(?:hi|hello|hey|good (?:morning|afternoon|evening)|sorry|apolog(?:y|ies|ise|ize)|"
    r"understand|sure|ok|okay|thanks|thank you|"
    r"one moment|moment|hold on|bear with|no worries|happy to help|let me (?:look|see|check)|please wait|welcome)\b"
)
_AT_YOUR_SERVICE = re.compile(
    r"(?<!还)有(?:什么|啥)(?:问题|事)?.{0,4}(?:帮|效劳)|\b(?:how|what) (?:can|may|could) i (?:help|assist|do)\b"
)
_WORKED = re.compile(
    r"(?:已经?)?(?:改好|弄好|搞定|处理好|解决|改成功|修改成功|成功|处理了|可以了|好了|改完|收到了)|"
    r"(?:发|给|提供)(?:您|你|过去)?了?[:：]|没问题|"
    r"明白|知道了|清楚了|了解了|好的|行[,，]|谢谢|多谢|试试|我去|我(?:现在|这)就|"
    r"\b(?:work(?:s|ed)|done|solved|fixed|managed|success(?:ful(?:ly)?)?|(?:it|that) (?:has|"
    r"is)(?: been)? (?:changed|sorted)|got it|"
    r"understood|i see|thanks|thank you|great|okay|ok|sure|i'll|i will|here (?:is|are|it is)|"
    r"fine|all right|makes sense)\b"
)
_FAILED = re.compile(
    r"不行|失败|没有?(?:解决|成功|用|反应|回|理|人)|改不了|还是不|还是没|无法|不能|不给|不肯|"
    r"不管|不让|弄不了|提供不了|打不开|找不到|没法|没办法|报错|不接受|不同意|不满意|还有(?:别的|其他)办法|"
    r"还能怎么办|怎么办|"
    r"\b(?:did(?:n't| not)|does(?:n't| not)|do(?:n't| not)|can(?:'t|not| not)|could(?:n't|"
    r" not)|won't|wouldn't|is(?:n't| not)|fail(?:s|ed)?|"
    r"refus(?:e|es|ed)|error|still|nothing|no answer|no luck|any other way|anything else|what else|"
    r"not (?:happy|acceptable|working))\b"
)


@dataclass(frozen=True)
class Clause:
    """A piece of a sentence. `asks` is 2 for a question, 1 for a request to say something, 0 for neither."""

    text: str
    asks: int
    conditional: bool


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of what was said (already put right)."""
    for sentence in _SENTENCE.findall(_STOP.sub("。", text)):
        marked = sentence.rstrip().endswith(("?", "？"))
        for piece in _CLAUSE.split(sentence.strip("。！!？?；;\n ")):
            said = piece.strip()
            if said:
                asks = 2 if marked or _STRONG.search(said) else 1 if _MILD.search(said) else 0
                yield Clause(said, asks, _CONDITION.search(said) is not None)


def offers_nothing(clause: Clause) -> bool:
    """Whether this only asks: if something was done before, or how things are."""
    asked = f"{clause.text}?" if clause.asks == 2 else clause.text
    return _BEFORE.search(asked) is not None or (clause.asks == 2 and _OFFER.search(clause.text) is None)


def closes(text: str) -> bool:
    """Whether this ends the talk, or turns the customer away."""
    return _CLOSING.search(text) is not None or _REFUSING.search(text) is not None


def is_polite(text: str) -> bool:
    """Whether this greets, thanks, soothes or asks for patience."""
    return _POLITE.search(text) is not None


def offers_help(text: str) -> bool:
    """Whether this is the usual question of a greeting, which asks for nothing of the procedure."""
    return _AT_YOUR_SERVICE.search(text) is not None


def worked(text: str) -> bool | None:
    """Whether the customer says that a step helped; None when neither is said. A no outweighs a yes."""
    if _FAILED.search(text):
        return False
    return True if _WORKED.search(text) else None

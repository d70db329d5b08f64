"""Whether a whole message asks how far a case is: 到了吗, 有消息了吗, any news?"""

from __future__ import annotations

import re

from graph.fields.words import Source

_ZH = (
    r"(?:请问|那|这个?|这单|这笔|现在|目前|客人|客户|的|钱|款|退款|问|一下|催|又|在|，|,| )*(?:"
    r"(?:到了|到账了?|收到了?|好了|办好了?|办完了?|批了|批下来了?|查到了?|查了|有结果了?|有消息了?|有进展了?|有回复了?|完成了?)"
    r"(?:吗|么|没有?)?|(?:什么|啥)(?:情况|进展|状态|结果)|(?:进展|情况|状态|进度)(?:如何|怎么样了?|怎样了?)?|怎么样了?|怎样了|"
    r"到哪一?步?了|到哪里了|卡在哪里?了?|还(?:在等|没到|没好|没批|没有消息)[吗么]?)(?:了|啊|呀|呢|吗|么|现在| )*"
)
_IT = r"(?:it|this|the (?:money|refund|case))"
_EN = (
    r"(?:so|and|hi|hello|hey|please|now|ok|,| )*(?:"
    rf"(?:(?:is|are) there |(?:has|did) {_IT} |we )?(?:any |some )?(?:news|updates?|progress)(?: yet)?|"
    rf"(?:what(?:'s| is) )?(?:the )?(?:current )?(?:status|state|progress)(?: of {_IT})?|"
    rf"(?:has|did|is) {_IT} (?:arrived?|there|done|through|approved|been approved|come through)(?: yet)?|"
    rf"how far (?:is {_IT}|are we|along is {_IT})|how(?:'s| is) {_IT} going|"
    rf"where (?:are we|is {_IT}|does {_IT} stand)|what(?:'s| is) (?:going on|happening)"
    rf")(?: (?:with|on) {_IT})?(?: now| please| yet)*"
)
_ASKED = re.compile(f"(?:{_ZH})|(?:{_EN})")
#: Told and asked in the same words, but for the sign: 到了 is news, 到了吗 is a question.
_TOLD = re.compile(r".*(?:到了|到账了?|收到了?|好了|批了|完成了?|没到|没好|没批)")
_SIGN = re.compile(r"[吗么呢?？]|没有?$")


def asks_how_far(text: str) -> bool:
    """Whether the message is nothing but that question."""
    norm = Source(text).norm.strip()
    bare = norm.strip("?？!！。.~ ")
    if _ASKED.fullmatch(bare) is None:
        return False
    return _TOLD.match(bare) is None or _SIGN.search(norm.rstrip("!！。.~ ")) is not None

"""Words in the place of a reason that give none: placeholders, `unknown`, a pointer to elsewhere, a greeting, a number."""

from __future__ import annotations

import re

_ZH_LEAD = (
    "(?:(?:客人|客户|乘客|对方|他们|她们|他|她|我们|我|原因|理由|事由|具体|详细|情况|这个|目前|暂时|还|也|都|就|先|"
    "真|是|为|[ :]))*"
)
_ZH = (
    "待(?:补充?|定|填写?|确认|查|核实|更新|处理)|不详|不明|未知|未填|暂(?:无|缺|未提供|不清楚|不知道)|无可奉告|保密|"
    "不(?:便|想|愿意?|肯|方便)(?:多)?(?:透露|说|讲)|(?:没有?|未)(?:说明?|讲|提供?|写明?|给|交代|告知)(?:清楚)?(?:为什么|为啥|原因|理由|具体)?|"
    "说不(?:清楚?|上来|好)|不好说|一言难尽|"
    "(?:跟|和|同|与|按|照)?(?:上面|上一?条|之前|以前|前面|刚才|上次|以往)(?:的|说的|那个|写的)*(?:一样|相同|一致|同样)|"
    "(?:详?见|如)(?:上面?|上文|前文|附件|工单|备注)|同前|略|省略|空着?|(?:以|稍|之|随)?后(?:再)?补充?|晚点补|等下补|回头补|"
    "早安?|上午好|中午好|晚上好|晚安|早上好|下午好|你好|您好|哈[喽啰]|嗨|周末愉快|节日快乐|在不在|有人吗|谢谢|多谢|谢了|感谢|"
    "(?:先)?(?:看看|看一?下|查查|查一?下|翻翻|翻一?下|找找|问问|问一?下|核对|回忆)[^，。]{0,6}|(?:你|您)?(?:先|就)?(?:空着|留空|随便[^，。]{0,5}|[写填编]个(?:理由|原因)?)|老(?:原因|样子|规矩|问题|理由)|(?:忘|记不)(?:记|得|清)?了?|想不起来|说不了|哈哈+|呃+|嗯+|哦+|啊+|(?:等下|待会儿?|一会儿?|马上|过会儿?|之后|明天)(?:我)?(?:再)?(?:补|给|发|写|告诉|说)(?:上|你|您|充)?|(?:照|仍|依)旧|见(?:邮件|聊天|记录|系统|截图|图|群)|"
    "(?:不|没)(?:太|怎么|是很)?(?:清楚|知道|了解|晓得)(?:具体|详细|什么|啥|情况|原因|细节|的)*|没啥(?:好说的|说的)?|没什么好说的|就那样|其他|其它|别的原因|某些原因|个人?原因不明"
)
_ZH_TRAIL = "(?:[吧呢啊呀哦了哈的嘛哟哇啦~!。.… ]|为什么|原因|理由|大家|各位|亲|老师|同学)*"
_EN_LEAD = (
    r"(?:(?:the|reason|reasons|details?|cause|comment|it|is|was|are|still|currently|as yet|just|will be|"
    r"to be)(?![a-z])[ :]*)*"
)
_WHO = r"(?:the |our |my |this )?(?:guest|customer|client|he|she|they|nobody|no one)"
_EN = (
    r"unknown|unclear|unspecified|undisclosed|not (?:known|given|stated|specified|provided|clear|available|disclosed|sure)|"
    r"(?:as|like|per) (?:usual|always)|(?:please |pls )?(?:check|see|look at|read|refer to) (?:the|my|our|his|"
    r"her) (?:[a-z]+ )?"
    r"(?:emails?|mail|ticket|notes?|thread|case|log|file|crm|system|chat|attachment|screenshot)|"
    r"(?:i |we )?(?:don't|do not|didn't) (?:really |quite |actually )?know(?: [a-z]+){0,3}|"
    r"tb[acd]|pending|nil|null|blank|ditto|placeholder|confidential|private|other|misc|"
    r"(?:to )?(?:follow|come|(?:be )?(?:confirmed|added|advised|determined|announced|filled in))|"
    r"nothing(?: special| to add| in particular)?|(?:see|as|like|per) (?:above|before|mentioned|discussed|earlier|attached|"
    r"the (?:ticket|notes?|email|thread))|same (?:as|like) (?:above|before|last time|the other one)|same (?:thing|"
    r"story|reason)(?: again)?|"
    rf"{_WHO} (?:wouldn't|would not|won't|will not|didn't|did not|doesn't|does not|hasn't|has not|refused to|refuses to|"
    r"never) (?:say|said|tell|told|explain|explained|give|gave|given|share|shared|specify|mention|mentioned|state)"
    r"(?: (?:why|us|me|a|any|one|reason|reasons|it|so far|yet|details|anything|explanation))*|"
    r"(?:will|i'll|we'll|gonna) (?:add|fill|update|write|provide|follow up|explain|supply)(?: [a-z]+){0,3}|"
    r"(?:i'm |i am |we're |just )?(?:checking|looking|asking|searching|digging|pulling|finding|verifying|"
    r"reading)(?: [a-z]+){0,5}|"
    r"(?:it's|its|it is|that's|reason's|all) (?:all )?in (?:the|my|our) (?:[a-z]+ )?(?:ticket|notes?|email|mail|"
    r"thread|case|log|file|crm|system|chat)|"
    r"(?:please |pls |just )*(?:put|write|say|use|pick|enter|choose|type|leave|keep) (?:in )?(?:whatever|anything|"
    r"something|it|this|that|any reason|"
    r"the reason)(?: (?:blank|empty|out|off|open|you (?:like|want)|for now|else|there|in))*|"
    r"(?:the )?(?:usual|same old)(?: (?:reason|thing|stuff|story|one))?|(?:just )?because|for no reason|huh|eh|what|"
    r"wha+t|oh|ah|oops|lol|"
    r"haha+|er+m*|um+|(?:i )?(?:can't|cannot|couldn't|can not|don't|do not|won't|not (?:allowed|able|"
    r"supposed) to) (?:say|tell|remember|recall|"
    r"disclose|share)(?: (?:you|why|that|it|yet|now))*|(?:i )?forgot|more (?:later|to come|soon)|"
    r"(?:details )?coming soon|in a (?:bit|sec|minute)|later|"
    r"(?:(?:cheers|thanks|thanx|thx|ty|tks|ta|morning|afternoon|evening|hi|hey|hello|yo|howdy|hiya|greetings|"
    r"good (?:morning|afternoon|"
    r"evening|day))(?![a-z])[ ,]*)+(?:(?:mate|all|man|guys|team|buddy|folks|everyone|dear|there|a bunch|a million|"
    r"a lot|again|"
    r"so much|very much|you|sir|bot|to you)(?![a-z])[ ,]*)*|have a (?:nice|good|great) [a-z]+|how are you(?: [a-z]+)*"
)
_NOTHING = re.compile(rf" *(?:{_ZH_LEAD}(?:{_ZH}){_ZH_TRAIL}|{_EN_LEAD}(?:{_EN})[ .!~,]*)")
#: The number of an order or a customer alone, with what leads to it.
_NUMBER = re.compile(
    r" *(?:(?:订单号?|单号|编号|工单|order|number|case|ticket|id|no|ref|#|:|是|为|is)[ .]*)*"
    r"(?:[a-z]{0,4}[- ]?\d[\d -]{1,24}[ .]*)(?:号|号订单|这单|单子|的)*[ .!。]*"
)


def says_nothing(words: str) -> bool:
    """Whether normalised words only stand where a reason would: 待补充, reason unknown, see above, good morning."""
    return _NOTHING.fullmatch(words) is not None


def only_a_number(words: str) -> bool:
    """Whether normalised words are a number of an order, a customer or an account, and nothing else."""
    return _NUMBER.fullmatch(words) is not None

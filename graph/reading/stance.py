"""What a clause says about the whole: drop it, not now, or not for certain. It is said to the desk, not about the guide."""

from __future__ import annotations

import re
from functools import lru_cache

from graph.reading.model import Stray

_LONG = 200  # what a clause says of the whole stands at its beginning
_ZH_LEAD = (
    r"(?:那|就|请|麻烦|帮我|帮忙|我们|我|客人|客户|乘客|他们|他|她|对方|你|您|说|还是|还|在|干脆|都|也|再|其实|实在|现在|"
    r"咱们?|这单|这个|这|单子|工单|账号|账户|金额|原因|方式|得|要|需要|的|了|把|给|吧|哦|嗯|啊|算了|快|赶紧|好|行|ok|让| )*"
)
_EN_LEAD = (
    r"(?:(?:please|pls|just|ok|okay|yes|yeah|and|oh|no|i'm|i am|we're|we are|actually|well|sorry|hey|hmm|then|also|"
    r"still|better|to|you|i|we|"
    r"want|need|would|like|"
    r"let's|lets|so|but|only|kindly|guys|thanks|now)(?![a-z])[ ,]*)*"
)
_ZH_ACT = (
    "(?:补偿|补给|补|赔偿|赔付|赔|退款|退钱|退|付款|付钱|付|支付|打款|打钱|打|转账|提交|发起|办理|办|处理|申请|批准|批|"
    "发放|发|告诉|操作|执行|弄|做|搞|继续|下发|给)"
)
_EN_ACT = (
    r"(?:pay|give|compensate|submit|send|process|issue|refund|do|proceed|continue|approve|transfer|bother|go ahead|go on|"
    r"start|apply|grant|credit|file|book)"
)
_BOSS_ZH = "(?:主管|经理|总监|领导|老板|公司|财务|系统|政策|上面|上级|组长|我们|我|他们|还| )"
_BOSS_EN = r"(?:supervisor|manager|boss|director|finance|policy|company|lead|i|we)"

_WAIT = (
    rf"{_ZH_LEAD}(?:先(?:别|不|等|放|缓|停|暂|搁|查|问(?!了)|看看|看一|确认|核实|核对|想|勿|挂|压)|稍等|稍候|等等|"
    r"等(?:一下|下|一等|一会|会|我|主管|经理|总监|财务|老板|领导|组长|上面|明天|后天|下周|晚上|核实|确认|审批|审核|"
    r"通知|回复|"
    r"消息|结果|客[人户](?:确认|回复|同意|答复|回|那边|来)|客[人户]的?(?:话|信|消息|意见|答复))|[等待][^了过不]{0,10}(?:再|之后|以后|后)(?:给.{0,4})?"
    rf"{_ZH_ACT}|暂(?:缓|停|不|且|时(?:不|别|先|停))|(?:先|去)*(?:想想|想一想|考虑|问问|问一?下|查查|查一?下|核实一?下|"
    r"确认一?下|核对一?下|看一?下再|请示|商量)|(?:再|去|先|还要|还得|需要|得|要)*(?:跟|和|找|向|与|等)(?:客人|客户|"
    r"主管|经理|老板|领导|组长|同事|对方|他|她)(?:那边)?(?:再|先|来)?(?:确认|核实|核对|商量|沟通|问|聊|对|回复|答复)|"
    r"(?:马上|一?会儿?|等下|待会儿?|稍后|晚点|回头|随后|过会儿?| )*(?:告诉|回复|答复|发给|报给|提供给)(?:你|您)|"
    r"[^，。]{0,6}(?:还没|尚未|没|未)(?:有)?(?:定|想好|确定|决定|商量好|谈好)|不急|别急|没想好|先这样|停一?下|"
    r".*(?:同意|批准|确认|批|核实|点头)(?:了|"
    r"之?后)?再|"
    r"(?:明天|明早|后天|下周|下个?月|月底|改天|改日|回头|晚点|晚些|稍后|待会儿?|过(?:几天|一?会儿?|两天)|以后|下次|之后|"
    rf"周[一二三四五六日末])(?:我|再|才|统一|的话| )*(?:说|议|看|定|想|{_ZH_ACT})|.{{0,4}}再[说议定](?:吧|了)?$|"
    rf"再看看?吧?$|"
    rf"(?:如果|(?<!主)要是|假如|假使|万一|倘若|除非|只要|只有|若(?!干)|前提))|{_BOSS_ZH}*(?:还没|尚未)(?:定|想好|确认|核实|"
    rf"批|同意|审)|"
    r"[^，。]*(?<!可以)(?<!方便)的话$",
    rf"{_EN_LEAD}(?:(?:will|gonna|going to|'ll) (?:tell|send|let|give|get back|update|come back)(?: to)? (?:you|"
    rf"know)(?![a-z])|not sure (?:about|of|yet|what|which|how|whether)|(?:still )?(?:asking|checking with|"
    rf"talking (?:to|with)|speaking (?:to|with)|calling|waiting for|"
    rf"confirming with) (?:her|him|them|the |my )|wait(?=$| (?:for (?:me|my|(?:the |a |our )?(?:manager|supervisor|"
    rf"boss|lead|director|ok|go|"
    rf"approval)|confirmation|his|her|"
    r"further)|until|till|before|and|a |with))|hold(?=$| please| for)|hold (?:on|off|it|this|that|up)|"
    r"hang on|stand ?by|not (?:yet|now|sure "
    r"yet|decided|confirmed)|undecided|one (?:sec|second|moment|minute|min)|(?:give|gimme) me|just a |a (?:moment|"
    r"minute|second)|bear with me|brb|(?:postpone|pause|defer|delay|park) (?:it|this|that|everything|the (?:pay|comp|ref|"
    r"case|cred))|(?:haven't|have not) (?:decided|confirmed|checked)|still (?:checking|thinking|deciding|waiting for "
    r"(?:my|the (?:manager|supervisor|ok)|approval|confirmation))|(?:let me|let us|lemme|(?:i|we) ?(?:'ll|will|"
    r"need to|have "
    r"to|must|want to|should|gotta|'d like to|'m going to|am going to)|(?:'ll|will|need to|have to|must|want to|should|'d "
    r"like to|'m going to)) ?(?:have to |need to |first |just |quickly )*(?:check|ask|confirm|verify|think|look|find|get "
    r"back|see|talk|consult|double|clarify|review|come back|discuss|call)(?![a-z])|(?:do not|don't|dont|never) .*(?<![a-z])"
    r"(?:yet|until|till|before|for now|right now)(?![a-z])|(?:if(?! possible)|unless|provided|assuming|pending|subject to|"
    r"depending|on condition|as long as)(?![a-z])|(?:once|after|when|until|till|as soon as)(?![a-z]).*(?<![a-z])(?:"
    r"confirms?|approves?|agrees?|checks?|says?|oks?|okays?|replies|responds?|verif(?:y|ies)|signs?|i tell)(?![a-z])|(?:"
    rf"{_EN_ACT}(?: [a-z]+){{0,3}} )?(?:tomorrow|later|next week|next month|tonight|another time)(?: please| on| today)?$)",
)
_CANCEL = (
    rf"{_ZH_LEAD}先?(?:取消|撤销|撤回|撤掉|作废|中止|终止|停止|停掉|放弃)(?:吧|掉|了|它|这个?|该|本|刚才|刚刚|那个?|"
    rf"工单|单子|"
    r"补偿|赔偿|赔付|退款|流程|申请|操作|发放|提交|[这那][单笔]|的|谢谢| |[a-z]{1,4}-\d{1,8})*$|"
    rf"(?:{_ZH_LEAD}|.*(?:积分|现金|就|也|都|还是|干脆))(?:算了|拉倒|作罢|免了|罢了)(?:吧|啊|呢)?$|"
    rf"{_ZH_LEAD}(?:别|勿|不|甭|无需|停止|拒绝)(?:要|用|必|需|想|能|会|该|应|可以|打算|准备|再|给|他们|他|她|客人|这单|"
    rf"了|急着|先|同意|允许| )*{_ZH_ACT}(?:了|吧|啊|给.{{0,4}}|款|钱|积分|现金)*$|"
    rf"{_ZH_LEAD}(?:不用|不要|不需要|不必|用不着|没必要|不想要)(?:了|啦|吧)*$|"
    r".*(?:当我没说|开玩笑|说着玩)|" + rf"{_ZH_LEAD}停(?:了|吧|掉)*$|.*(?:反悔|改主意|变卦|改变主意)|"
    rf"{_BOSS_ZH}*(?:不|没|未)(?:有|能|可以|会|给|被)*(?:批准|批|同意|答应|通过|允许|准许|准|认可)(?:了|的|这.*|补.*|"
    rf"给.*)?$|"
    r"(?:主管|经理|总监|领导|老板|公司|财务|组长).{0,4}(?:拒绝|驳回|否决|打回)|(?:拒绝|驳回|否决)(?:了|吧)?$",
    rf"{_EN_LEAD}(?:(?:cancel|abort|scrap|drop|undo|revoke|withdraw|reverse|void|kill|scratch|stop|remove|delete)(?: (?:it|"
    r"this|that|the|my|please|pls|request|case|compensation|payout|payment|refund|credit|ticket|all|everything|now|whole|"
    r"thing|for|thanks|[a-z]{1,4}-\d{1,8}))*$|never ?mind|(?:let's |lets |rather |better )?not$|forget (?:it|about|"
    r"this|that)|call it off|no longer needed|not "
    r"needed|no need|.*chang(?:e|ed|es) (?:his|her|their|our|my|the) mind|just kidding|(?:disregard|ignore) (?:this|"
    r"that|it)$|skip (?:it|this)$|"
    r"(?:do not|don't|dont|never|won't|will not|shouldn't|should not|must not|mustn't|cannot|can't|not going to|"
    r"not) (?:want "
    rf"to |need to |have to |going to |actually |be )*{_EN_ACT}(?:ing)?(?![a-z])|no (?:compensation|payout|"
    rf"payment)(?![a-z])|"
    r"(?:the )?(?:guest|customer|client|he|she|they) (?:no longer|doesn't|does not|don't|do not) (?:wants?|needs?)(?: it| "
    r"this| any.*| the (?:comp|ref|mon).*)?(?: any ?more)?$)|"
    rf"(?:.*(?<![a-z]))?{_BOSS_EN}(?![a-z])(?:.*(?<![a-z]))?(?:refus|declin|reject|denie|disagree|said no|says no|"
    r"(?:not|cannot|.*n't) (?:allow|approve|agree|permit|give|pay|do that))",
)
_TEST = (
    rf"{_ZH_LEAD}(?:测试|试试|试一下|举例|比如|例如|打个比方|假设)",
    rf"{_EN_LEAD}(?:(?:only |just )?(?:testing|a test|test)(?![a-z])|for example|e\.g|hypothetical|suppose|imagine|"
    rf"let's say(?! [$\d]))",
)
_AMISS = (
    r".*(?:金额|订单号?|方式|原因|账[号户]|单号).{0,4}(?:不对|错|有误|先改|要改|改一下|改成|改为|换成)|.*(?:两单|两个订单)",
    r".*(?<![a-z])the (?:amount|order|way|reason|account|number) (?:is|was) (?:wrong|incorrect|off|not right)|"
    r".*(?<![a-z])change the "
    r"(?:amount|order|way|reason|account)|.*both orders",
)
_DOUBT = (
    r".*(?:可能|也许|或许|不确定|不太确定|拿不准|说不准|没把握|好像)",
    r".*(?<![a-z])(?:maybe|perhaps|possibly|might|not sure|unsure|i guess|could be|or not)(?![a-z])",
)
_CONDITION = (
    r".*(?:如果|(?<!主)要是|假如|除非|只要|前提)",
    r".*(?<![a-z])(?:if(?! possible| you can| needed)|unless|provided|as long as|only when|subject to|pending|once|"
    r"until)(?![a-z])",
)


def _any(patterns: tuple[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_ALWAYS: tuple[tuple[Stray, re.Pattern[str]], ...] = (
    ("wait", _any(_WAIT)),
    ("cancel", _any(_CANCEL)),
    ("other", _any(_TEST)),
    ("other", _any(_AMISS)),
)
_OF_VALUES: tuple[tuple[Stray, re.Pattern[str]], ...] = (("wait", _any(_CONDITION)), ("other", _any(_DOUBT)))


@lru_cache(maxsize=512)
def stance(clause: str, *, telling: bool) -> Stray:
    """What a clause of a normalised text says about the whole, `""` for nothing. One clause is asked about many times.

    `telling`: the clause may tell what happened to a guest, where a doubt or an `if` is part of the story.
    """
    checks = _ALWAYS if telling else (*_ALWAYS, *_OF_VALUES)
    return next((found for found, pattern in checks if pattern.match(clause[:_LONG])), "")

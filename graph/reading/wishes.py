"""The words by which a message asks for something now, or refuses, undoes, defers, reports or only supposes it."""

from __future__ import annotations

import re

from graph.fields.words import any_of
from graph.reading.clauses import HIDDEN

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
NO = re.compile(
    "(?:先别|别|甭|不是|(?<![能可要])不|勿|停止|暂停|(?<![程单团动班店程发房户家人了被])取消|撤回|撤销|无需|没有?|未|无人|没人|没谁|"
    "拒绝|禁止|"
    "用不着|反对)(?:必要|需|用|想|能|会|该|应|可以|打算|准备|建议|值得|同意|允许|许|准|愿意|肯|得|要|宜|必|考虑|接受|"
    "支持|批准|赞成|说)*" + _FILL
)
NO_EN = any_of(
    "",
    "not|no|never|without|don't|dont|doesn't|didn't|won't|wouldn't|shouldn't|can't|cannot|couldn't|haven't|isn't|aren't|"
    "wasn't|refuse[sd]?|declined?|avoid|against|nobody|stop",
)
UNABLE = re.compile("(?:不了|不成|不起)")
OTHERS = re.compile(
    any_of(
        "商户|商家|司机|导游|酒店|航司|航空公司|供应商|地接|景区|平台|船家|店家|车行|旅行社",
        "merchant|supplier|hotel|airline|driver|guide|operator|vendor|agency",
    )
)
LATER = re.compile(
    "(?:(?:明天|明早|明晚|上午|下午|晚上|中午|傍晚|明日|后天|下周[一二三四五六日末]?|下个?月|月底|改天|改日|回头|晚点|"
    "晚些|稍后|待会儿?|"
    "过(?:几天|会儿?|一会儿?|两天)|"
    "以后|下次|之后|今晚|周[一二三四五六日末]|等[^了]{1,16}?(?:再|就|之后|以后|后)|暂缓|暂停|暂时|推迟|延后|"
    "(?:同意|批准|批|确认|核实|查清?|审核|审批|收到|回复|处理|核对|回来|商量|讨论|请示)(?:了|完|过|好|清楚)*(?:之|以)?后|"
    "可能|也许|或许|考虑|打算|准备|计划|要不要|该不该|是否|是不是|假设|讨论|本来|原本|原定|原计划|差点|不确定|想知道|"
    "怎么|如何)(?!的))" + _FILL
)
PAST = re.compile("(?:已经?|刚刚?|刚才|昨天|昨晚|前天|上周|上个?月|上次|之前|早就|曾经?|前几天)" + _FILL)
DONE = re.compile("(?:重|错|多|少|漏)?(?:了|过|完|好|上|的)(?!吧|好吗)")
GAVE = re.compile(
    any_of(
        "收到|到账|拿到|领到|领了|入账|已[付发]",
        "gave|given|paid|issued|sent|offered|approved|granted|credited|awarded|transferred|processed|compensated|refunded|"
        "reimbursed|received|got|already|yesterday|last (?:week|month|night|time)",
    )
)
TO_BE = re.compile(any_of("", "be|get|being") + " $")
IF = re.compile(
    any_of(
        "如果|要是|假如|假使|万一|倘若|除非|只要|只有|若(?!干)|(?<!可以)(?<!方便)的话|前提|视情况|取决于",
        "if(?! possible| you can)|unless|provided|in case|as long as|depending|subject to|assuming|only when|pending",
    )
)
SOON = re.compile(any_of("", "tomorrow|later|next week|next month|tonight|soon|when|once|until|till|after|before"))
UNSURE_EN = re.compile(
    any_of(
        "",
        "may|how|suppose|would(?! like| you)|hold off|wait|instead of|rather than|had|was|were|been|did|ha(?:ve|"
        "s)(?! to)|should we|should i",
    )
)
_ONE_ORDER, _SUM = rf"(?:[a-z]{{1,6}}-?\d{{3,}}|{HIDDEN}+)", rf"(?:\d|{HIDDEN})"
POLITELY = re.compile(
    "(?:能不能|能否|可不可以|可否|可以|能)(?:请|麻烦|你|您)*(?:帮|请|麻烦)(?!我?们?(?:看|查|问|确认|核|算|了解))|"
    "^(?:请(?!问|教)|帮(?!我?们?(?:看|查|问|确认|核|算|了解))|麻烦(?!说|问|看|查|告诉|讲|解释|确认)).*(?:可以|行|好|"
    "能|ok|成)(?:吗|么|嘛|不)?$|"
    r"(?<![a-z])(?:can|could|would|will) you (?:please |kindly |just |pls |help (?:me |us )?(?:to )?)*(?:give|pay|"
    r"compensate|"
    r"refund|issue|send|offer|grant|approve|transfer|award|process|credit)(?![a-z])|"
    # Whether it can be done for this very order, and for how much: 能不能给 KL-778 补 80 美元现金？
    rf"(?:能不能|能否|可不可以|可否|可以|能)(?:再|也|先|直接|现在|马上|请|麻烦|你们?|您|我们?|咱们?|"
    rf" )*[给帮为替把][^,，。多几]*?{_ONE_ORDER}"
    rf"[^,，。多几]*?[补赔退][^,，。多几]*?{_SUM}"
)
INQUIRY = re.compile(
    any_of(
        "能不能|能否|是否|有没有|是不是|要不要|该不该|可不可以|怎么|如何|多少|([一-鿿])不\\1|[^不]不$",
        "whether|how|what|why|did (?:we|you|they|i)",
    )
)
IDLE = re.compile(
    any_of(
        "",
        "maybe|perhaps|might|remind|draft|policy|rules? says?|thinking|consider(?:ing)?|planning|plan to|whether|"
        "wondering|hypothetically|going to|"
        "will(?! you)|'ll|shall|supposed to",
    )
)
UNDO = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|我们|我|要|想|把|先|需要|现在|那就|就|立即|马上| )*(?:取消|撤|作废|停|终止|中止|扣|收回|"
    r"追回|要回|拿回|删)|退回来|还回来|退回去|"
    r"^(?:(?:please|pls|i|we|just|need to|want to|have to|must|can you|could you|would you|"
    rf"let's)(?![a-z]) *)*(?:cancel(?! (?:the |their |his |her |this )?(?:order|booking|trip|tour|"
    rf"reservation|{HIDDEN}+)(?:$|,| and| then))|undo|"
    r"reverse|revoke|void|withdraw|stop|claw|take (?:back|away)|remove|deduct|charge|recall|rescind|abort|halt|delete|drop|"
    r"hold|check|verify|confirm)(?![a-z])|"
    rf"(?:补偿|赔偿|赔付|退款|{HIDDEN})(?:款|金|单|申请|都|也|请|给|全部|先|要|帮我|应|该|得|需|可以|了|就| )*(?:取消|"
    rf"撤|作废|收回|追回|"
    r"扣回|停|免|算了|拒|被驳|被拒|驳回|这事缓|缓一|搁)"
)
#: Who writes says that it is not meant, or that there is no reason for it.
MEANT_NOT = re.compile(
    r"(?:我们?|咱们?)[^，]*(?:拒绝|没同意|没答应|不同意|撤|忽略|主意|反悔|放弃|后悔)|(?:[^，]{0,4}改主意|反悔|后悔)|"
    r"我?(?:说|录|点|写|选|补|填|发|弄|搞)错(?:了|群|单|人)*$|.*(?:收|要|拿|退|追)回来?$|"
    r"(?:请|麻烦)?(?:忽略|无视|别管)(?:它|这条|这个|上一?条|我|刚才的)*$|撤[回销](?:上|这|刚)|(?:这|只|就|仅|不过|"
    r"是)+(?:测试|试试|演示|举例)|"
    r"(?:不|不对|不是|不行|错了)$|一旦|(?:还|我|也|都|不太|不|可能)*(?:可能|也许|或许|不确定|说不准|待定|没定)(?:吧|"
    r"呢|哦)*$|(?:草稿|提醒)|.*(?:证据不足|没有?证据|不属实)|(?:(?:actually|oh|sorry|hmm|"
    r"wait)(?![a-z])[ ,]*)*(?:no|nope|nah|"
    r"not really)$|.*(?<![a-z])(?:ignore(?: (?:this|that|it|me|above))?$|wrong (?:order|case|thread|guest|"
    r"one)(?![a-z])|(?<!ordered )(?<!booked )(?<!bought )(?<!cancelled )(?<!deleted )by mistake|what do you "
    r"think|chang\w+ my mind|second thoughts?|not justified|unjustified|no evidence|said no|only a test|a drill|"
    r"my mistake|my bad)"
)
NO_FAULT = re.compile(
    any_of(
        "没有?(?:迟到|晚到|爽约|违约)",
        "(?:guide|driver|bus|boat|pickup|merchant|tour|trip) (?:was|were|is|came|arrived) (?:not late|on time)|"
        "(?:wasn't|was not) late",
    )
)
BECAUSE_AT = re.compile(
    rf"(?<![a-z])for(?! (?:{HIDDEN}|the |a )*(?:{HIDDEN}|guest|customer|client|him|her|them|order))(?![a-z])"
)
TURNED_DOWN = re.compile("[别勿]|不(?:要|用|行|需|给|补|可|同意|接受|想|批|办|付|赔|必|该|应)")
#: What a request may hold beside its verb and its values.
REQUESTING = re.compile(
    any_of(
        "这次|再|已|想|能不能|能否|可否|可不可以|为|个|些|因|多|快|速|没问题|按政策|按规定|发放|反馈|同意|请求|补发|"
        "作为|安抚|表示|歉意",
        "if possible|if you can|like|let's|let|i'd|been|has|have|quickly|urgently|asap|goodwill|gesture|be|"
        "compensated|right away|up",
    )
)
#: Who it is that wants something, whatever a procedure's own people are called: the reader wants, 读者想.
_SUBJECT = re.compile(
    r"(?<![a-z])(?:the|an?|our|this|my|one|some) (?!other)(?:[a-z]+ )?[a-z]+ (?=(?:wants?|would like|needs?|asks?|wishes|"
    r"hopes|requests?|requested)(?![a-z]))|"
    r"^ *(?:有?[一这那]?[个位名])?(?![没不别无谁勿未])[一-鿿]{2,4}(?=想|要(?!求)|希望|申请|要求|需要)"
)
NEGATION = re.compile("[不没别未勿]|(?<![a-z])(?:not|no)(?![a-z])")


def without_requesting(part: str) -> str:
    """Words of a request without what only asks for it. Somebody else's wish, a merchant's, stays in sight."""
    subjects = _SUBJECT.sub(lambda found: found.group() if OTHERS.search(found.group()) else " ", part)
    return REQUESTING.sub(" ", subjects)

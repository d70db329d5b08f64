"""Words that any request has and that say nothing of why: what is left without them is what free text must have."""

from __future__ import annotations

import re
from functools import lru_cache

from graph.fields.chinese import SIGNS
from graph.fields.words import any_of
from graph.reading.nothing import says_nothing

_NAMES = r"[一-鿿]{1,2}(?:女士|先生|小姐|太太)|(?<![a-z])(?:mr|ms|mrs|miss)\.? [a-z]{2,20}"
_ZH = (
    "订单金额 订单号 订单 单号 工单 补偿金额 补偿方式 金额 数额 方式 客人要求 客人想要 客人 客户 乘客 顾客 用户 旅客 "
    "对方 主管 经理 要求 申请 发起 流程 处理 办理 操作 一下 一点 一些 一个 帮我 帮忙 麻烦 请问 请 谢谢 感谢 辛苦 你好 "
    "您好 尽快 马上 现在 今天 需要 想要 可以 那就 就 那 给 要 说 都行 都可以 都 也行 也 和 跟 与 或者 还是 或 先 别 不 "
    "再 了 吧 呢 啊 吗 的 地 把 被 是 为 对 这单 这个 这 那个 我 你 他 她 它 们 总共 一共 共 只 按 到 至 从 以 用 走 "
    "好的 好 行 嗯 哦 退回 退到 卡里 整 有个客人 有位客人 有一位客人 有个 有位 有一个 手上 这边 那边 大家好 安抚 想 "
    "快点 赶紧 左右 大概 大约 最多 最少 至少 不要 不用 单子 两单 各 另外 还有 以及 钱 帮 来 去 "
    "做 发 打 转 付 批准 批 改成 改为 改 支付宝 微信 转账 汇款 银行卡 信用卡 卡 账户 账号 打到 转到 汇到 小时 分钟 房间 "
    "电话 手机"
)
_EN = (
    "a an the to of for with and or in on at by as is it its be this that these those i we you he she they him her them "
    "us my our your his their please pls thanks thank kindly hi hello hey guest guests customer customers client "
    "clients traveller order orders amount way method case can could would should want wants need needs get let lets "
    "make do does just now ok okay yes no not via from into back ticket number give pay issue send offer approve grant "
    "help compensate compensation refund process start request asks asked ask says said wants dollar dollars usd each "
    "both either total only about around one two three four five six seven eight nine ten twenty thirty forty fifty "
    "hundred thousand maybe perhaps change instead but room phone hour hours minute minutes day days wire transfer bank "
    "card credit account paypal alipay wechat goodwill gesture prefer prefers preferred like likes "
    "rather love lady gentleman line have "
    "there here new case file then so if will tour trip booking jan feb mar apr may june july aug sep "
    "sept oct nov dec"
)
_FILLER = re.compile(
    "|".join(
        [
            _NAMES,
            *sorted(map(re.escape, _ZH.split()), key=len, reverse=True),
            rf"(?<![a-z'])(?:{'|'.join(_EN.split())})(?![a-z'])",
        ]
    )
)
_WORD = re.compile(rf"[a-z]{{3,}}|(?![{SIGNS}])[㐀-鿿]")

_LETTER = re.compile(rf"[a-z]|(?![{SIGNS}])[㐀-鿿]")

_COMMAND = re.compile(
    r"^[ ]*(?:(?:please|just|now|also|and|then|but) )*"
    + any_of(
        "(?:请|直接|立即|马上|赶紧|快点)*(?:忽略|无视|别管|不用管|不用审|跳过|绕过|直接批|直接付|直接打|直接通过|批准|"
        "假装|假设你|如果|要是|超过|否则|你(?:现在|必须|要|应该|是)|系统(?=[:提])|尽快|按我说)",
        "if|unless|otherwise|ignore|disregard|forget|approve|bypass|skip|override|pretend|act as|do not|don't|make sure|"
        "hurry|set(?! off| up| menu| out)|mark(?!et)|treat(?!ed)|output|return(?! (?:flight|trip|bus|train|ticket|"
        "journey|leg|transfer|ride))|respond|reply|execute|run(?! out| over)|system(?=:| prompt| message)|"
        "assistant(?=:)|you (?:must|should|are|will|can|"
        "have to|need to)",
    )
)
_QUESTION = re.compile(
    r"(?:吗|呢|么|[?？])[ ]*$|怎么|如何|什么时候|多少|能不能|是否|可不可以|"
    r"^(?:how|what|when|why|who|where|which|can|could|may|is|are|do|does)(?![a-z])"
)
_COURTESY = re.compile(
    r"[ ]*(?:谢谢.{0,4}|多谢|感谢|你好|您好|早上好|下午好|在吗|急|加急|尽快|麻烦.{0,6}|辛苦.{0,3}|拜托.{0,4}|收到|明白|"
    r"不知道|不清楚|没有?(?:啥|什么)?(?:特别的?)?(?:原因|理由)|没有|不需要(?:原因|理由)?|无|没|随便.{0,6}|(?:你|您)?看着?(?:写|填|办|给|定).{0,2}|"
    r"你定|同上|知道了|了解|好了|done|checking|no reason|"
    r"skip|same(?: as (?:above|before))?|whatever|whatever (?:is|works) .{1,20}|(?:hi|hello|hey|dear)(?: there| team|"
    r" all| everyone| guys| bot)+|大家好|各位好|@[a-z]+ .{0,3}|hi|hello|hey|hi there|hello there|good (?:morning|afternoon|"
    r"evening)|thanks?(?: you)?(?: "
    r"very much| a lot| so much)?|please|asap|urgent|cheers|none|n/a|idk|no idea|i don't know|don't know|not sure|"
    r"(?:you|u) (?:decide|tell me|choose|pick|name it|say)|your (?:call|choice)|whatever you (?:think|"
    r"like|want)|no comment|"
    r"up to you|anything)[ "
    r".!~]*"
)


#: What goes wrong for guests, though its signs are found in any request: 迟到, 漏发.
FAULT = re.compile(
    "[迟晚早]到|[白干空苦]?等(?:了|待)|漏[发订做接派单]|[错误][发订接单]|[发订接]错|没(?:有)?(?!必要|同意|批|答应|"
    "确认|问题|事|关系|补|"
    "赔)[一-鿿]|爽约|取消|延误|误[点机车]|晚点|投诉|故障|重复|超时|停运|缺货|生病|住院|发烧|去世|拒签|受伤|不干净|不准时|超售|超订|弄丢|"
    "丢了|丢失|[坏碎裂脏破漏瘪]|有?虫|[骂凶吼]|吵|关闭|闭园|停[航业运电水]|不制冷|"
    "[扫刷打连开上用]不[出开上了]|吃坏|过敏|态度(?:差|恶劣|不好)|恶劣|拒载|绕路|加价|强制|不符|降级|换了|少了|缺|下雨|"
    "台风|撞|抛锚|追尾|事故|放鸽子|改期|不认|不让|拒|开走|误餐|给错|送错|拿错|蟑螂|老鼠|失灵|罢工|刷不|连不|打不|没热水|"
    ""
    ""
    "(?<![a-z])(?:late|delay(?:ed)?|missed|no[- ]?show|broke|broken|dirty|rude|cancell?ed|"
    "never (?:came|showed|arrived)|did(?:n't| not) (?:show|come|arrive|leave|work|start|open|run|speak|have|turn|"
    "pick)|does(?:n't| not) (?:work|open|run)|(?:was|were|is|are)(?:n't| not) (?:working|clean|there|open|available|"
    "provided|included|ready)|"
    "overbook(?:ed|ing)|oversold|wrong|dead|closed|damaged|poison(?:ed|ing)|bed ?bugs?|failure|stolen|fever|hospital|"
    "passed away|sick|ill|injured|"
    "mou?ldy?|noisy|smelly|smelled|leak(?:ed|ing|s)?|missing|faulty|rained off|waited|stranded|shouted|yelled|"
    "insulted|forgot|crash(?:ed)?|rude|roach(?:es)?|cockroach(?:es)?|rats?|shut|never [a-z]+ed|too (?:late|early|cold|"
    "hot|loud)|early|"
    "unsafe|unusable|unavailable|downgraded|overcharged|misled|skipped|cut short|power cut|no (?:hot water|water|"
    "heating|ac|wi-?fi|"
    "seat(?:s|belts?)?|guide|driver|english|power|electricity|towels))(?![a-z])"
)
#: An order to go on, which says nothing of why.
_GO_ON = re.compile(
    r"(?:请|那就|就|快点?|赶紧|直接|马上|尽快|帮我|麻烦|我要|可以|(?:just|please|pls|now|ok)(?![a-z])|[ ,，])*(?:提交|"
    r"付款|付|打款|批准|批|通过|"
    r"继续|执行|办理|办|处理|(?:submit|pay|process|send|approve|proceed|continue|do|issue|confirm)(?![a-z]))(?:吧|了|"
    r"一下|掉|它|"
    r"(?:it|this|now|please|pls|asap)(?![a-z])|[ .!。！])*"
)


@lru_cache(maxsize=512)
def length(words: str) -> int:
    """How much words say beyond what any request has: Chinese signs, an English word counting two."""
    told = 2 * len(FAULT.findall(words))
    left = _FILLER.sub(" ", FAULT.sub(" ", words))
    return told + sum(2 if word.isascii() else 1 for word in _WORD.findall(left))


def substance(words: str) -> bool:
    """Whether words say something of themselves: two Chinese signs or one English word."""
    return length(words) >= 2


def says_anything(words: str) -> bool:
    """Whether there are two signs or letters in it that are no number."""
    return len(_LETTER.findall(words)) >= 2


def commands(words: str) -> bool:
    """Whether a clause orders the desk about (ignore the rules and …)."""
    return _COMMAND.search(words) is not None


@lru_cache(maxsize=512)
def courtesy(words: str) -> bool:
    """Whether words are mere courtesy, or say that there is nothing to say."""
    return _COURTESY.fullmatch(words) is not None or says_nothing(words)


def faults(words: str) -> bool:
    """Whether words name what went wrong for a guest."""
    return FAULT.search(words) is not None


def goes_on(words: str) -> bool:
    """Whether words do nothing but tell the desk to go on."""
    return _GO_ON.fullmatch(words) is not None


def usable(words: str) -> bool:
    """Whether words can be a reason: they say something, and neither order the desk about nor ask it."""
    return substance(words) and not (commands(words) or goes_on(words) or _QUESTION.search(words) or courtesy(words))

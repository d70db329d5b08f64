"""The handbook: what is in it, what is found in it, and what is said when a file is wrong."""

import re
from pathlib import Path

import pytest

from graph.errors import SopMistakes
from graph.handbook import Handbook, Passage, best_sentence
from graph.model import Text

SOPS = Path(__file__).parents[3] / "sops"

# Question, and the Chinese heading of the section that must come first.
ASKED_IN_CHINESE = [
    ("先补偿了还能退款吗", "先补偿后退款"),
    ("补偿过的订单客人又要退款怎么办", "先补偿后退款"),
    ("先退款还能再补偿吗", "先退款后补偿"),
    ("包车迟到两小时最多补多少", "迟到两小时的上限"),
    ("客人没付款可以补偿吗", "订单必须已支付"),
    ("订单还没支付能发起补偿吗", "订单必须已支付"),
    ("风控审核中的订单能补吗", "欺诈审核中的订单"),
    ("这个订单已经有一笔待审批的补偿了，还能再补一笔吗", "同一订单一次只办一笔补偿"),
    ("商户漏发接送算不算爽约", "商户爽约与漏发"),
    ("行程被取消了能给补偿吗", "行程取消"),
    ("只赔一部分可以吗，部分补偿", "部分补偿"),
    ("要留什么证据", "保留证据"),
    ("现金和积分怎么选", "现金还是积分"),
    ("客人只说了40美元，算现金吗", "只说美元不等于现金"),
    ("可以用人民币补偿吗", "币种只用美元"),
    ("网关余额不够怎么办", "余额不够时手工转账"),
    ("原路退最多能退多少", "现金原路退与网关余额"),
    ("积分补偿要收款账户吗", "积分补偿"),
    ("300美元要谁批", "审批分档：多少金额谁批"),
    ("审批分几档", "审批分档：多少金额谁批"),
    ("我能批自己的申请吗", "不能批自己的申请"),
    ("审批被驳回了怎么办", "申请被驳回之后"),
    ("主管可以改金额吗", "审批人改金额"),
    ("能拆成两笔小额申请吗", "不要拆单"),
    ("审批一直没人理怎么办", "审批没人回应"),
    ("订单备注要写什么", "订单备注"),
    ("金额填错了能更正吗", "填错了怎么更正"),
    ("怎么取消工单", "取消工单"),
    ("退款没到账怎么办", "退款没到账怎么查"),
    ("我的退款还没到账", "退款没到账怎么查"),
    ("渠道一直在处理，要查几次", "渠道处理中要等"),
    ("退款什么情况转人工", "退款什么时候转人工"),
    ("能不能重新退款一次", "不得擅自重新退款"),
    ("可以告诉客人退款已到账吗", "不承诺已到账"),
    ("发票填错了怎么修改", "改发票先问什么"),
    ("第三方卖家的订单怎么改发票", "第三方卖家的发票"),
    ("自营订单已完成，发票怎么改", "自营已完成订单的发票"),
    ("发票改不了怎么办", "发票改不成的兜底"),
    ("推荐产品前要收集哪些信息", "推荐前要收集的四项信息"),
    ("没确认可以推荐吗", "推荐前先让客人确认"),
    ("客人骂人怎么回", "对客人的语气"),
    ("客人情绪激动怎么说话", "对客人的语气"),
    ("可以承诺客人审批要几天吗", "不承诺时间"),
    ("银行账号能发在频道里吗", "敏感信息和银行账号"),
    ("什么时候要找组长", "什么时候问组长"),
    ("客人投诉怎么处理", "客人投诉怎么办"),
    ("refund 超过 2000 要转人工吗", "退款什么时候转人工"),
    ("booking note 里写什么", "订单备注"),
    ("can I tell the customer the refund has arrived", "不承诺已到账"),
    ("司机晚到两个小时怎么补", "迟到两小时的上限"),
    ("有一张补偿单还没批，能再开一张吗", "同一订单一次只办一笔补偿"),
    ("导游没来接客人", "商户爽约与漏发"),
    ("客人说体验很差要赔偿", "体验差"),
    ("截图要不要保存", "保留证据"),
    ("客人要积分还是现金", "现金还是积分"),
    ("欧元行吗", "币种只用美元"),
    ("收款账户什么时候要", "余额不够时手工转账"),
    ("经理能批主管的单子吗", "审批权限和名单"),
    ("自己提的单自己能批吗", "不能批自己的申请"),
    ("驳回以后原因要重新填吗", "申请被驳回之后"),
    ("大额补偿能不能分几次申请", "不要拆单"),
    ("补偿流程有哪几步", "补偿的办理步骤"),
    ("付完款发现金额错了", "填错了怎么更正"),
    ("提交超时了，不知道付没付", "提交结果不明"),
    ("查了三次还没结果", "渠道处理中要等"),
    ("可以再发起一次退款吗", "不得擅自重新退款"),
    ("退款单怎么关闭", "退款单什么时候关闭"),
    ("开发票抬头错了", "改发票先问什么"),
    ("客人在第三方店铺买的，发票要改", "第三方卖家的发票"),
    ("发票几天能给答复", "发票改不成的兜底"),
    ("客人说可以吧，算确认吗", "推荐前先让客人确认"),
    ("客人要打官司", "什么时候问组长"),
    ("补偿金额能先告诉客人吗", "审批前不承诺金额"),
    ("退款办完了，还可以补偿客人吗", "先退款后补偿"),
    ("订单卡在风控怎么办", "欺诈审核中的订单"),
    ("活动临时取消了怎么补", "行程取消"),
    ("客人嫌服务差能补吗", "体验差"),
    ("只报了50美元没说现金", "只说美元不等于现金"),
    ("网关余额从哪查", "现金原路退与网关余额"),
    ("积分也要审批吗", "积分补偿"),
    ("谁能当审批人", "审批权限和名单"),
    ("审批人能不能多批一点", "审批人改金额"),
    ("主管一直不批", "审批没人回应"),
    ("发起补偿的步骤", "补偿的办理步骤"),
    ("原因栏怎么填", "补偿原因"),
    ("想撤掉这个工单", "取消工单"),
    ("点了提交没反应，要再点一次吗", "提交结果不明"),
    ("能跟客人说钱已经到了吗", "不承诺已到账"),
    ("银行流水能证明到账吗", "退款单什么时候关闭"),
    ("自营的订单没完成，怎么改发票", "自营未完成订单的发票"),
    ("推荐前四项是哪四项", "推荐前要收集的四项信息"),
    ("身份证号可以写备注吗", "敏感信息和银行账号"),
    ("审批通过前能跟客人承诺吗", "审批前不承诺金额"),
]
ASKED_IN_ENGLISH = [
    ("can I still refund after compensating?", "先补偿后退款"),
    ("if I compensate first, can the order be refunded later", "先补偿后退款"),
    ("can I compensate a customer after a refund?", "先退款后补偿"),
    ("how much for a two hour delay", "迟到两小时的上限"),
    ("the driver was two hours late, what is the most we can pay", "迟到两小时的上限"),
    ("does the order have to be paid?", "订单必须已支付"),
    ("can I compensate an unpaid order", "订单必须已支付"),
    ("order is in fraud review, can I compensate", "欺诈审核中的订单"),
    ("can an order have two open compensations", "同一订单一次只办一笔补偿"),
    ("what counts as a merchant no-show?", "商户爽约与漏发"),
    ("the trip was cancelled by the merchant", "行程取消"),
    ("is partial compensation possible", "部分补偿"),
    ("what evidence should I keep", "保留证据"),
    ("cash or credit?", "现金还是积分"),
    ("the customer only said 40 dollars, is that cash?", "只说美元不等于现金"),
    ("can I pay in euros", "币种只用美元"),
    ("what if the gateway balance is too small", "余额不够时手工转账"),
    ("how much can go back to the original card", "现金原路退与网关余额"),
    ("who approves 300 dollars?", "审批分档：多少金额谁批"),
    ("what are the approval tiers", "审批分档：多少金额谁批"),
    ("who may approve a request", "审批权限和名单"),
    ("can I approve my own request", "不能批自己的申请"),
    ("my request was rejected, what now?", "申请被驳回之后"),
    ("can the approver change the amount", "审批人改金额"),
    ("may I split the claim into smaller ones", "不要拆单"),
    ("nobody has approved it yet", "审批没人回应"),
    ("what goes into the booking note", "订单备注"),
    ("how do I correct a mistake in the amount", "填错了怎么更正"),
    ("how do I cancel a case", "取消工单"),
    ("the refund has not arrived", "退款没到账怎么查"),
    ("how often should I check the channel", "渠道处理中要等"),
    ("when does a refund go to a person", "退款什么时候转人工"),
    ("can I retry the refund", "不得擅自重新退款"),
    ("customer wants to change the invoice", "改发票先问什么"),
    ("invoice from a third party seller", "第三方卖家的发票"),
    ("finished self-operated order, wrong invoice", "自营已完成订单的发票"),
    ("which information do I need before recommending a product", "推荐前要收集的四项信息"),
    ("do I need a confirmation before I recommend", "推荐前先让客人确认"),
    ("may I promise the customer a time", "不承诺时间"),
    ("can I paste a bank account number in the channel", "敏感信息和银行账号"),
    ("when should I ask a lead", "什么时候问组长"),
    ("customer is angry and rude", "对客人的语气"),
    ("a customer complains about the agent", "客人投诉怎么办"),
    ("the guide never showed up", "商户爽约与漏发"),
    ("there is already a pending compensation on this order", "同一订单一次只办一笔补偿"),
    ("do I need screenshots", "保留证据"),
    ("what is the difference between a refund and compensation", "补偿和退款的区别"),
    ("does credit need a bank account", "积分补偿"),
    ("when do I ask for the customer's bank account", "余额不够时手工转账"),
    ("can a manager decide a supervisor's request", "审批权限和名单"),
    ("rejected request: do I have to enter the reason again", "申请被驳回之后"),
    ("steps of the compensation procedure", "补偿的办理步骤"),
    ("wrong amount entered, how to correct it", "填错了怎么更正"),
    ("submission timed out, was it paid", "提交结果不明"),
    ("customer did not receive the refund", "退款没到账怎么查"),
    ("channel still processing the refund", "渠道处理中要等"),
    ("send the refund again", "不得擅自重新退款"),
    ("when can I close the refund", "退款单什么时候关闭"),
    ("invoice details are wrong", "改发票先问什么"),
    ("invoice could not be changed, how long until a reply", "发票改不成的兜底"),
    ("self-operated order not finished, change invoice", "自营未完成订单的发票"),
    ("what four items do I collect before recommending", "推荐前要收集的四项信息"),
    ("may I mention fraud to the customer", "欺诈审核中的订单"),
    ("can I tell them how long the transfer takes", "不承诺时间"),
    ("customer threatens to sue", "什么时候问组长"),
    ("how should I talk to an angry customer", "对客人的语气"),
    ("merchant cancelled the tour", "行程取消"),
    ("guide was rude, can we compensate", "体验差"),
    ("half the group was affected, compensate half?", "部分补偿"),
    ("does the customer choose cash or credit", "现金还是积分"),
    ("is 40 USD cash or credit if not said", "只说美元不等于现金"),
    ("can compensation be in yuan", "币种只用美元"),
    ("is approval needed for credit", "积分补偿"),
    ("am I allowed to approve a case I opened", "不能批自己的申请"),
    ("can a supervisor approve a lower amount", "审批人改金额"),
    ("can I make two requests instead of one big one", "不要拆单"),
    ("approver does not respond", "审批没人回应"),
    ("what are the eight steps", "补偿的办理步骤"),
    ("what do I write as reason", "补偿原因"),
    ("who adds the note to the booking", "订单备注"),
    ("stop a case that is not paid", "取消工单"),
    ("back office is not responding", "提交结果不明"),
    ("does a 2500 refund need a person", "退款什么时候转人工"),
    ("may I say the money has arrived", "不承诺已到账"),
    ("when is a refund case done", "退款单什么时候关闭"),
    ("does the refund number start with RF", "退款单号和订单号"),
    ("seller refuses to change the invoice", "第三方卖家的发票"),
    ("order complete, self-operated, invoice needs fixing", "自营已完成订单的发票"),
    ("when will they hear back about the invoice", "发票改不成的兜底"),
    ("customer said probably fine, may I recommend", "推荐前先让客人确认"),
    ("is it ok to post a phone number in the thread", "敏感信息和银行账号"),
]
ASKED_IN_BOTH = [
    ("refund 超过 2000 要转人工吗", "退款什么时候转人工"),
    ("booking note 里写什么", "订单备注"),
    ("can I tell the customer the refund has arrived", "不承诺已到账"),
    ("补偿 KL-778 之前要 approval 吗，300 USD 谁批", "审批分档：多少金额谁批"),
]
# From CLINC150's out-of-scope test set (CC-BY-3.0).
OUT_OF_SCOPE_CLINC = [
    "how many prime numbers are there between 0 and 100",
    "can you see a hdmi cord",
    "what veggies can i pair with mushrooms",
    "at what age can someone get a card",
    "is the bank open on mlk day",
    "what is the cashback rate for my credit card",
    "is there a fee for cancelling a flight i've booked",
    "check the status of my amazon orders for me",
    "how long is the bank open until",
    "will amazon ship an order even if there was a pricing mistake",
    "is it too late to wear white",
    "please take all my money out of my checking account and close the account",
    "what's the way for delta to cancel a flight",
    "find a credit counseling service for me on the web",
]
OUT_OF_SCOPE = [
    "今天天气怎么样",
    "帮我订一张去上海的机票",
    "推荐一家附近的餐厅",
    "公司年假有几天",
    "怎么重置我的密码",
    "食堂几点开门",
    "打印机坏了找谁",
    "讲个笑话",
    "明天会下雨吗",
    "世界杯谁赢了",
    "工资什么时候发",
    "怎么连接公司的无线网",
    "帮我写一首诗",
    "会议室怎么预订",
    "你好",
    "你是谁",
    "how do I reset my password",
    "what's the weather in Tokyo",
    "tell me a joke",
    "where is the cafeteria",
    "who won the world cup",
    "hello",
    "thanks",
    "怎么申请休假",
    "电脑蓝屏了怎么办",
    "我的快递到哪了",
    "股票今天涨了吗",
    "附近有没有加油站",
    "这个软件怎么安装",
    "帮我翻译一段话",
    "怎么做红烧肉",
    "孩子发烧了吃什么药",
    "办公室空调太冷了",
    "几点下班",
    "手机没电了",
    "请问厕所在哪里",
    "你会唱歌吗",
    "人民广场怎么走",
    "北京到东京的航班几点",
    "东京迪士尼几点开门",
    "酒店早餐几点",
    "护照过期了怎么换",
    "信用卡怎么还款",
    "我的信用卡额度是多少",
    "贷款利率现在多少",
    "怎么注册账户",
    "周末去哪玩",
    "what time does the hotel serve breakfast",
    "how do I renew my passport",
    "how do I change my email signature",
    "who is the president",
    "my laptop is broken",
    "book a table for two",
    "how many vacation days do I have",
    "is the printer on the third floor working",
    "what is the capital of France",
    "translate this sentence into German",
    "turn on the lights",
    "what should I cook tonight",
    "when does my shift start",
    "明天会冷吗",
    "苹果多少钱一斤",
    "怎么学英语",
    "推荐一部电影",
    "地铁末班车几点",
    "老板今天来吗",
    "帮我叫辆车",
    "东京有什么好玩的",
    "怎么减肥",
    "谁是总统",
    "发个红包",
    "打开空调",
    "提醒我明天开会",
    "怎么修自行车",
    "今天星期几",
    "公司地址在哪",
    "我的工牌丢了",
    "食堂今天吃什么",
    "怎么报销差旅费",
    "培训什么时候开始",
    "怎么关闭通知",
    "导航去机场",
    "订单系统的密码忘了",
    "",
    "？！",
    "300",
    "KL-778",
]


@pytest.fixture(scope="module")
def handbook() -> Handbook:
    """The handbook as it is shipped."""
    return Handbook.load(SOPS)


def passage(text: str, heading: str = "标题") -> Passage:
    """A passage whose text is the same in both languages."""
    return Passage(
        file="x.md", chapter=Text(zh="章", en="章"), heading=Text(zh=heading, en=heading), text=Text(zh=text, en=text)
    )


def write(directory: Path, **files: str) -> Path:
    """Write `name.md` files into the directory."""
    for name, text in files.items():
        (directory / f"{name}.md").write_text(text, encoding="utf-8")
    return directory


@pytest.mark.parametrize(("question", "heading"), ASKED_IN_CHINESE + ASKED_IN_ENGLISH + ASKED_IN_BOTH)
def test_a_question_finds_its_section_first(handbook: Handbook, question: str, heading: str) -> None:
    """A question in Chinese, English or both is answered by the section that is about it."""
    found = handbook.find(question)
    assert [p.heading.zh for p in found[:1]] == [heading]


@pytest.mark.parametrize("question", OUT_OF_SCOPE_CLINC + OUT_OF_SCOPE)
def test_what_the_handbook_does_not_cover_finds_nothing(handbook: Handbook, question: str) -> None:
    """A question about something else finds no passage, not the nearest one."""
    assert handbook.find(question) == []


@pytest.mark.parametrize(
    ("question", "lang", "start", "has"),
    [
        ("先补偿了还能退款吗", "zh", "不可以", "退款那边会拦"),
        ("can I still refund after compensating?", "en", "No,", "blocks"),
        ("包车迟到两小时最多补多少", "zh", "迟到两小时", "150 USD"),
        ("who approves 300 dollars?", "en", "Approval goes by amount", "500 USD needs a supervisor"),
        ("渠道一直在处理，要查几次", "zh", "渠道", "最多查三次"),
        ("备注是自动写的吗", "zh", "备注由流程自动写入", "坐席"),
        ("how long do we have to answer about the invoice", "en", "If the invoice", "3 working days"),
        ("can I still refund after compensating?", "zh", "不可以", "退款"),
        ("they got compensation, now they ask for a refund", "en", "No,", "blocks"),
        ("send the refund again", "en", "Never retry", "leave"),
    ],
)
def test_the_quote_is_the_sentence_that_answers(
    handbook: Handbook, question: str, lang: str, start: str, has: str
) -> None:
    """The sentence quoted holds the answer, in the reader's language even if the question is in the other."""
    sentence = best_sentence(handbook.find(question)[0], question, "zh" if lang == "zh" else "en")
    assert sentence.startswith(start)
    assert has in sentence


def test_the_two_orders_of_refund_and_compensation_are_told_apart(handbook: Handbook) -> None:
    """The same words in the other order find the other section, in both languages."""
    for first, second in (
        ("补偿后退款", "退款后补偿"),
        ("refund after compensation", "compensation after a refund"),
    ):
        assert handbook.find(first)[0].heading.zh == "先补偿后退款"
        assert handbook.find(second)[0].heading.zh == "先退款后补偿"


def test_every_section_is_in_both_languages(handbook: Handbook) -> None:
    """Chapter, heading and text of each section exist in Chinese and in English, and the two differ."""
    assert len(handbook.passages) >= 30
    for each in handbook.passages:
        for part in (each.chapter, each.heading, each.text):
            assert any("\u4e00" <= char <= "\u9fff" for char in part.zh), part
            assert not any("\u4e00" <= char <= "\u9fff" for char in part.en), part


def test_other_wordings_are_searched_and_never_shown(handbook: Handbook) -> None:
    """Lines that open with `>` help to find a section and are no part of its text."""
    found = handbook.find("anti-fraud 反欺诈没过")[0]
    assert "反欺诈没过" in found.asked
    assert "反欺诈没过" not in found.text.zh
    assert all(">" not in p.text.zh + p.text.en for p in handbook.passages)


def test_figures_agree_in_both_languages(handbook: Handbook) -> None:
    """What one language states in digits, the other states too."""
    for each in handbook.passages:
        digits = [sorted(re.findall(r"\d+", t)) for t in (each.text.zh, each.text.en)]
        assert digits[0] == digits[1], each.heading.zh


def test_the_limit_bounds_what_is_returned(handbook: Handbook) -> None:
    """No more passages come back than asked for, and the best stays first."""
    many, one = handbook.find("审批 退款 补偿", limit=3), handbook.find("审批 退款 补偿", limit=1)
    assert len(many) <= 3
    assert one == many[:1]
    assert handbook.find("先补偿了还能退款吗", limit=0) == []


def test_a_further_handbook_in_one_language_is_read(tmp_path: Path) -> None:
    """Every other *.md is a handbook; a text in one language stands for both; README.md is none."""
    write(
        tmp_path,
        policy="# 章 / Chapter\n## 节 / Section\n正文。\n\nText.\n",
        visas="# Visas\n\n## Lost passports\n\nSend the customer to the embassy.\n",
        README="no handbook at all",
    )
    found = Handbook.load(tmp_path).find("lost passports", limit=1)[0]
    assert (found.file, found.chapter.zh, found.heading.zh) == ("visas.md", "Visas", "Lost passports")
    assert found.text == Text(zh="Send the customer to the embassy.", en="Send the customer to the embassy.")


@pytest.mark.parametrize(
    ("source", "mistake"),
    [
        ("文字\n# 章\n## 节\n正文。", "policy.md:1: text before any heading"),
        ("# 章\n\n文字\n## 节\n正文。", "policy.md:3: text under a chapter"),
        ("# 章\n## 空 / Empty\n\n## 节\n正文。", "policy.md:2: section “空” is empty"),
        ("# 章\n## 节\n> 只有别的问法\n", "policy.md:2: section “节” is empty"),
        ("# 章\n## 节\n", "policy.md:2: section “节” is empty"),
        ("# 章\n##\n正文。", "policy.md:2: heading without words"),
        ("## 节\n正文。", "policy.md:1: section before any chapter"),
        ("# 章\n## 节\n正文。\n### 小节\n正文。", "policy.md:4: heading “###”"),
        ("# 章\n## 节\n一。\n## 节\n二。", "policy.md:4: heading “节” is already used in line 2"),
        ("# 章\n", "policy.md:1: no section"),
        ("", "policy.md:1: no section"),
    ],
)
def test_a_mistake_names_file_and_line(tmp_path: Path, source: str, mistake: str) -> None:
    """A file that is not a handbook is refused, and the message says where and what."""
    with pytest.raises(SopMistakes) as caught:
        Handbook.load(write(tmp_path, policy=source))
    assert any(each.startswith(mistake) for each in caught.value.mistakes), caught.value.mistakes


def test_all_mistakes_of_all_files_come_at_once(tmp_path: Path) -> None:
    """One error lists what is wrong in every file, a missing policy.md and a wrong encoding included."""
    write(tmp_path, other="# 章\n## 空\n## 也空\n")
    (tmp_path / "latin.md").write_bytes(b"# A\n## B\ncaf\xe9\n")
    with pytest.raises(SopMistakes) as caught:
        Handbook.load(tmp_path)
    assert [each.split(": ")[0] for each in caught.value.mistakes] == [
        "policy.md:1",
        "latin.md:3",
        "other.md:2",
        "other.md:3",
    ]


def test_sentences_keep_quotes_amounts_and_paragraphs() -> None:
    """A sentence is not cut inside an amount or before a closing quote, and never crosses a paragraph."""
    text = "Pay 1,200.50 USD. He said \"No.\" Then wait\n\nNew paragraph about bananas. 他说“好。”然后走了。香蕉！"
    assert best_sentence(passage(text), "1200 usd", "en") == "Pay 1,200.50 USD."
    assert best_sentence(passage(text), "new paragraph bananas", "en") == "New paragraph about bananas."

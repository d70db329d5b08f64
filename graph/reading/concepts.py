"""What desks speak of, in both languages: words of one line mean one thing, so that 误扣 finds "charged by mistake".

A star stands for any ending. The mark `!` is on what a desk does, which can be refused, deferred or done already.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graph.reading import everyday, topics
from graph.reading.lexicon import Lexicon

_TABLE = """
!compensate: 补偿 赔偿 赔付 补给 补点 赔 补(?![发开办打贴差]) compensat* goodwill
!refund: 退款 退钱 退费 退还 退回 退给 退一部分 退掉 退(?![订货出房票换改差]) 返还 还钱 refund* reimburs* money\\ back
 | return\\ the\\ (?:whole\\ |full\\ )?(?:price|amount|money)
full: 全额 全款 全部 整单 所有款项 full fully whole entire
partial: 一部分 部分 少退 partial* part\\ of
status: 进度 到哪一步 到哪了 状态 查询 查一下 查一查 查查 核查 什么情况 没动静 status progress where\\ is where's
 | track* check* trace
missing: 没有?收到 没收着 未收到 未到账 没有?到账 没到 还没到 没拿到 没给 不见了 没有?显示 missing
 | didn't\\ (?:arrive|get|receive|come) did\\ not\\ (?:arrive|get|receive|come) hasn't\\ (?:arrived|got|received|come)
 | never\\ (?:got|received|arrived|came) not\\ (?:arrived|received|yet) got\\ no haven't\\ (?:got|received)
 | has\\ not\\ (?:arrived|received) no\\ sign\\ of
!cancel: 取消 退订 撤单 不去了 不来了 不要了 不想要了 cancel* call\\ off isn't\\ going not\\ going
 | no\\ longer\\ (?:wants?|going) 不想续 不续 停订 unsubscrib* opt\\ out no\\ automatic
 | stop\\ the\\ (?:auto-?)?renewal
mistake: 误(?!机|点|时) 不小心 弄错 搞错 手滑 by\\ mistake accidental* by\\ accident
!restore: 恢复 还原 找回 重新激活 解冻 reinstat* restor* bring\\ (?:it\\ |[a-z0-9-]+\\ )?back reactivat* recover*
 | unfreez*
!change: 修改 更改 变更 更换 调整 更新 改成 改到 改为 改签 改期 换成 换到 换个 换一 改(?!天|善|进) 换(?!货) chang*
 | modif* switch* mov(?:e|ed|es|ing) updat* edit* amend* adjust* replac*
correct: 更正 纠正 订正 写错 拼错 打错 填错 输错 错了 有误 不对 错别字 correct* fix* wrong misspel* typo* incorrect*
date: 日期 另一天 改天 改期 延期 推迟 提前 哪天 出行日 dates? another\\ day postpon* reschedul*
 | day(?!s?\\ (?:ago|late))
time: 时间 时段 场次 几点 钟点 time slots? departures? session
name: 姓名 名字 人名 拼写 names? spell* 改名 改姓 户名 姓氏 surnames?
passport: 护照 证件 身份证 passports? id\\ card
pickup: 接送 上车 接机 送机 接人 接驳 用车 派车 pick-?ups? pick\\ up transfers? drop-?off shuttle
place: 地点 酒店 位置 住处 搬家 place location hotels? home
people: 出行人 旅客 乘客 人数 人员 同行 [一两二三四五几多个]位 [一两二三四五几]个人 persons? people travell?ers?
 | passengers? participants? headcount
!add: 增加 添加 多加 再加 加上 多了 追加 新增 加(?![急速入]) add* extra one\\ more additional put
!remove: 去掉 减少 移除 减掉 少一 少去 拿掉 不带 take\\ [a-z0-9\\ ]{1,20}\\ (?:off|out) remov* drop fewer one\\ less
!delete: 删除 删掉 删了 注销 销户 销号 清除 delet* eras* clos(?:e|ed|ing)\\ (?:[a-z']+\\ ){0,2}account close 关掉账
 | 账户关 关闭账 账号关 结清
invoice: 发票 开票 收据 专票 普票 税票 票据 invoices? receipts? fapiao
company: 抬头 税号 公司名 company\\ name tax vat letterhead
!issue: 开具 开一张 开张 出具 出一份 出份 补开 开(?=发票) issu* make\\ out generat* mak(?:e|ing)\\ an 开收据 开一份
 | 写一份
voucher: 凭证 电子票 二维码 票券 券码 确认函 确认单 入场券 门票 取票 vouchers? e-?tickets? qr(?:\\ codes?)?
 | confirmations? tickets?
!resend: 重发 重新发 补发 再发 再寄 重寄 resend* re-send send\\ [a-z0-9\\ ]{0,24}again
unusable: 无效 失效 用不了 不能用 无法使用 不好使 没法用 不可用 不认 不给进 过期 invalid isn't\\ valid not\\ valid
 | not\\ accepted not\\ work* doesn't\\ work won't\\ work doesn't\\ go\\ through refused expired unusable
scan: 扫码 扫不 核销 闸机 景区 检票 入口 scan* gates? entrance turnstile
coupon: 优惠券 优惠码 折扣码 折扣 代金券 促销码 促销 红包 满减 减价 coupons? promo* discounts?
points: 积分 点数 里程 points? loyalty miles
cheaper: 差价 价差 便宜 更低价 降价 比价 保价 cheaper price\\ match price\\ difference difference lower\\ price
 | price\\ drop*
price: 价格 价钱 报价 多少钱 询价 prices? quot* cost
twice: 两次 两笔 重复 双重 多扣 多收 多付 二次 twice doubl* duplicat* overcharg* two\\ times
charge: 扣款 扣钱 扣了 扣费 被扣 收费 charg* debit* bill(?:ed|ing)
payment: 付款 支付 付不了 刷卡 结账 pay(?!out|back|roll)[a-z]* checkout 交费 缴费
fail: 失败 报错 被拒 出错 不成功 付不了 通不过 fail* declin* errors? won't\\ go\\ through
dispute: 拒付 争议 申诉 chargebacks? disput*
evidence: 证据 举证 evidence proofs?
bank: 银行 banks? 柜台 柜员 teller clerk
card: 卡(?!死|顿|住|车|拉) 信用卡 银行卡 储蓄卡 借记卡 卡片 换卡 cards?
lost: 遗失 丢失 丢了 落在 忘在 忘了拿 遗落 遗忘 失物 找不到 不见 lost
 | left\\ (?:a|an|his|her|their|my|the|some)\\ forgot* left\\ behind 被偷 被盗 偷了 stolen theft
item: 物品 东西 手机(?!号) 相机 钱包 背包 包包 眼镜 耳机 雨伞 cameras? bags? wallets? belongings? property items?
 | glasses umbrella
luggage: 行李 箱子 行李箱 luggage suitcases? baggage
damage: 损坏 弄坏 坏了 摔坏 摔碎 破损 破了 刮花 damag* broken? broke crack* scratch*
injury: 受伤 伤了 生病 病了 摔倒 崴 晕倒 中暑 送医 医院 意外 injur* hurt ill sick hospital* accidents? fell fainted
noshow: 爽约 没出现 没有出现 未出现 没来 没人来 不见人 没露面 放鸽子 不到场 no-?show no\\ show
 | (?:didn't|did\\ not|never)\\ (?:turn|show)[a-z]*(?:\\ up)? never\\ (?:came|appeared) didn't\\ come did\\ not\\ come
 | didn't\\ appear
absent: 未到场 没到场 没到集合 没赶上 错过 集合点 missed wasn't\\ at meeting\\ point not\\ at\\ the
supplier: 商户 商家 供应商 卖家 店家 合作方 merchants? suppliers? vendors? sellers? partners? operators?
crew: 导游 领队 司机 师傅 向导 guides? drivers? crew 柜员 客服 员工 店员 staff clerks? agents? employees?
complaint: 投诉 态度 抱怨 不礼貌 凶 骂客 complain* rude behaviou?r attitude unfriendly
review: 评价 评论 差评 点评 reviews? ratings?
!takedown: 下架 屏蔽 take\\ (?:it\\ |this\\ )?down taken\\ down hide
abuse: 辱骂 骂人 脏话 隐私 侮辱 abus* insult* swear* privacy
account: 账号 账户 帐号 帐户 户头 account(?!ing)s? profile
!merge: 合并 并成 并到 merg* join* combin*
password: 密码 登录 登不 登陆 验证码 password* log\\ ?in sign\\ in passcode pin
!reset: 重置 重设 reset*
email: 邮箱 邮件 电邮 e-?mails? mailbox
telephone: 手机号 电话号码? 联系方式 phone(?:\\ number)? mobile contact\\ (?:number|details)
wheelchair: 轮椅 无障碍 残疾 行动不便 wheelchairs? accessib* disab* mobility
child: 儿童 小孩 婴儿 宝宝 孩子 小朋友 child* kids? baby babies infants? toddlers?
seat: 座椅 座位 选座 靠窗 seats?
meal: 餐 素食 清真 过敏 吃素 忌口 不吃 饮食 meals? vegetarian vegan halal kosher allerg* diet* food
visa: 签证 visas?
letter: 证明 证明信 在读 letters? certificat*
group: 团队 包团 跟团 人的团 大团 groups? party\\ of
settlement: 结算 货款 settlement* payouts? remit*
fraud: 欺诈 盗刷 诈骗 假订单 可疑 骗 冒用 fraud* stolen fake scam* suspicious unauthori[sz]ed
!report: 上报 举报 登记 挂失 报备 report* log regist*
delivery: 快递 物流 配送 发货 包裹 送货 运单 派送 deliver* ship* parcels? packages? couriers? 收货 寄 运输
!goods_back: 退货 寄回 退换 return(?:s|ed|ing)?(?!\\ the\\ (?:whole|price|amount|money|full)) 退过?货 退回来
 | send(?:s)?\\ (?:it|them)\\ back goes\\ back sent\\ back returned return(?:ing)?\\ (?:it|them)
!exchange: 换货 调换 exchang* swap* 换大 换小 换一码 换个码 换个尺 换颜色 尺码 size up size\\ down another\\ size
 | another\\ colour one\\ size
repair: 维修 保修 修理 报修 质保 修一下 repair* warranty maintenance 上门 维修工 不转 不启动 开不了机 失灵 technician
 | out\\ of\\ order dead engineer fix(?:ed)?\\ at
stock: 缺货 断货 库存 补货 out\\ of\\ stock stock 到货 来货 有货 back\\ in\\ stock in\\ stock restock*
member: 会员 订阅 续费 套餐 自动续 memberships? subscri* renew* plan auto-?renew*
!upgrade: 升级 升舱 升房 upgrad*
limit: 额度 限额 提额 limits?
loss_report: 挂失 补卡 补办 lost\\ card replacement
statement: 账单 对账单 流水 statements? bills?
loan: 贷款 借款 还款 分期 loans? instal* mortgage 借钱 房贷 车贷 还清 还不上 borrow* lend* pay\\ (?:off|back) repay*
wire: 电汇 转账 汇款 打款 wire* transfer* remit* 汇(?!率|合|报|总|编) international\\ transfer
insurance: 保险 理赔 保单 保费 insur* claims? polic(?:y|ies)\\ holder
weather: 天气 台风 暴雨 大风 weather typhoon storms? rain
language: 语言 翻译 中文讲解 语种 language* interpret* translat*
room: 房间 房型 客房 入住 退房 rooms? check-?in check-?out
flight: 航班 机票 飞机 登机 flights? airlines? boarding airport 机场
train: 火车 高铁 车票 trains? rail
rental: 租车 取车 还车 rent* hire\\ car
data: 流量 上网 网络 电话卡 sim e-?sim wi-?fi roaming 漫游 信号 data\\ plan network 宽带 没信号 没网 断网 internet
 | broadband signal connection
broadband: 带宽 宽带 专线 网速 bandwidth broadband internet\\ (?:line|access|connection) dedicated\\ line
!escalate: 转人工 找主管 escalat*
gift: 礼品卡 购物卡 gift\\ ?cards? gift
balance: 余额 钱包余额 充值 balance top\\ ?up
app: 闪退 崩溃 打不开 卡死 页面 网页 app crash* bug website loading
late: 迟到 晚到 晚点 延误 误点 late delay*
price_error: 标错价 价格错 pricing\\ error
contact: 联系不上 打不通 联系 contact reach
!reserve: 预订 预约 订位 下单 reserv* book\\ (?:a|an|the|two|three|another)
!suspend: 停用 冻结 暂停 停机 suspend* freez* block(?:ed|ing)?\\ (?:the\\ )?(?:card|account) 停掉 停一下 先停 停止使用
 | stop on\\ hold paus*
!activate: 激活 开通 启用 activat* enabl*
clean: 脏 不干净 卫生 打扫 清洁 dirty filthy clean*
noise: 吵 噪音 nois* loud
!recall: 撤回 追回 召回 拦截 汇错 转错 打错账 recall* get\\ (?:it|them|the\\ money)\\ back wrong\\ account claw\\ back
!waive: 减免 免掉 免除 免收 免费 豁免 waiv* spar(?:e|ed) exempt* free\\ of
fee: 手续费 年费 费用 服务费 运费 fees? charges
!open: 开户 开立 新开 来开 open* new\\ account wants?\\ an\\ account
!send: 寄送 寄一 邮寄 发送 发给 send* mail(?:ed|ing)?
early: 提前 一次还清 一次性 early in\\ one\\ go ahead\\ of whole
!defer: 延期 缓一缓 缓几 晚点还 晚几天 展期 宽限 defer* extension can't\\ pay cannot\\ pay not\\ able\\ to\\ pay grace
higher: 多出 多了 偏高 太高 涨了 higher more\\ than\\ (?:last|it) too\\ high unusual
doubt: 疑问 有问题 异议 不认 搞不懂 question disagree that's\\ wrong doesn't\\ add\\ up
wrong_goods: 发错 寄错 送错 不一样 不符 颜色不对 款式不对 货不对板 wrong\\ (?:item|one|colour|color|product|size)
 | not\\ what not\\ as\\ described but\\ ordered instead\\ of\\ the
short_goods: 少发 漏发货 缺件 少了一 少一件 缺了 缺少 not\\ in\\ the\\ box piece\\ missing one\\ missing incomplete
 | missing\\ from
notify: 通知 提醒 说一声 告诉 notif* remind* let\\ (?:the\\ )?(?:customer|guest|client|him|her|them|me)\\ know tell
expired: 到期 过期 期满 expir* run\\ out
locked: 被锁 锁了 锁住 锁定 locked? wrong\\ tries wrong\\ pins?
warranty: 保修 过保 质保 在保 保内 保外 warrant* guarantee
abroad: 境外 国外 海外 出国 出境 跨境 abroad overseas foreign international
fault: 故障 断了 断网 没信号 没网 坏掉 faults? outage down no\\ signal no\\ internet not\\ working
cheap: 便宜一点 便宜点 便宜的 降级 cheaper downgrad* smaller\\ plan
bigger: 换大 大一点 大套餐 不够用 升级 bigger larger more\\ data upgrad*
donation: 捐 捐赠 捐款 donat* donor charity
moved: 搬家 搬了 迁居 moved\\ house has\\ moved customer\\ moved new\\ (?:mailing\\ )?address
crash_car: 追尾 撞车 出险 车祸 rear-?ended collision accident loss
port: 携号 转网 不变 换运营商 keep\\ (?:the|my|his|her)\\ number port* switch\\ operator
left_over: 还剩 剩多少 还有多少 剩余 left\\ on how\\ much\\ is\\ left remaining
!book: 预约 (?<!爽)约(?=个|一|师|人|上门) 安排 schedul* appointment arrange* send\\ a
"""
_TABLES = (_TABLE, topics.TABLE, everyday.TABLE)
_MARKED = re.compile(r"^(?P<act>!?)(?P<name>[a-z_]+): ", re.MULTILINE)
#: What a desk does, which can be refused, deferred or done already.
ACTS = frozenset(found["name"] for found in _MARKED.finditer("".join(_TABLES)) if found["act"])


@dataclass(frozen=True)
class Spoken:
    """A concept in a text. `act` is what a desk does."""

    start: int
    end: int
    concept: str
    act: bool


@lru_cache(maxsize=256)
def concepts(norm: str) -> tuple[Spoken, ...]:
    """The concepts of a normalised text; of those that overlap, every one counts. One message is asked for many times."""
    return tuple(Spoken(start, end, name, name in ACTS) for start, end, name in _lexicon().find(norm))


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    lines = re.sub(r"\n \| ?", " ", "\n".join(each.strip() for each in _TABLES)).splitlines()
    words: dict[str, list[str]] = {}
    for line in lines:
        mark = _MARKED.match(line)
        if mark is None:
            raise ValueError(f"no concept: {line}")
        listed = filter(None, re.split(r"(?<!\\) ", line[mark.end() :].strip()))
        words.setdefault(mark["name"], []).extend(map(_pattern, listed))
    return Lexicon(words)


def _pattern(word: str) -> str:
    plain = word.replace("\\ ", " ")
    if not re.match(r"[a-z(]", plain):
        return plain
    stem, ending = (plain[:-1], "[a-z]*") if plain.endswith("*") else (plain, "")
    return rf"(?<![a-z])(?:{stem}{ending})(?![a-z])"

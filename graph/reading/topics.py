"""What desks of travel, shops, banks and telephone companies speak of, beside the common concepts.

Written as the table in `concepts`; a name that stands there, too, gains these words.
"""

from __future__ import annotations

TABLE = r"""
flight: 班机 早班 晚班 航空 机场 改签 起飞 落地 转机 planes? fly flying land(?:ed|ing) plane\ ticket stopover layover
aisle: 靠窗 过道 坐在?一起 坐一块 挨着 连座 window\ seats? aisles? sit(?:ting)?\ (?:together|next|near|by) together
seat: 靠过道 前排 坐 seating sit
luggage: 托运 转盘 登机箱 bags? baggage carousel belt luggage suitcases? 箱子
weight: 公斤 超重 重量 斤 件数 kgs? kilos? weight allowance overweight heavy
stay: 延迟 续住 多住 多用 晚退 晚点退 多租 多留 续租 延长 晚两天 晚[一二两三]天 longer later extend* late\ check keep
 | extra\ (?:night|day)s? another\ night until\ \d
room: 前台 大堂 客房 住 旅馆 民宿 入住 front\ desk reception lobby checked?\ (?:in|out) hotels? suite
unbooked: 无房 没房 没有?预[订定] 查不到 满房 订不到 没位 no\ (?:room|booking|reservation) can't\ find
 | (?:turned|sent)\ (?:\w+\ )?away fully?\ booked is\ full overbook* no\ record
breakfast: 早餐 早饭 早点钱 breakfasts? morning\ meals? buffet
meal: 午餐 晚餐 吃 套餐餐 lunch dinner meals? diabetic gluten nuts? peanuts?
vehicle: 租车 租的车 还车 取车 车子 车辆 车(?=想|要|多|被|撞|坏|晚|还|能) cars? vehicles? rentals? hired?\ car suv
crash_car: 碰撞 撞 剐蹭 剐 蹭 刮(?!风) 事故 crash* collid* dent* scratch* bumped accidents?
invoice: 开[个张份]?票 报销 抬头 票(?=[，,]?(?:抬头|报销)) tax\ receipt expense receipts?
delivery: 快件 派件 到货时间 签收 dispatch* courier tracking parcels? packages? shipment arriving
address: 地址 收货 寄新 新地方 改送 street address* postcode zip deliver\ to
 | send\ (?:\w+\ ){1,3}to\ (?:my|her|his|their|the|another|a)
 | (?:to|at)\ (?:my|her|his|the)\ (?:office|work|home|house|neighbou?r)
moved: 搬家 搬到 新家 新住址 moving\ house new\ (?:home|flat|house|place)
!goods_back: 退货 退回 退掉 退了 不喜欢 不合适 买错 不合身 不想要 send(?:ing)?\ (?:\w+\ ){1,3}back doesn't\ fit
 | don't\ fit don't\ want\ (?:it|this|the|these|them|\w+\ any) doesn't\ like unwanted
 | return\ (?:it|them|this|these|the\ \w+) give\ back
goods: 衣服 鞋 裙 裤 外套 商品 货 宝贝 shoes? dress jackets? shirts? coat product goods item* box
variant: 尺码 尺寸 大一[码号] 小一[码号] 大号 小号 颜色 [红黑白蓝绿]色 换成[红黑白蓝绿] (?<!party\ )(?<!group\ )sizes?
 | colou?rs? larger smaller bigger (?:red|blue|black|white|green|grey|pink|medium|large|small)\ (?:one|ones|instead)
 | instead\ of\ the 小了 大了 紧 松 大一号 小一号 码数 too\ (?:small|big|large|tight|loose|long|short) the\ [sml]\ for
 | trade medium shirt 款式 粉色 灰色 紫色 黄色
!exchange: 换货 换[大小] 换成 换一?[双件条套码号个] exchang* swap* trade
damage: 碎 裂 坏 破 瘪 漏液 摔 shatter* smash* crack* in\ pieces broken? broke dent* torn leak* damag* faulty defective
 | chipped 质量 没声音 不亮 没反应 开不了机 won't\ turn doesn't\ turn stops? no\ sound in\ \w+\ pieces
short: 少件 漏发 少了 少发 只来 只收到 只有[一两二] 只发 不齐 缺 配件 没寄来 不全 差[一两]件
 | only\ (?:got|received|came|one|two|\d) wasn't\ in weren't\ in isn't\ in missing incomplete short\ (?:of|by)
 | one\ of\ the\ (?:two|three|four) left\ out
coupon: 券(?!商) 打折 codes?(?!\ of) promo* discounts? vouchers?\ (?:code|gave|won't|doesn't) coupons?
preorder: 预售 预购 预定的 定金 pre-?orders?(?:ed)? release reserved
!cancel: 不等了 不要了 算了 不想要了 放弃 取消 forget drop\ (?:my|the|her|his) withdraw don't\ want\ to\ wait get\ rid
 | called?\ off terminate doesn't\ want\ (?:to\ )?(?:go|it) no\ longer can't\ make\ it
cheaper: 降价 跌价 便宜 降了 保价 价保 补差 差额 price\ (?:dropped|drop|fell|went\ down|protection|guarantee)
 | lower\ (?:price|elsewhere) less\ (?:now|today|elsewhere) on\ sale now\ (?:it's|it\ is|only|at)
 | bought\ (?:it\ )?(?:at|for) paid\ more 买贵
tier: 会员 等级 金卡 银卡 白金 钻石 升级 tiers? gold silver platinum diamond loyalty\ (?:tier|status|level) level status
 | membership
points: 里程 积分 点数 points? miles
relative: 家人 老婆 老公 妻子 丈夫 妈 爸 儿子 女儿 亲友 朋友 wife husband son daughter mother father mum mom dad
 | relatives? family spouse friend brother sister
!pass_on: 转让 转给 挪给 过户 送给 转赠 transfer* give\ (?:my|his|her|their|the)\ \w+\ to
 | move\ (?:\w+\ ){1,2}to\ (?:my|his|her)
card: 卡(?=丢|不|没|掉|被|要|收|找|坏|到) 钱包 wallet debit\ card credit\ card bank\ card visa\ card mastercard
lost: suitcase\ missing bags?\ missing didn't\ (?:come|arrive) 丢 不见 找不到 没了 掉了 弄丢 落 忘 盗 偷
 | left\ (?:my|his|her|their|the|a|an|it)\ lost losing stolen can't\ find mislaid
!compensate: owe make\ up\ for
!suspend: 冻结 挂失 停掉 停用 止付 freez* block* stop\ (?:it|the|my|a)\ lock
!activate: 激活 启用 开卡 开通 switch\ (?:\w+\ )?on turn\ (?:\w+\ )?on enabl* activat* start\ using
new_card: 新卡 收到卡 卡收到 卡到了 新的卡 new\ (?:debit\ |credit\ |bank\ )?card card\ (?:that\ )?(?:came|arrived)
 | replacement\ card
cap: 限额 上限 额度 最多 每日 一天 每天 提额 不够用 limits? caps? maximum max daily a\ day per\ day
!raise: 提高 调高 升到 提升 加大 放宽 上调 提到 rais* increas* higher more
!lower: 降低 降一?点 下调 调低 减少 降到 lower* reduc* decreas* too\ high
wire: 转账 汇款 转钱 汇钱 打款 打到 转到 转给 付到 transfers? sen[dt]\ (?:\w+\ )?(?:money|more|\d) wired?
 | money\ (?:sent|went|to) payments? paid
wrong_person: 转错 汇错 打错 错账 错人 别人账 别人的账 陌生人 付错
 | wrong\ (?:person|account|people|iban|payee|recipient|guy) typed\ the\ wrong mistyped
unknown: 不明 不认识 不知道是什么 不是我 没买过 没刷过 莫名 陌生 没做过 don't\ recogni[sz]e doesn't\ recogni[sz]e
 | not\ recogni[sz]e unknown never\ (?:made|bought|authori[sz]ed|ordered) didn't\ (?:make|buy|order|authori[sz]e)
 | not\ mine who\ is strange 不是我的 不是本人 没消费 没有消费 someone\ used somebody\ used didn't\ make
 | made\ by\ someone not\ me 非本人 盗刷 not\ the\ customer's fraud*
charge: 扣了 刷的 一笔 交易 消费 扣我 收了 transactions? payments? charg* debit* deducted purchase
mortgage: 房贷 按揭 住房贷款 home\ loans? house\ loans? mortgages? housing\ loans?
rate: 利率 利息 interest rates? apr
!close: 注销 销户 销掉 关掉 关了 关闭 销了 不再使用 不用了 clos* shut terminat* get\ rid\ of any\ more
account: 账户 户头 存折 银行户 savings bank\ with account accounts
identity: 身份 证件 身份证 护照 证明文件 资料 实名 id(?:\ (?:card|documents?))? ids passport identity kyc
 | driving\ licen[cs]e
expired: 过期 到期 失效 新证 更新 expir* renew* out\ of\ date
sim: 手机卡 电话卡 sim卡 补卡 补个卡 补一张 sims?(?:\ card)? chip e-?sim
mobile_data: 流量 上网 \d个?g(?![a-z]) gb gigabytes? gigs? mb data data\ pack
abroad: 出境 出国 国外 境外 漫游 海外 去[一-鿿]{1,3}[，,]?.{0,4}手机 泰国 日本 韩国 美国 欧洲 英国 法国 新加坡 roam*
 | overseas abroad travel(?:l?ing)?\ to flying\ to
 | going\ to\ (?:japan|thailand|france|spain|italy|the\ us|usa|germany|uk|europe|korea|singapore)
wifi: 宽带 断网 上不了网 没网 网慢 网速 连不上 路由器 光猫 wifi wi-fi router modem broadband internet home\ internet
 | no\ connection fib(?:re|er)
outage: (?<!摔)断了 断网 故障 上不了 连不上 打不开 没信号 很慢 慢得 down dead offline
 | no\ (?:connection|signal|internet|service) not\ working stopped\ working cut\ out slow drops? red\ light blinks?
bill: 账单 话费 电费 月费 费用单 bills? billed billing
too_much: 偏高 太高 这么多 怎么这么 多了 多扣 涨 贵 翻倍 higher too\ (?:much|high) twice\ as expensive more\ than\ usual
 | why\ is\ my increased
telephone: 号码 手机号 电话号 换号 靓号 phone\ numbers? mobile\ numbers? numbers? new\ number spam\ calls
refund: 退的钱 退这?笔 退[给回]?他 钱退 退.{0,4}票钱 money\ back pay\ back paid\ back her\ money his\ money my\ money
 | refund*
progress: 进度 走到哪 到哪 到账没 半个月 迟迟 一直 还没 没动静 没消息 pending any\ (?:news|update) yet still weeks?
 | stuck where\ is where's how\ far when\ will what's\ happening waiting status
late_plane: 延误 晚点 误点 delayed? late hours\ late
proof: 证明 说明 凭据 单据 proofs? letters? certificates? document confirm* confirmation\ of statement\ (?:that|of)
insurance: 保险公司 投保 保额 insurers? insurance coverage cover
password: 登不上 登不进 密码 忘记密码 登录不 log(?:ged|ging)?\ ?in can't\ (?:log|get)\ in locked\ out passwords? 2fa otp
 | verification\ code
atm: 取款机 吞卡 吞了 柜员机 atms? cash\ machine swallow* machine\ (?:ate|kept|swallowed|took)
forex: 外币 换汇 兑换 美元现钞 汇率 exchange\ rate foreign\ currency currency euros? yen
statement: 流水 对账 明细 账单明细 statements? transaction\ history
direct_debit: 自动扣 代扣 自动转 自动还 direct\ debits? standing\ orders? autopay automatic\ payments?
fee: 年费 手续费 管理费 滞纳金 罚息 late\ fee annual\ fee charges? fees? penalty
instalment: 分期 账期 instal* split\ (?:\w+\ )?payments? pay\ (?:monthly|in\ parts|over)
deposit: 押金 定金 保证金 预授权 deposits? pre-?authori* hold\ on security\ deposit
counterfeit: 假货 正品 山寨 仿 高仿 fake counterfeit genuine authentic knock-?off real
technician: 师傅上门 装机 安装 上门 移机 install* technicians? engineers? set\ up fitting home\ visit
!unlock: 解锁 解封 解冻 unlock* unblock* unfreez*
spam: 骚扰 推销 垃圾短信 诈骗电话 spam nuisance telemarket* robocall* junk
voicemail: 语音信箱 留言 voicemail
call_forward: 呼叫转移 来电转 forward\ (?:my\ )?calls call\ forward*
contract: 合约 合同 到期合约 contracts?
plan: 套餐 资费 plans? package\ deal tariff 换套餐 unlimited tariffs?
newsletter: 订阅 邮件推送 推广短信 退订 newsletters? marketing\ e?mails? unsubscribe promotional
privacy_data: 个人信息 个人资料 隐私 我的数据 personal\ data personal\ information gdpr privacy my\ data
pet: 宠物 狗 猫 pets? dogs? cats? puppy
medical: 病 医生 医药 送医 急救 发烧 doctor hospital* sick ill medicine emergency fever ambulance
weather: 下雨 下雪 台风 天气 暴雨 rain* snow* storm* typhoon* weather bad\ weather hurricane
child: 娃 宝宝 孩子 小孩 婴儿 儿童 baby babies toddler kid* infant
wheelchair: 走不动 腿脚 残障 轮椅 坐轮椅 can't\ walk wheelchair* disabled mobility
pickup: 接机 接送 送机 来接 接站 上车点 pick(?:ed)?\ (?:\w+\ )?up pickups? shuttle airport\ transfer collect ride
 | lift\ (?:from|to)
guide: 导游 讲解 领队 guides? tour\ leader
language: 中文 英文 日文 会说 讲解语言 speaks? language* interpreter chinese-speaking english-speaking
birthday: 生日 蜜月 纪念日 鲜花 蛋糕 惊喜 birthday honeymoon anniversary cake flowers surprise
upgrade_room: 升房 升舱 换大房 海景 upgrad* better\ room sea\ view business\ class
gift_card: 礼品卡 购物卡 礼金卡 储值卡 gift\ cards? gift\ vouchers?
gift_wrap: 包装 礼盒 贺卡 gift\ wrap* wrapping greeting\ card 礼品包装 wrapped
stock: 有货 补货 到货 缺货 断货 in\ stock out\ of\ stock sold\ out restock* back\ in
bulk: 批量 团购 大量 企业采购 批发 bulk wholesale large\ order corporate 大批
injury: 摔断 骨折 扭伤 晕 中暑 摔 faint* collapsed? hurt injur* fell broke\ (?:\w+\ )?(?:leg|arm|ankle) heatstroke
 | bleeding cut bleed* bruised slip* 滑倒 流血 割伤 烫伤 burnt? sprain* twist*
people: 一个人去 带个 朋友 同伴 妹妹 姐姐 弟弟 哥哥 adults? join(?:s|ing)? companion one\ more\ person another\ person
cot: 婴儿床 小床 cots? cribs? baby\ bed
group: 团建 班级 学校 [十百\d]+个人 \d+人 class school team parties party\ of offer
twice: 两笔 多扣 identical again same\ (?:payment|order|charge) second\ time
fraud: 冒用 盗用 被刷 someone\ used somebody\ used not\ me hacked
fail: 刷不了 刷不出 付不出 过不去 no\ luck rejected error
unusable: 没声音 不亮 没反应 不响 不通电 用两天 won't\ turn doesn't\ turn not\ turning stopped no\ sound doesn't\ work
repair: 修(?!改) stopped\ \w+ing keeps\ crashing fix
warranty: 保修期 guarantee warrant*
!install: 装(?!修|不|作) 安装 组装 mount* assembl* install* set\ up hook\ up
fake: 假货 假的 不像正品 正品 counterfeit authentic genuine fakes?
driver: 司机 接机的人 driver chauffeur
waiting: 等着 等不到 没看到 没见到 找不到 在哪 stand(?:ing)?\ outside waiting waits? can't\ find can't\ see
 | no\ (?:driver|one)
payoff: 还清 还完 结清 提前还 pay(?:ing)?\ off payoff settle
dispatch: 发货 催 寄出 dispatch* shipped sent\ out not\ shipped ship
signed: 签收 marked\ delivered says\ (?:it\ was\ )?delivered delivered
swallowed: 吞 不吐 没出来 ate swallow* kept\ (?:my|the)
slow_delivery: 催 催单 还没送 没发货 超时 still\ hasn't\ (?:come|arrived|shipped) late\ delivery hurry overdue chase
full: every\ (?:cent|penny) everything all\ of\ it all\ the\ money 一分不少
name: spell(?:ed|ing)? passport\ says 写反 写成 letter\ missing
visa: embassy consulate 使馆 领馆
letter: itinerary 行程单 在职证明
overdue: supposed\ to promised overdue late 说[好昨今] 超时 超过 还没[来送到] 今天还没 迟迟
 | still\ (?:waiting|not|hasn't)
wrong_goods: i\ ordered we\ ordered ordered\ an? something\ else 买的.{0,6}(?:来了?|发来|收到) 收到的是 送来的是
 | 寄来的是
short_goods: parts? screws? manual charger cable lid accessory accessories 配件 零件 螺丝 充电器 说明书 里少 少个 少了个
bank_pin: pins? 取款密码 支付密码 交易密码
!defer: can't\ (?:make|afford|repay) 还不起 还不上 交不上 lost\ my\ job out\ of\ work payment\ holiday missed\ payment
loan: instal* monthly\ payment 月供 车贷
signal: 信号 没服务 no\ bars signal reception calls?\ (?:drop|fail)\w* can't\ (?:call|make\ calls) 打不了电话 无服务
port: carrier carriers operators? provider 运营商 带走 keeping\ (?:my|the|her|his)\ number
annual: 年费 yearly annual membership\ fee
!waive: 免 take\ (?:it|them)\ off spare
star: 星 stars? 打错 posted review
rebook: 改签 晚一班 早一班 下一班 next\ one later\ (?:train|flight|bus) earlier\ (?:train|flight|bus) missed?\ the
train: 高铁 动车 火车 train trains railway
lounge: 贵宾 休息室 lounge vip
parking: 停车 车位 parking park
wifi_device: 随身wifi 热点 hotspot pocket\ wifi
ski: 滑雪 ski snowboard
hotel_cancel: 退房 退订酒店 cancel\ (?:the\ |my\ )?(?:room|hotel|stay)
late_arrival: 晚到店 晚点到 半夜到 late\ arrival arrive\ late after\ midnight
early_in: 提前入住 早入住 early\ check-?in check\ in\ early
bed: 大床 双床 twin king bed beds
smoke: 无烟 吸烟 smoking non-?smoking
cash_out: 提现 取现 withdraw* payout 取钱
credit_score: 征信 信用记录 credit\ (?:score|record|history|report)
cheque: 支票 cheques? checks?\ book chequebook
tax: 税 完税 tax taxes vat withholding
branch: 网点 分行 支行 branch branches appointment
interest: 利息 利率 interest rate rates
safe: 保管箱 safe\ deposit locker
roaming_bill: 漫游费 roaming\ (?:charge|bill|fee)s?
top_up: 充值 充话费 充错 top-?\ ?up recharge recharged
esim: esim e-sim 电子卡
tv: 电视 机顶盒 tv set-top channels?
relocate: 移机 迁移 relocat* move\ (?:the\ |my\ )?(?:line|router|service|internet)
suspend_line: 停机 报停 复机 suspend\ (?:my\ )?(?:line|service|number)
subsidy: 学生 学生价 老人 军人 student senior discount\ for
seller: 卖家 商家 店铺 seller merchant shop store
reply: 不回 没回复 联系不上 no\ (?:reply|answer|response) doesn't\ (?:reply|answer|respond) unresponsive
"""

"""Everyday words for what desks speak of: things people carry, ways of saying that something failed, came late or never.

Written as the table in `concepts`; the names are those of `concepts` and `topics`, which gain these words.
"""

from __future__ import annotations

TABLE = r"""
item: 墨镜 太阳镜 外套 大衣 帽子 围巾 钥匙 充电器 充电宝 平板 电脑 笔记本 耳机 手表 项链 戒指 首饰 玩具 书包 手提包
 | 护照夹 水杯 鞋 衣服 伞 sunglasses (?:eye)?glasses coat jacket sweater hat cap scarf gloves? keys? chargers?
 | power\ ?banks? laptop tablet ipad kindle headphones earphones airpods backpack rucksack handbag purse watch ring
 | necklace jewel[a-z]* book toy teddy bottle shoes? tripod phone
lost: 落下 忘记拿 忘拿 忘带走 没拿走 留在 掉在 丢在 漏在 落(?=[在车酒出大房座])
 | forgot(?=\ (?:it|them|a|an|the|his|her|their|my|our|one|some)(?![a-z])) forgotten\ in left\ \w+\ (?:on|in|at)\ the
 | left\ (?:\w+\ ){1,3}(?:behind|on\ the|in\ the|at\ the) (?:is|was|are|were|be)\ still\ (?:in|on|at)\ the
 | dropped\ (?:it|his|her|my)
vehicle: 大巴 巴士 出租车 面包车 商务车 轿车 van coach bus minibus taxi cab shuttle\ bus
crew: 地陪 教练 船长 接机员 tour\ (?:guide|leader) captain instructor chauffeur escort driver's guide's
noshow: 人影 没影 不见人 没有?来接 没等到 人没来 人没到 压根没来 一直没来 一直没出现 没人接 没出现过 没现身 未现身
 | 没有?露面 (?:nobody|no\ one|no-?body)\ (?:came|showed|was\ there|turned\ up|picked|met|appeared)
 | (?:never|didn't|did\ not)\ (?:turned|show(?:ed)?|pick|meet|come|came) stood\ (?:\w+\ )?up
 | left\ (?:\w+\ )?(?:waiting|stranded) wasn't\ there was\ not\ there no\ sign\ of\ the
absent: 没赶到 赶不上 没来集合 睡过头 起晚了 迟了没上 没上车 走错地方 overslept slept\ in
 | missed\ the\ (?:bus|boat|tour|pick-?up|meeting|departure|coach|van) didn't\ make\ it\ to too\ late\ for\ the
 | late\ for\ the came\ too\ late wasn't\ there\ when not\ at\ the
voucher: 票(?=[，,扫进打用]|是|无|没|被|不|说) 入园码 核销码 预订码 booking\ confirmation barcode bar\ code e-?voucher
 | passes entry\ (?:pass|code)
scan: 进门 进园 门口 入园 检票口 扫描 刷票 scann?(?:ed|ing|er)? museum turnstiles? door entry reader
unusable: 不通过 读不出 打不开 扫不[出了上] 扫不开 识别不 没反应 进不去 进不了 不让进
 | isn't\ (?:being\ )?(?:accepted|valid|recogni[sz]ed) not\ recogni[sz]ed as\ invalid won't\ (?:scan|let|accept|open)
 | can't\ (?:get\ in|enter|be\ scanned) turned\ away refus(?:es|ing) reject(?:s|ed) doesn't\ (?:scan|read)
!resend: 再发一[遍次份] 再发一下 再发 补一份 重新发送 重新寄 发一遍 重新传
 | send\ (?:\w+\ ){0,4}(?:again|once\ more|one\ more\ time) e?-?mail\ (?:\w+\ ){0,4}(?:again|once\ more|one\ more\ time)
 | another\ copy new\ copy forward\ (?:it|the|her|his|them)
missing: 还是没有 仍没 没影 没看到 没见着 没来 没发来 没见到 没拿着 收不到 还没有 没看见 一直没[有给到收] 迟迟没 不见
 | (?:ha(?:s|ve)n't|didn't|did\ not|never|not)\ (?:\w+\ )?(?:got|get|received?|seen?|arrived?|come|came|landed|show[a-z]+)
 | still\ (?:nothing|no|hasn't|haven't|sees?\ nothing|waiting) sees?\ nothing nothing\ (?:arrived|came|yet)
twice: 两回 两次扣 双份 两遍 扣重 多刷 重复付 两笔一样 一样的钱 同样的钱 again\ for\ the\ same
 | two\ (?:charges|payments|times|bookings\ charged)
 | same\ (?:\w+\ )?(?:payment|charge|amount)\ (?:\w+\ )?(?:twice|again|two) billed\ (?:again|two)
 | (?:second|2nd|extra)\ charge two\ identical
fail: 刷不过 付款不成功 付不出去 支付不了 付不成 过不了 卡住 不成功 一直失败 declin(?:e|ed|es|ing) rejected
 | throws?\ (?:an\ )?error throwing\ (?:an\ )?error keeps?\ failing won't\ (?:process|accept|take|go)
 | can't\ (?:pay|check\ ?out|complete) doesn't\ (?:process|complete) (?:is|was)\ refused
coupon: 码(?=输|用|提示|填|失|无|不) 优惠 减免码 打折码 voucher\ code discount\ codes?
 | codes?\ (?:is|doesn't|didn't|won't|isn't|not) takes?\ (?:\w+\ ){0,2}off
charge: 划走 划了 收了两 刷了 took\ (?:\w+\ )?(?:money|payment) taken\ (?:twice|from) billed?
cheaper: 更低 低价 差价 差了 卖得低 便宜了 比你们低 cheaper\ (?:on|at|somewhere|elsewhere|price)
 | lower\ (?:on|at|price|rate) better\ price found\ (?:it\ )?(?:for\ )?less
 | \d\ (?:dollars|bucks|usd|euros)\ (?:cheaper|less|lower)
name: 名字里 拼错 字母 拼音 姓[写打]错 名[写打]错 last\ names? first\ names? surnames? family\ names? spelling
 | typ(?:ed|o)\ in\ (?:his|her|the|their)\ name middle\ name
date: 往后推 往前 换一天 改天 下周 下个?月 隔天 晚[一两几]天 早[一两几]天 别的日子 另外一天
 | (?:another|other|later|earlier|different|next)\ (?:day|week|month|date|[a-z]{3,6}day)
 | (?:a|one|two|three)\ days?\ (?:later|earlier) push(?:ed)?\ (?:it\ )?(?:back|to)
time: 早一点 晚一点 早点 晚点出 下午场 上午场 早班 晚班 钟头
 | (?:morning|afternoon|evening|earlier|later|noon)\ (?:slot|session|tour|departure|one|time|instead)
 | (?:an|one|two)\ hours?\ (?:later|earlier) same\ day start\ times?
!change: 改期 推迟 推到 挪 挪到 换到 换成 换一 变成 往后推 往前提 push(?:ed|ing)? shift(?:ed)? mov(?:e|ed|ing)
 | swap(?:ped)? instead\ of postpon(?:e|ed|ing) bring\ forward
pickup: 接人 接送点 上车地方 来接 去接 接客 接站 接(?=$|[，,。一下]) pick(?:ed|s)?\ (?:me|us|him|her|them|\w+)?\ ?up
 | pick-?up collect(?:ed|ion)?\ from collected
place: 希尔顿 万豪 民宿 住的地方 住址 another\ (?:hotel|place|address) different\ (?:hotel|place|address) hilton
 | marriott staying\ at hotel\ instead
!add: 多带 加上 加个人 加一 带上 加进 多来 再来一 一起来 再带
 | (?:bring|bringing|join|include|take)\ (?:\w+\ ){0,2}(?:along|as\ well|too|more|friend|wife|husband|child|partner)
 | one\ more two\ more extra\ (?:person|guest|traveller|people)
!remove: take\ (?:him|her|them|one)\ off drop\ (?:him|her|one) 去掉 不去了一个 少带 少一个 少[两三]个 减一 减掉 删掉一个
 | 有[一两三]个人?不[来去] one\ (?:person\ )?(?:less|fewer) (?:take|leave|drop)\ (?:\w+\ ){1,2}(?:off|out)
 | without\ (?:her|him|one) (?:one|two|three)\ (?:people|persons?|guests?|of\ them)\ (?:can't|cannot|won't|isn't|aren't)
people: 个人 位客人 太太 先生 老公 老婆 husband wife partner son daughter friend mother father travell?ing\ with
 | companions?
!cancel: 不去了 取消了 去不了 不来了 不走了 不参加 不想去 不要了 not\ coming isn't\ coming aren't\ coming
 | no\ longer\ coming won't\ come not\ travell?ing can't\ (?:come|travel|go|make) call(?:ed|ing)?\ (?:it\ )?off
!restore: 取消错 误点取消 点错取消 恢复回来 弄回来 重新生效 bring\ (?:\w+\ ){0,3}back put\ (?:it\ )?back
 | undo\ (?:the\ )?cancel[a-z]* un-?cancel reopen
mistake: 点错 按错 取消错 搞错 by\ (?:accident|mistake) accidentally unintended didn't\ mean\ to wrong\ button
full: 一分不少 全退 整单退 全都退 退全 全部退 统统 all\ (?:of\ )?(?:the|his|her|their|its)\ money
 | every(?:thing|\ cent|\ penny) in\ full whole\ (?:amount|price|lot) 100\ ?%
partial: 退一部分 只退 退其中 退(?:这|那|其中)?[一两三四几\d]+个?人 没去的 没用的 有[一两三]个?人没去
 | the\ (?:one|two|three)\ who only\ (?:the|one|two|refund)
 | (?:one|two|three|five|six|\d)\ (?:out\ )?of\ (?:the\ )?(?:\w+) unused half
status: 走到哪 到哪了 到哪一步 怎么样了 什么进展 进展 处理得 有没有消息 gone\ out (?:gone|went)\ through
 | where's\ (?:the|my|his|her|their) any\ (?:news|update|progress) how\ far up\ to
invoice: 开发票 报销凭证 抬头 开票 vat\ (?:invoice|receipt) receipt bill\ for\ (?:his|her|the|their)\ company
company: 公司抬头 单位名称 税务 纳税 单位 business\ name vat\ number tax\ (?:id|number|code) firm company's
!issue: 开票 要一张 要张 出个
 | (?:send|give|get|need|needs|want|wants|provide|write)\ (?:\w+\ ){0,3}(?=invoice|receipt|letter|certificate)
!merge: 合起来 合成 并成 只留一个 并为 into\ one only\ one (?:have|has|want|wants|keep)\ (?:just\ |only\ )?one
 | two\ (?:accounts?|logins?|profiles?) duplicate\ (?:account|profile)s?
account: 两个号 登录名 注册 logins? sign-?ins? user\ ?names? registered profiles? membership\ account
!delete: remov(?:e|ed)\ from\ (?:our|the|your)\ (?:system|database|records|list) 全删 删光 清空 抹掉 移除资料 不留资料
 | erase(?:d)? wipe(?:d)? remov(?:e|ing)\ (?:all\ )?(?:\w+\ )?(?:data|information|details) forget\ (?:me|him|her)
 | everything\ we\ (?:hold|have|know) gdpr
password: can't\ get\ into (?:won't|doesn't)\ let\ (?:him|her|me|them)\ in\ to 进不去账 登不进去 登不上 密码错 忘了密码
 | login\ (?:fails|problem|page) locked\ out can't\ (?:log|sign|get)\ (?:in|into) forgot\ (?:\w+\ )?(?:password|pin)
email: 邮件地址 新邮箱 换邮 mail\ address e-?mail\ address
fraud: 假单 假的?订单 恶意下单 盗刷 冒名 不是本人 骗子 黑卡 盗用 stolen\ cards? isn't\ (?:his|hers|theirs|the\ owner)
 | scam(?:mer)? impersonat[a-z]* someone\ else's\ card not\ the\ cardholder
dispute: dispute\ (?:letter|notice|from|case) 银行争议 撤单争议 bank\ (?:opened|sent|dispute|claim|notice)
 | disput(?:e|ed|es) chargebacks?
evidence: 交材料 补材料 上传证据 提交材料 举证材料 documents? proof supporting
supplier: 供货 合作商 地接社 酒店合作 合作酒店 餐厅方 partner hotel\ partner restaurant\ owner boat\ operator contractor
settlement: 没结 未结 结钱 欠款 结款 货款 打款给商 没结账 账期 尾款 催款
 | paid\ for\ (?:january|february|march|april|may|june|july|august|september|october|november|december|last|this)
 | hasn't\ been\ paid not\ been\ paid haven't\ been\ paid waiting\ for\ (?:\w+\ )?(?:money|payment) unpaid
 | outstanding\ (?:payment|balance) invoices?\ unpaid
injury: 扭到 扭伤 崴脚 划伤 骨折 送医院 送去医院 晕倒 流血 摔伤 摔跤 溺水 被咬 咬伤 食物中毒 拉肚子
 | (?:broke|sprained|twisted|cut|hurt|burn(?:ed|t))\ (?:\w+\ )?(?:leg|arm|ankle|wrist|knee|foot|hand|head|h[a-z]+self)
 | taken\ to\ (?:the\ )?(?:hospital|er|clinic) food\ poison(?:ing|ed) unconscious stung drown(?:ed|ing)?
damage: 压坏 压扁 摔断 摔坏 弄断 划破 撕破 拉链坏 轮子 crack(?:ed|s)? broken\ (?:wheel|handle|zip|zipper) torn ripped
 | smashed wheel\ (?:is\ |was\ )?(?:broken|off)
luggage: 拉杆箱 登机箱 旅行箱 背包坏 bag\ (?:was|is|got|came) trunk
complaint: 很差 太差 恶劣 不耐烦 骂人 态度差 发脾气 吼 没礼貌 rude unfriendly shouted yelled impolite disrespectful
 | bad\ attitude unprofessional swore arrogant
review: 差评 好评 点评里 评论区 reviews? feedback\ (?:on|page) posted\ (?:a|about) one-?star comment\ (?:on|about)
!takedown: 撤掉 撤下 拿掉 去掉评 屏蔽掉 删掉 get\ (?:\w+\ )?(?:taken\ down|removed|deleted)
 | take\ (?:\w+\ ){0,2}(?:down|offline) pull\ (?:the|that|this)
abuse: 骂人 脏字 人身攻击 隐私信息 曝光 泄露 names?\ (?:our|the|a)\ (?:staff|employee|guide|driver)
 | personal\ (?:data|details|attack) offensive insult(?:s|ing)? phone\ numbers?\ in slur vulgar
wheelchair: 坐轮椅 推轮椅 腿脚不便 走不了路 拄拐 不能走 can't\ walk can\ not\ walk
 | walking\ (?:problem|difficult[a-z]*|frame|stick) crutch(?:es)? ramp step-?free disabled
child: 两岁 三岁 一岁 岁的?(?:宝宝|孩子|小孩|娃) 娃娃 toddlers? newborn infants?
 | (?:one|two|three|four|five|\d)-?\ ?year-?\ ?olds? months?\ old little\ (?:one|boy|girl)
seat: 安全椅 增高垫 提篮 booster(?:\ seat)? car\ seats? cushion
meal: 不吃(?:肉|猪|牛|辣|海鲜|荤) 花生 海鲜过敏 乳糖 无麸质 忌 吃斋 盒饭
 | (?:peanut|nut|shellfish|seafood|gluten|lactose|dairy|egg)s? allergic allerg(?:y|ies) vegan vegetarian kosher halal
 | doesn't\ eat don't\ eat\ (?:meat|pork|beef|fish) gluten-?free restaurant
visa: 大使馆 领事馆 使馆 签证官 申根 入境 embassy consulate schengen immigration border
letter: 证明材料 行程单 在读证明 预订证明 confirmation\ letter supporting\ letter itinerary
 | proof\ of\ (?:booking|travel|trip)
group: 人团 包车团 一车人 公司出游 团费 团价 几十个人 [一二三四五六七八九]?十[几多来]?[个位]?人?
 | (?:party|group|team|class)\ of [1-9]\d\ (?:people|guests|persons|pax|adults|students|of\ us)
price: 报个价 给个价 怎么卖 什么价 优惠价 团价 rates? quot(?:e|ation|es) how\ much\ (?:for|would|is\ it) best\ price
 | pricing
points: 积分(?=没|一直|还|少|不|呢) 会员分 points?\ (?:never|not|missing|haven't|weren't|were) loyalty\ points?
 | reward(?:s|\ points)?
bandwidth: 拉线 拉一条 光纤 企业宽带 网络专线 internet\ (?:plan|package|contract|service) leased\ line fibre fiber
 | bandwidth dedicated\ line
broadband: 宽带 拉网 拉专线 装网 光纤 办网 fib(?:re|er) leased\ lines? internet\ (?:plan|package|contract|for)
!compensate: 赔点 补点 意思一下 表示一下 安抚 赔钱 补钱 make\ (?:it|this|that)\ up\ to make\ up\ for make\ amends
 | make\ it\ right goodwill something\ for\ the\ trouble compensat[a-z]*
!refund: 钱退 把钱退 退钱给 退还给 还给客人 全部退 退这 退他 退她 money\ back give\ (?:\w+\ ){0,4}back
 | get\ (?:\w+\ ){0,3}money\ back pay\ (?:\w+\ )?back return\ (?:the\ |his\ |her\ |their\ )?money
room: 房(?=型|间|换|升|$|[，,]) 大床房 双床房 海景房 套房 标间 豪华间 suite twin\ room double\ room room\ type
hotel: 酒店 入住 住[一二两三四五六七八九十\d]+晚 多住 少住 续住 晚到店 check-?\ ?in check-?\ ?out nights? stay(?:ing|s)?
 | hotel
"""

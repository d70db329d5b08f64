"""The words around a number that say what it is: a count, a limit, a rate, the end of a range."""

from __future__ import annotations

import re

from graph.fields.words import any_of

#: After a number: it counts things, time or distance instead of money.
COUNTED = re.compile(
    r" ?(?:个(?!积分|点数)|個|位|张|份|件|次|晚|夜|间|套|天|日(?![元圆])|年|月|周|岁|人(?!民币)|名|条|只|"
    r"台(?!币)|辆|部|瓶|杯|盒|箱|"
    r"斤|克|吨|米|公里|公斤|升|餐|桌|层|楼|号|级|折|成|倍|秒|时|刻|趟|班|站|单|场|局|轮|期|课|章|页|本|册|篇|首|支|根|"
    r"片|粒|栋|艘|头|口|双|副|组|批|队|户|所|种|项|款|对|雙|對|大床|床|房|票|小时|钟头|分钟|分之|分(?!给)|星期|礼拜|"
    r"点(?!数|积分)|下(?!午)|打(?![到回给款])|[%％‰°]|(?:full |whole |more |extra |free |adult |child |business |"
    r"working )?(?:hours?|"
    r"hrs?|h|minutes?|mins?|seconds?|secs?|days?|nights?|weeks?|months?|years?|yrs?|people|persons?|pax|guests?|"
    r"customers?|adults?|children|kids|tickets?|times|rooms?|orders?|bookings?|cases?|seats?|bags?|items?|pieces?|pcs|"
    r"miles?|kms?|meters?|metres?|kg|lbs?|percent|per cent|pct|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|"
    r"january|february|march|april|august|september|october|november|december|am|pm|a\.m|p\.m|o'clock|st|nd|rd|th|"
    r"stars?|x|in a row)(?![a-z]))"
)
#: Before a number: it is the number of something.
NUMBERED = re.compile(
    r"(?:第|[x×*#]|星期|周|礼拜|房间|房号|航班|尾号|单号|编号|电话|手机|规则|(?<![a-z])(?:no\.?|nr\.?|number|room|"
    r"booking|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|"
    r"october|november|december|flight|gate|table|page|version|step|phone|tel|ending(?: in)?|rule|exercises? nrs?\.?)) "
    r"?:? ?$"
)
_LIMITS = any_of(
    "约|大概|差不多|将近|接近|(?<!最)近|不到|不足|不止|不超过|超过|超出|最多|最少|至多|至少|起码|顶多|少于|多于|低于|高于|"
    "封顶",
    r"about|around|approximately|approx\.?|roughly|nearly|almost|at most|at least|up to|no more than|more than|less than|"
    r"under|over|max(?:imum)?|min(?:imum)?|circa",
)
#: Before an amount: it is about that, at most that, more than that.
ABOUT_BEFORE = re.compile(
    rf"(?:{_LIMITS}|[~≈<>≤≥]=?)(?:再|就|能|可以|只|给|补|赔|退|付|是|为|(?<![a-z])(?:to|of|an?|of about)(?![a-z])|[ :])*$"
)
#: After an amount: more or less, and more, at most.
ABOUT_AFTER = re.compile(
    r" ?(?:多(?![收扣谢])|来(?=块|元|美|个)|余(?!额)|左右|上下|以内|以下|以上|之内|出头|起(?!来)|上限|封顶|不到|\+(?! "
    r"?\d)|-?ish(?![a-z])|or so(?![a-z])|or (?:more|less)(?![a-z])|give or take|max(?:imum)?(?![a-z])|tops(?![a-z])|at "
    r"most|at least|plus(?![a-z]))"
)
#: Before an amount: it is less than nothing. A dash with a space after words is a dash.
MINUS = re.compile(r"(?:负|負|(?<![a-z])(?:minus|negative) |(?<![a-z0-9])-|(?:^|[\n:]) ?- )$")
#: A rate is not an amount: 80 a head, 40 x 2.
EACH_BEFORE = re.compile(
    r"(?:(?:每人|每位|每张|每单|每晚|每个人|人均)[^\n，,。;；]{0,8}|各[^\n，,。;；]{0,4}|\d ?[x×*] ?|(?:%|percent) ?of "
    r"(?:the )?|(?<![a-z])(?:half|double|twice|triple|a third|a quarter)(?: of)?(?: the)? |(?<![a-z])(?:each|every) "
    r"[a-z]{2,12} (?:gets? )?)$"
)
EACH_AFTER = re.compile(
    r" ?(?:的 ?(?:一半|[一二两三四五六七八九\d]+ ?(?:倍|成|%)|百分之|[一二三四]分之)|(?:for |to )?every |for "
    r"each(?![a-z])|一人|一位|每人|每位|[/每](?:人|位|张|晚|天)|per(?! ?cent) |each(?![a-z])|an? (?:night|day|person|"
    r"head|share|piece)(?![a-z])|[x×*] ?\d)"
)
#: Cents after a number, and the tenth after 块 (三块五).
CENT = re.compile(r" ?-?(?:cents?(?![a-z])|¢|美分)")
#: 144 美元一直没收到: no tenth, but the beginning of a word.
TENTH = re.compile(
    r"(?:[1-9二三四五六七八九]|一(?![直些样起并共定般旦下会同律切再来]))(?:[毛角](?:钱)?)?(?![\d.一二三四五六七八九十百千万])"
)
#: Before the first of two amounts: the two are the ends of a range.
SPAN_BEFORE = re.compile(rf"{any_of('从|介于', 'between|from')}[^\n，,。;；]{{0,12}}$")
_SPAN = re.compile(r" ?(?:到|至|-|~|to) ?(?:补|给|赔|退)?")
_EITHER = re.compile(r" ?,? ?(?:或者|或是|或|还是|要么|要不|or(?: maybe)?|/|、)(?: ?(?:补|给|赔|退|是|maybe))? ?")
_SUMS = frozenset({"+", "加", "加上", "再加", "减", "减去", "plus", "minus", "less", "times", "乘", "乘以"})
_THREE_PLACES = re.compile(r"(?:[a-z]{3})?[\d,]*\.\d{3,}(?:[a-z]{3})?")


def span_between(gap: str) -> bool:
    """Whether what stands between two amounts makes them the ends of a range."""
    return bool(gap) and _SPAN.fullmatch(gap) is not None


def either_between(gap: str) -> bool:
    """Whether what stands between two amounts makes them alternatives."""
    return bool(gap) and _EITHER.fullmatch(gap) is not None


def sum_between(gap: str) -> bool:
    """Whether what stands between two amounts makes them a sum to work out."""
    return gap.strip() in _SUMS


def three_places(written: str) -> bool:
    """Whether digits have three places behind the point: 1.200 is a thousand and more in some places."""
    return _THREE_PLACES.fullmatch(written) is not None

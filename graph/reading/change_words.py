"""The ways in which people say that something known is another: 改成, 不是 … 是 …, change … to, should be."""

from __future__ import annotations

import re

_ZH_TO = (
    "(?:改成|改为|改到|改回|换成|换为|换到|变成|变为|调成|调到|调整为|调整成|更正为|更正成|更改为|更改成|修改为|修改成|"
    "修正为|应该是|应该为|应当是|应是|应为|实际上?是|其实是)"
)
_EN_BE = (
    r"(?:should be|should have been|must be|needs to be|ought to be|is actually|is really|was meant to be|"
    r"is supposed to be|was supposed to be)"
)

#: Each names what it says of the known (`head`, and `old` where it is named) and of the new (`new`). Those of the first
#: kind may reach over a comma. `bare` ones count only where `head` names the field.
TURNED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<head>.*?)不是(?P<old>.+?)[,， ]*(?:而|应该|应当|应|其实|实际上?)?是(?P<new>.+)",
        r"(?P<head>.*?)是(?P<new>.+?)[,， ]*(?:而)?不是(?P<old>.+)",
        r"(?P<new>.+?)[,， ]*(?:而)?不是(?P<old>.+)",
        r"(?P<head>.*?)(?<![a-z])not (?P<old>.+?)(?:[,;] ?| )(?:but |it's |it is |its |rather )(?P<new>.+)",
        r"(?P<head>.*?)(?<![a-z])not (?P<old>[^ ,;]+)[,;] ?(?P<new>.+)",
        r"(?:(?P<head>.*?)(?<![a-z])(?:it's|it is|is|i meant?|make it|should be) )?(?P<new>.+?),? "
        r"(?:and |but )?(?:not|instead of|rather than) (?P<old>.+)",
        r"(?P<head>.*?)(?:[我刚才]*(?:打|说|写|输|看|弄|搞|填|选|报)?错了|不对|有误)[,， ]*(?:应该|应当|应)?是(?P<new>.+)",
        r"(?P<head>.*?)(?<![a-z])(?:typo|my mistake|my bad|wrong|incorrect|mistyped|sorry|oops)[,.!: ]+"
        r"(?:it's|it is|it should be|should be|i meant?) (?P<new>.+)",
    )
)
CHANGED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<head>.*?)(?:从|由)(?P<old>.{{1,40}}?){_ZH_TO}(?P<new>.+)",
        rf"(?P<head>.*?){_ZH_TO}(?P<new>.+)",
        r"(?P<head>.*?(?<![a-z])(?:change|correct|update|set|switch|amend|modify|adjust|move|fix)(?![a-z]).*?)"
        r"(?<![a-z])from (?P<old>.+?) (?:in)?to (?P<new>.+)",
        r"(?P<head>.*?(?<![a-z])(?:change|correct|update|set|switch|amend|modify|adjust|move|fix)(?![a-z]).*?)"
        r"(?<![a-z])(?:in)?to (?P<new>.+)",
        r"(?P<head>.*?(?<![a-z])make (?:it|that|this)) (?P<new>.+)",
        rf"(?P<head>.*?)(?<![a-z]){_EN_BE} (?P<new>.+)",
        r"(?P<head>.*?)(?:我是说|我指的是|我的意思是|(?<![a-z])i meant?(?![a-z])) ?(?P<new>.+)",
        r"(?P<head>[^ ]+) ?(?:->|=>|→) ?(?P<new>[^ ].*)",
    )
)
BARE = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<head>.*?)改(?P<new>[^成为到回].*)",
        r"(?P<head>.*?)(?<![a-z])from (?P<old>.+?) to (?P<new>.+)",
        r"make (?P<head>.+?) (?:be )?(?P<new>[^ ]+)",
    )
)

#: Words around a change that say nothing of themselves.
AROUND = re.compile(
    r"(?<![a-z])(?:change|correct|update|set|switch|amend|modify|adjust|move|fix|make|value|field|it's|it is|actually|"
    r"sorry|oops|wait|no|pls|the|thing|should|instead|now|and|also|to|wants?|prefers?|asked|for|hmm)(?![a-z])|"
    r"改|更正|修改|换|调|应该|其实|刚才|刚刚|那个|写|填|对了|顺便|另外|直接|帮忙|值|项|不对|错了|说错|打错|写错|再|想|"
    r"和|的|把|将|都|哦|噢|啊|嗯"
)
#: What turns a change down, puts it off or makes it depend on something.
HELD_BACK = re.compile(
    r"别|不要|不用|不能|不可|不想|不会|没有?|勿|先|暂|如果|要是|假如|除非|等|考虑|讨论|可能|也许|是否|要不要|"
    r"(?<![a-z])(?:don't|dont|do not|never|can't|cannot|won't|if|unless|maybe|perhaps|might|whether|when|until|later|"
    r"thinking|consider(?:ing)?)(?![a-z])"
)
#: A question by its form, a request by its words: can you change …?, 麻烦改成 … 可以吗
POLITE = re.compile(
    r"[ ,，]*(?:请|麻烦|帮我|帮忙|(?:能不能|能否|可以|可否|能)(?:请|麻烦|你|您)*帮|"
    r"(?:(?:can|could|would|will) (?:you|we)|please|pls)(?![a-z]))"
)
TAIL = re.compile(
    r"[ ,，]*(?:可以吗|行吗|好吗|吗|么|呢|吧|可以么|行么|ok|okay|please|pls|谢谢.{0,3}|thanks?|thank you)?[ ?？!！.。~]*$"
)

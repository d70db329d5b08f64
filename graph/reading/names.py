"""Names of people that a text holds, as far as what stands around gives them away: a title, a decision, a capital letter.

A word that is taken for a name and is none only costs a model's sentence, in whose place the template is shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

#: The most common ones, without those that are particles as often.
_SURNAME = (
    "(?:欧阳|司马|上官|诸葛|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕丁"
    "沈姚卢姜崔钟谭陆汪范金石廖贾夏韦白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤])"
)
_HAN = "[\u4e00-\u9fff]"
#: No given name holds these: 金额, 余款, 高于.
_GIVEN = f"(?:(?![已未不没额钱款可应须需的了在于由被把将和与或也都就再请等批审驳级层度程]){_HAN})"
_NAME = f"{_SURNAME}{_GIVEN}{{1,2}}?"
_TITLE = "(?:女士|先生|小姐|太太|经理|主管|总监|组长|老师|主任|总(?![共计额价是会]))"
_ROLE = "(?:主管|经理|总监|组长|坐席|客服|同事|客人|客户|审批人|批准人|负责人)[:：是 ]{0,2}"
_DECIDES = "(?:[已于在刚]|已经)*(?:批准|审批|批复|批了|驳回|同意|拒绝|签字|确认|通过|复核)"
_CHINESE = re.compile(
    f"(?P<titled>(?<!{_HAN}){_SURNAME}{_GIVEN}{{0,2}}{_TITLE}|(?<=[由经被请找给和与为、向，]){_SURNAME}{_GIVEN}{{0,2}}{_TITLE})"
    f"|(?:{_ROLE}|(?<!{_HAN})|(?<=[由经被]))(?P<decides>{_NAME})(?={_DECIDES})"
    f"|(?:{_ROLE})(?P<role>{_NAME})(?=[\\s,，。；;、）)]|$)"
)
_WORD = r"[A-Z][a-z]+(?:[-'’][A-Z][a-z]+)*"
_ENGLISH = re.compile(
    rf"(?<![A-Za-z0-9_@#-])(?:(?P<honorific>Mrs?|Ms|Dr|Miss|Sir|Madam)\.? )?(?P<name>{_WORD}(?: {_WORD})*)(?![A-Za-z0-9_-])"
)
_STARTS = re.compile(r"(?:^|[.!?:;。！？：；\n•*–—\"“(（])\s*$")
_DECIDED = re.compile(
    r" (?:has |had |have )?(?:approved|rejected|confirmed|declined|decided|signed|agreed|authori[sz]ed)(?![a-z])"
)
#: Capitalised, and no names.
_COMMON = frozenset(
    {
        "i", "the", "a", "an", "it", "he", "she", "they", "we", "you", "this", "that", "these", "those", "all",
        "both", "each", "every", "nobody", "someone", "everybody", "everyone", "no", "one", "agent", "supervisor",
        "manager", "director", "lead", "customer", "guest", "merchant", "gateway", "system", "bot", "case", "order",
        "refund", "compensation", "credit", "credits", "cash", "card", "bank", "account", "transfer", "payment",
        "payout", "approval", "amount", "reason", "status", "note", "slack", "chinese", "english", "monday",
        "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april",
        "may", "june", "july", "august", "september", "october", "november", "december", "dollar", "dollars", "euro",
        "euros", "yuan",
    }
)


def names_in(text: str) -> set[str]:
    """The names of people in a text, lower case: 王女士, zhao min. A capital at the head of a sentence alone is none."""
    plain = unicodedata.normalize("NFKC", text)
    found = {each for match in _CHINESE.finditer(plain) for each in match.groups() if each}
    for match in _ENGLISH.finditer(plain):
        words = match["name"].split(" ")
        heads = _STARTS.search(plain, 0, match.start()) is not None
        if heads and not match["honorific"] and not _DECIDED.match(plain, match.end()):
            words = words[1:]
        found |= {word.lower() for word in words if word.lower() not in _COMMON}
    return found


def unknown_names(said: str, sources: Sequence[str]) -> set[str]:
    """The names that no source holds."""
    known = "\n".join(unicodedata.normalize("NFKC", source).lower() for source in sources)
    return {name for name in names_in(said) if not _holds(known, name)}


def _holds(known: str, name: str) -> bool:
    if not name.isascii():
        return name in known
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", known) is not None

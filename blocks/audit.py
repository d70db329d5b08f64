"""The audit log in words: who decided what, when, why and on which facts; what did not count; what was written."""

from __future__ import annotations

from blocks.kit import Card, actions, button, card, context, paragraphs, section
from blocks.press import Press
from blocks.surroundings import Surroundings
from blocks.text import clock, cut, is_person, md, mention, push, quoted
from blocks.trail import PAGE, ROW_LIMIT
from blocks.words import has_phrase, level_of
from graph.model import Broken, Lang, Logged, LogLine
from graph.phrases import catalogue, say

_SIGNS = 8
"""How much of a digest is shown: enough to compare two by eye; the command line gives the whole."""


def audit_card(
    logs: list[Logged],
    lang: Lang,
    around: Surroundings,
    *,
    case: str = "",
    order: str = "",
    broken: Broken | None = None,
    page: int = 0,
) -> Card:
    """A page of the log of a case, or of all cases of an order. Page 0 is the newest."""
    shown = logs if order else [each for each in logs if _of_a_case(each.line)]
    pages = max(1, -(-len(shown) // PAGE))
    page = min(max(page, 0), pages - 1)
    last = len(shown) - page * PAGE
    first = max(0, last - PAGE)
    title = say("auditing.title", lang, case=md(case, 40))
    if order:
        title = say("auditing.title_order", lang, order=md(order, 40))
    rows = [cut(_row(each, lang, around, named=bool(order)), ROW_LIMIT) for each in shown[first:last]]
    chain = say("auditing.holds", lang, count=str(len(logs)))
    if broken is not None:
        chain = say("auditing.breaks", lang, case=md(broken.case, 40), line=str(broken.line))
    count = say("trail.page", lang, first=str(first + 1), last=str(last), total=str(len(shown)))
    earlier = Press(do="audit", case=case, field=order, value=str(page + 1))
    return card(
        push(title, ""),
        section(f"*{title}*"),
        context(chain),
        *paragraphs(rows or [say("trail.empty", lang)]),
        context(count if pages > 1 else ""),
        actions(button(say("cards.earlier", lang), earlier)) if first else None,
    )


def _of_a_case(line: LogLine) -> bool:
    """Of one case the decisions and the writes are shown; of an order all there is."""
    return line.log == "decision" or bool(line.effect)


def _row(each: Logged, lang: Lang, around: Surroundings, *, named: bool) -> str:
    line = each.line
    what = {"execution": _call, "state": _state}.get(line.log, _decision)(line, lang, around)
    place = f"{md(each.case, 20)} " if named else ""
    return place + say("trail.line", lang, at=clock(line.at, day=True), what=what)


def _decision(line: LogLine, lang: Lang, around: Surroundings) -> str:
    who = _who(line, lang)
    if line.what == "refused":
        deed = say(f"auditing.deed_{line.verdict if line.verdict in ('approve', 'reject') else 'other'}", lang)
        words = say("auditing.refused", lang, who=who, deed=deed, why=_why(line.refused, lang))
    else:
        words = _told(line, who, lang, around)
    details = [
        *_picked(line, lang),
        level_of(line.level, around, lang) if line.level in around.levels else "",
        md(line.amount, 40),
        quoted(line.reason, lang, 120) if line.reason else "",
        say("auditing.facts_digest", lang, digest=md(line.digest[:_SIGNS])) if line.digest else "",
        say("auditing.version", lang, version=md(line.version[:4])) if line.version else "",
        md(line.card, 60),
    ]
    return " · ".join([words, *filter(None, details)])


def _picked(line: LogLine, lang: Lang) -> list[str]:
    """Of a decision: for which option, and the remark of a vote. Of a state: what was open, what was chosen of it, and
    where it led."""
    if isinstance(option := line.values.get("option"), str):
        remark = line.values.get("remark")
        return [md(option, 60), *([quoted(remark, lang, 120)] if isinstance(remark, str) and remark else [])]
    offered, chosen, goto = (line.values.get(name) for name in ("offered", "chosen", "goto"))
    if line.what != "choose" or not isinstance(chosen, str):
        return []
    among = f"[{', '.join(md(str(each), 40) for each in offered)}]" if isinstance(offered, list) else ""
    return [f"{md(chosen, 60)} {among}".strip(), f"→ {md(goto, 40)}" if isinstance(goto, str) else ""]


def _call(line: LogLine, lang: Lang, around: Surroundings) -> str:
    tool = catalogue().get(f"tools.{line.tool}")
    outcome = say(f"auditing.outcome_{line.outcome}", lang)
    words = say("auditing.call", lang, tool=tool.in_(lang) if tool else md(line.tool, 40), outcome=outcome)
    seconds = f"{line.milliseconds // 1000}.{line.milliseconds % 1000:03d}"
    tries = say("auditing.tries", lang, count=str(line.attempts), seconds=seconds) if line.attempts else ""
    return " · ".join(filter(None, [words, md(line.code, 40), tries, md(line.effect[:_SIGNS])]))


def _state(line: LogLine, lang: Lang, around: Surroundings) -> str:
    if line.what != "moved":
        return _told(line, _who(line, lang), lang, around)
    words = say("auditing.moved", lang, before=_place(line.before, lang), after=_place(line.after, lang))
    return " · ".join(filter(None, [words, md(line.rule, 60)]))


def _told(line: LogLine, who: str, lang: Lang, around: Surroundings) -> str:
    """In the words of the trail, with the step by its id: the log outlives the procedure that named it."""
    if not has_phrase(f"trail.{line.what}"):
        return " ".join(filter(None, [who, md(line.what, 40), md(line.step, 60)]))
    names = line.values.get("fields")
    fields = ", ".join(md(str(name), 40) for name in names) if isinstance(names, list) else md(line.step, 60)
    level = md(level_of(line.level or None, around, lang, article=True), 40)
    return say(
        f"trail.{line.what}", lang, who=who, step=md(line.step, 60), fields=fields, rule=md(line.rule, 60), level=level
    )


def _who(line: LogLine, lang: Lang) -> str:
    who = md(line.name, 40) or (mention(line.by) if is_person(line.by) else md(line.by, 40))
    who = who or say("trail.by_system", lang)
    return f"{who} {say('auditing.for_other', lang, name=md(line.acting_for, 40))}" if line.acting_for else who


def _why(code: str, lang: Lang) -> str:
    """The reason of a refusal in general words; those that need more than the log holds are told without it."""
    for key in (f"replies.{code}_plain", f"replies.{code}"):
        words = catalogue().get(key)
        if words is not None and "{" not in words.in_(lang):
            return words.in_(lang)
    return md(code, 40)


def _place(place: str, lang: Lang) -> str:
    status, _, step = place.partition(" ")
    return " ".join(filter(None, [say(f"auditing.status_{status}", lang), md(step, 60)]))

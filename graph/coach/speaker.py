"""The customer's second layer: an intent into words, and the check that words say what they must and nothing else.

The template is always right. Words of a model are let through only if all that they say is in the template, in facts
that were shown before, or harmless; whatever is left over might be a fact that nobody asked for.
"""

from __future__ import annotations

import re

from graph.coach.customer import Intent, pick
from graph.coach.hearing import hear_customer, lexicon
from graph.coach.scenario import Action, Fallback, Opening, Question, Scenario
from graph.coach.state import DrillState
from graph.phrases import say

_CHINESE = re.compile(r"[㐀-鿿]")
_LATIN = re.compile(r"[a-z0-9][a-z0-9']*")
_LONGEST = {"zh": 60, "en": 160}
# fmt: off
_HARMLESS_ZH = (
    "您好", "你好", "好的", "嗯嗯", "谢谢", "多谢", "麻烦", "麻烦您", "请问", "那个", "这个", "就是", "哦",
    "啊", "呢", "吧", "了", "的", "呀", "哈", "唉", "那", "我", "你", "您", "们", "是", "嗯", "好", "请",
    "我的", "你们", "应该", "确实", "真的", "没错", "对的", "对", "知道了", "我看", "看了下", "看了一下",
    "刚看", "有点急", "着急", "尽快", "帮我", "帮忙", "一下",
)
_HARMLESS_EN = frozenset((
    "hi", "hello", "yes", "yeah", "ok", "okay", "well", "so", "um", "oh", "it", "its", "it's", "is", "i",
    "i'm", "im", "the", "a", "an", "my", "me", "you", "your", "that", "this", "and", "please", "thanks",
    "thank", "just", "really", "right", "sure", "from", "by", "one", "of", "to", "was", "think", "guess",
    "looks", "like",
))
# fmt: on


def template(scenario: Scenario, state: DrillState, intent: Intent) -> str:
    """The reply in words of the file, picked by the seed."""
    lang, node = state.lang, scenario.nodes.get(intent.node or "")
    match node:
        case Question() if intent.value is not None:
            return pick(node.values[intent.value].says.in_(lang), state.seed)
        case Action():
            feedback = node.success if intent.value == "success" else node.fail
            curt = intent.kind in ("acknowledge", "needs_fallback")
            return pick((feedback.short if curt else feedback.says).in_(lang), state.seed)
        case Fallback():
            return pick(node.accepts.in_(lang), state.seed)
        case _:
            return say("coach.repeat_problem", lang, problem=state.opening)


def spoken_lines(scenario: Scenario, state: DrillState, intent: Intent) -> list[str]:
    """The ways the file has to say the intent."""
    lang, node = state.lang, scenario.nodes.get(intent.node or "")
    match node:
        case Question() if intent.value is not None:
            return list(node.values[intent.value].says.in_(lang))
        case Action():
            feedback = node.success if intent.value == "success" else node.fail
            return [*feedback.says.in_(lang), *feedback.short.in_(lang)]
        case Fallback():
            return list(node.accepts.in_(lang))
        case _:
            return [template(scenario, state, intent)]


def allowed(scenario: Scenario, state: DrillState, intent: Intent) -> list[str]:
    """All lines that the reply may draw on: the ways to say the intent, what was shown before, the opening."""
    lines = [*spoken_lines(scenario, state, intent), state.opening]
    for fact in intent.facts:
        slot, _, value = fact.partition("=")
        found = scenario.nodes[slot]
        if isinstance(found, Question):
            lines += [*found.values[value].says.in_(state.lang), found.values[value].label.in_(state.lang)]
        elif isinstance(found, Opening):
            lines += [*found.says.in_(state.lang), found.fact.in_(state.lang)]
    return lines


def fits(scenario: Scenario, state: DrillState, intent: Intent, words: str) -> bool:
    """Whether these words say the intent, and nothing that the customer may not say now."""
    words = words.strip()
    if not words or "\n" in words or len(words) > _LONGEST[state.lang]:
        return False
    step = intent.node if isinstance(scenario.nodes.get(intent.node or ""), Action) else None
    heard = hear_customer(scenario, words, step)
    lines = spoken_lines(scenario, state, intent)
    own = {fact for line in lines for fact in hear_customer(scenario, line, step).mentioned_facts}
    if any(fact not in own.union(intent.facts) for fact in heard.mentioned_facts):
        return False
    if intent.kind == "answer_slot" and heard.asked_slots_updates.get(intent.node or "") != intent.value:
        return False
    if step is not None and heard.provided_steps_updates.get(step) != intent.value:
        return False
    return not _left_over(scenario, words, allowed(scenario, state, intent))


def _left_over(scenario: Scenario, words: str, lines: list[str]) -> bool:
    """Whether something is said that stands in none of the lines and is not harmless."""
    lex = lexicon(scenario)
    said, drawn_on = lex.put_right(words), [lex.put_right(line) for line in lines]
    latin = set(_HARMLESS_EN).union(*(_LATIN.findall(line) for line in drawn_on))
    if any(word not in latin for word in _LATIN.findall(said)):
        return True
    pairs = {line[at : at + 2] for line in drawn_on for at in range(len(line) - 1)}
    covered = [False] * len(said)
    for at in range(len(said) - 1):
        if said[at : at + 2] in pairs:
            covered[at] = covered[at + 1] = True
    for word in _HARMLESS_ZH:
        for found in re.finditer(re.escape(word), said):
            for at in range(found.start(), found.end()):
                covered[at] = True
    return any(_CHINESE.match(sign) and not covered[at] for at, sign in enumerate(said))

"""The bot speaks the language that a thread was begun in, whatever is answered in, at every pause of every procedure."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from blocks import Surroundings
from bot.notices import notices
from bot.render import Renderer
from graph.model import Actor, Lang, Outcome
from tests.unit.graph.builders import Desk, view
from tests.unit.graph.pauses.walk import LIBRARY, WALKS, WRITES_FAIL, Walk, given, waiting

LEVELS = LIBRARY.words.authority.levels
_CHINESE = re.compile(r"[㐀-鿿]")
_ENGLISH = re.compile(r"(?<![A-Za-z])[A-Za-z']{2,}(?:[ ,]+[A-Za-z']{2,}){2,}")
#: What is the same in both languages: marks of Slack's, ids, what a card quotes, what the back office calls things.
_TOKENS = re.compile(r"<[^<>]*>|“[^”]*”|「[^」]*」|[A-Z]{2}-?\w*\d\w*")


class Nowhere:
    """No workspace: cards are rendered without it."""

    async def of(self, cases: Iterable[str] = (), requests: Iterable[str] = (), wait: float = 0.0) -> Surroundings:
        """Nothing is around."""
        return Surroundings()

    async def actor(self, user: str) -> Actor:
        """Nobody is known."""
        return Actor(id=user, name=user)


RENDERER = Renderer(Nowhere(), Nowhere(), LEVELS)


def words(node: object) -> list[str]:
    """All that a block says."""
    if isinstance(node, dict):
        own = [value for key, value in node.items() if key in ("text", "alt_text") and isinstance(value, str)]
        return own + [found for value in node.values() for found in words(value)]
    if isinstance(node, list):
        return [found for value in node for found in words(value)]
    return []


def told(node: object) -> list[str]:
    """All words that a case was told or was given by the back office."""
    if isinstance(node, dict):
        return [found for value in node.values() for found in told(value)]
    if isinstance(node, list):
        return [found for value in node for found in told(value)]
    return [node] if isinstance(node, str) else []


def foreign(said: str, lang: Lang, data: Iterable[str]) -> list[str]:
    """What stands in another language than it should, without what people and the back office said."""
    for each in sorted(data, key=len, reverse=True):
        said = said.replace(each, " ")
    said = _TOKENS.sub(" ", said)
    return (_CHINESE if lang == "en" else _ENGLISH).findall(said)


async def heard(outcome: Outcome, lang: Lang, quoted: Iterable[str]) -> list[str]:
    """What the outcome says in another language than the thread's, or its level's in a channel of approvals."""
    shown = view(outcome)
    facts = [fact.quote or "" for fact in shown.facts]
    data = {each for each in (*told(shown.plain), *facts, *quoted) if len(each) > 1} | {shown.owner.name, shown.opener.name}
    wrong: list[str] = []
    for notice in notices(outcome):
        if notice.place == "user":
            continue  # what is private is in its reader's own
        card = await RENDERER.card(notice)
        speaks = LEVELS[notice.to].lang if notice.place == "level" else lang
        for said in (card.text, *words(card.blocks)):
            wrong += [f"{notice.kind}: {each} in {said!r}" for each in foreign(said, speaks, data)]
    return wrong


class Talker:
    """Answers a walk in words, in another language than it was opened in."""

    def __init__(self, walk: Walk, lang: Lang) -> None:
        self.walk, self.lang, self.said = walk, lang, list[str]()

    async def answer(self, outcome: Outcome) -> Outcome:
        """What waits, answered in words where words answer it."""
        request = waiting(outcome)
        english = self.lang == "en"
        match request.kind:
            case "ask" if request.offers:
                return await self._say("the first one" if english else "第一个")
            case "ask":
                return await self._say(self.walk.worded(request.fields[0].name, self.lang))
            case "confirm":
                return await self._say("yes" if english else "对的")
            case "wait" if request.step.id in self.walk.given.says:
                return await self._say(self.walk.given.says[request.step.id].in_(self.lang))
            case _:
                return await self.walk.answered(outcome)

    async def _say(self, text: str) -> Outcome:
        self.said.append(text)
        return await self.walk.desk.say(text)


@pytest.mark.parametrize(("opened", "answered"), [("zh", "en"), ("en", "zh")])
@pytest.mark.parametrize("name", WALKS)
async def test_a_thread_is_spoken_to_in_its_first_language(desk: Desk, name: str, opened: Lang, answered: Lang) -> None:
    """Opened in one, answered and asked in the other: understood, and every card of the thread is in the first, also that
    of a hold."""
    walk = Walk(desk, name, given()[name].values, lang=opened, fault=WRITES_FAIL)
    talker, outcome = Talker(walk, answered), await walk.opened()
    asides = ("why do you ask?", "help", "how long does a refund take?", "facts", "trail")
    if answered == "zh":
        asides = ("为什么要问这个", "帮助", "退款要多久？", "已知信息", "执行记录")
    pauses, wrong = 0, list[str]()
    while view(outcome).status == "waiting":
        assert pauses < 20, f"not understood: {talker.said[-1:]} at {waiting(outcome).step.id}"
        pauses += 1
        wrong += await heard(outcome, opened, talker.said)
        wrong += await heard(await desk.say(asides[pauses % len(asides)]), opened, [*talker.said, *asides])
        outcome = await talker.answer(outcome)
    wrong += await heard(outcome, opened, talker.said)
    assert (view(outcome).lang, view(outcome).status, wrong) == (opened, "done", [])

"""Every builder of cards and forms, with the same hostile words in every place: no mention fires, no link is forged."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Iterator

import pytest

import blocks
from blocks import Card
from deploy.local.workspace.limits import check_view
from graph.model import Lang, Reply, RequestView, RunView
from graph.model.events import ReplyCode
from tests.unit.blocks.poison import Poison
from tests.unit.blocks.reading import require_sendable
from tests.unit.blocks.views import AROUND

HOSTILE = {
    "everybody": "<!channel> <!here|x> <!everyone> @here @channel",
    "somebody": "<@U0EVIL> <@U0EVIL|boss> <#C0EVIL> <!subteam^S0EVIL|@team>",
    "link": "<https://evil.example|click here> <mailto:a@evil.example|mail>",
    "date": "<!date^1^{date}^https://evil.example|soon>",
    "bold": "*bold* _slant_ ~gone~",
    "code": "`code` ```block``` {amount} {0} %s",
    "entities": "&lt;!channel&gt; &amp;lt;!here&amp;gt; &#60;!here&#62;",
    "lines": "first\n> quote\n• fake\n*已批准* 9,999.00 USD\r\u2028second",
    "long": "长" * 10_000,
    "long marks": "<!channel>" * 1000,
    "right to left": "\u202e00.08 USD\u202c \u2067x\u2069 \u200f",
    "zero width": "<\u200b!channel>\u200d<\u2060@U0EVIL\ufeff>\u00ad",
    "control": "a\u0000b\u0007c\u001b[31m",
}
#: What the bot itself marks: times, the people and channels of the surroundings, links to its own cards.
OURS = re.compile(
    r"<!date\^\d+\^(?:\{date_short_pretty\} )?\{time\}\|[\d :-]+>|<@U0(?:LI|WANG|KIM|ZHAO|ZHOU)>|<#C0(?:SUP|MAN)>"
    r"|<https://example\.slack\.com/[\w/]+\|[^<>|]+>"
)
_UNSEEN = re.compile("[\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")
_CARRIED = ("value", "private_metadata", "initial_value", "slack_file", "block_id")
_OWN_CODE = re.compile(r"`(?!code`)[^`<>]*`")


def builders() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every public function of `blocks` that makes a card or a view out of what it is given."""
    for module in pkgutil.iter_modules(blocks.__path__):
        found = importlib.import_module(f"blocks.{module.name}")
        for name, value in inspect.getmembers(found, inspect.isfunction):
            makes = value.__module__ == found.__name__ and not name.startswith("_")
            if makes and name not in ("card", "form") and _makes(value):
                yield name, value


def _makes(function: Callable[..., object]) -> bool:
    hints = typing.get_type_hints(function)
    wanted = hints.pop("return", None)
    either = typing.get_args(wanted) if typing.get_origin(wanted) is types.UnionType else (wanted,)
    return bool(hints) and any(each in (Card, blocks.Json) for each in either)


BUILDERS = dict(builders())


def made(function: Callable[..., object], poison: Poison) -> object:
    """What the builder makes of poisoned arguments; a request is the one of the view that waits."""
    hints = typing.get_type_hints(function)
    hints.pop("return")
    view = typing.cast(RunView, poison.of(RunView))
    request = view.requests[-1]
    view = view.model_copy(update={"waiting": request.id, "thread": "T0LOCAL:C0DESK:1764511200.000100", "case": "C-7K3F"})
    given: dict[str, object] = {}
    for name, hint in hints.items():
        kinds = (hint, *typing.get_args(hint))
        given[name] = view if RunView in kinds else request if RequestView in kinds else poison.of(hint, name)
    return function(**given)


def marked(part: object) -> Iterator[str]:
    """All text that Slack reads marks in."""
    if isinstance(part, dict):
        if part.get("type") == "mrkdwn":
            assert part["verbatim"] is True
            yield str(part["text"])
        for inner in part.values():
            yield from marked(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from marked(inner)


def require_harmless(card: object) -> None:
    """Slack takes it, nothing but the bot's own marks is in it, and no sign is hidden."""
    shown: object
    if isinstance(card, Card):
        require_sendable(card)
        shown, words = card.blocks, [card.text, *marked(card.blocks)]
    else:
        assert check_view(typing.cast("blocks.Json", card)) == []
        shown, words = card, list(marked(card))
    for said in words:
        left = _OWN_CODE.sub("", OURS.sub("", said))
        assert not re.search(r"[<>`]|\*(?:bold|已批准)|_slant_|~gone~|^&gt;", left, re.MULTILINE), left[:300]
    assert _UNSEEN.search(repr_of(shown)) is None


def repr_of(shown: object) -> str:
    """All text values, as they are sent. What a button carries nobody sees; what a form holds is sent back as it is."""
    if isinstance(shown, dict):
        return " ".join(repr_of(value) for key, value in shown.items() if key not in _CARRIED)
    return " ".join(map(repr_of, shown)) if isinstance(shown, list) else str(shown)


@pytest.mark.parametrize("name", BUILDERS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_card_lets_words_of_others_act(name: str, lang: Lang) -> None:
    """Whatever a card shows of people, orders and tools."""
    for turn, word in enumerate(HOSTILE.values()):
        found = made(BUILDERS[name], Poison(word, lang, turn))
        if found is not None:
            require_harmless(found)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_reply_lets_words_of_others_act(lang: Lang) -> None:
    """Each code of a reply."""
    for turn, code in enumerate(typing.get_args(ReplyCode)):
        poison = Poison(list(HOSTILE.values())[turn % len(HOSTILE)], lang, turn)
        view = typing.cast(RunView, poison.of(RunView)).model_copy(update={"case": "C-7K3F"})
        values = typing.cast("dict[str, str]", poison.of(dict[str, str], "values"))
        for kind in ("note", "refused"):
            reply = Reply.model_construct(kind=kind, to="U0LI", code=code, values=values)
            require_harmless(blocks.reply_card(reply, view, AROUND, lang))

"""Every kind of notice rendered with the same hostile words in every place: no mention fires, no link is forged."""

from __future__ import annotations

import typing
from collections.abc import Iterable

import pytest

from blocks import Surroundings
from bot.notice import Notice
from bot.notices import Shown, ShownKind
from bot.render import Renderer
from graph.model import Actor, Decision, Inquiry, JsonValue, Lang, Reply, RunView
from tests.unit.blocks.poison import Poison
from tests.unit.blocks.test_hostile import HOSTILE, require_harmless
from tests.unit.blocks.views import AROUND

THREAD = "T0LOCAL:C0DESK:1764511200.000100"


class Workspace:
    """What the renderer asks of Slack."""

    async def of(self, cases: Iterable[str] = (), requests: Iterable[str] = (), wait: float = 0.0) -> Surroundings:
        """The usual surroundings."""
        return AROUND

    async def actor(self, user: str) -> Actor:
        """Somebody with that id."""
        return Actor(id=user, name=user)


def notice(kind: ShownKind, poison: Poison, *, drill: bool) -> Notice:
    """A notice of this kind, poisoned."""
    view = typing.cast(RunView, poison.of(RunView))
    view = view.model_copy(update={"thread": THREAD} | ({} if drill else {"drill": None}))
    request = view.requests[-1].model_copy(update={"kind": "approve"} if kind in ("told", "approval", "reminder") else {})
    shown = Shown.model_construct(
        kind=kind,
        lang=poison.lang,
        view=view.model_copy(update={"requests": [request]}),
        request=request.id,
        reply=typing.cast(Reply, poison.of(Reply)) if kind in ("reply", "root") else None,
        vote=typing.cast(Decision, poison.of(Decision)),
        inquiry=typing.cast(Inquiry, poison.of(Inquiry)),
    )
    payload = typing.cast("dict[str, JsonValue]", shown.model_dump(mode="json"))
    return Notice(id="C-7K3F/x", kind=kind, thread=THREAD, place="thread", to=THREAD, payload=payload)


@pytest.mark.parametrize("kind", typing.get_args(ShownKind))
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_no_notice_lets_words_of_others_act(kind: ShownKind, lang: Lang) -> None:
    """Also those whose words are put together where they are rendered: handed over, told, the head of a thread."""
    renderer = Renderer(Workspace(), Workspace(), {})
    for turn, word in enumerate(HOSTILE.values()):
        for drill in (False, True):
            made = notice(kind, Poison(word, lang, turn), drill=drill)
            try:
                card = await renderer.card(made)
            except KeyError as missing:
                assert "edge.told_" in str(missing), word  # a request that ended so is told in no line of its own
                continue
            require_harmless(card)

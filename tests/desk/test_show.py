"""`/sop show`: the diagram of a procedure or of a case, as a picture and in words."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from deploy.local.workspace import Message
from tests.desk.story import CHEN, DESK, EMMA, LI, Story
from tests.parts.desk import PATIENCE, LiveDesk


async def shown(desk: LiveDesk, user: str, what: str) -> Message:
    """What `/sop show …` answers privately."""
    before = len(desk.workspace.ephemerals(user, DESK))
    await desk.workspace.slash(user, DESK, "/sop", f"show {what}")
    return (await desk.workspace.until(lambda: desk.workspace.ephemerals(user, DESK)[before:], PATIENCE))[-1]


@pytest.mark.parametrize(("user", "said"), [(LI, "主管"), (EMMA, "approval")])
async def test_a_procedure_is_drawn_and_told(desk: LiveDesk, user: str, said: str) -> None:
    """The picture, and every step as a list in the reader's language; nobody else sees it."""
    message = await shown(desk, user, "refund")
    picture = next(block for block in message.blocks if block["type"] == "image")
    upload = desk.workspace.world.uploads[str(picture["slack_file"]["id"])]
    assert upload.content is not None
    assert Image.open(io.BytesIO(upload.content)).height > 600
    words = desk.workspace.text(message, user)
    assert all(f"{number}. " in words for number in range(1, 13))
    assert "on_reject" in words
    assert said in words or "审批" in words


async def test_a_case_shows_where_it_is_and_what_was_skipped(desk: LiveDesk) -> None:
    """In the list as in the picture; a name that is none is answered with the names there are."""
    story = await Story.open(desk, "给 KL-502 补 300 美元现金，客人包车迟到两小时")
    await story.asked("approval")
    words = desk.workspace.text(await shown(desk, LI, story.case), LI)
    assert "▶ 现在" in words
    assert "↷ 跳过" in words
    assert "hotel_change, refund" in desk.workspace.text(await shown(desk, LI, "refunds"), LI)
    assert "hotel_change, refund" in desk.workspace.text(await shown(desk, CHEN, ""), CHEN)
    assert "C-0000" in desk.workspace.text(await shown(desk, LI, "c-0000"), LI)

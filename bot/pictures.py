"""Pictures given to Slack; the coach's are drawn here: the scenario's tree with the path that was taken."""

from __future__ import annotations

import asyncio
import logging

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from bot.clients import SlackFailed, read
from bot.drawing import Arrow, Box, draw
from graph.model import DrillView, Lang
from graph.phrases import say

_KEPT = 64
_log = logging.getLogger(__name__)


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str


class _Uploaded(BaseModel):
    model_config = ConfigDict(extra="ignore")

    files: list[_File]


class Pictures:
    """Uploads each picture once; a card that is posted again after a failure uses the same file."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._files: dict[str, str] = {}

    async def of(self, case: str, drill: DrillView, lang: Lang) -> str | None:
        """The id of the file that shows this drill's tree; None where it cannot be had: the card's words say the same."""
        if not drill.nodes:
            return None
        if case not in self._files:
            picture = await asyncio.to_thread(drawn, drill, lang)
            name = f"{drill.scenario}-{case}.png"
            file = await self.upload(picture, name, drill.title.in_(lang))
            if file is None:
                return None
            while len(self._files) >= _KEPT:
                self._files.pop(next(iter(self._files)))
            self._files[case] = file
        return self._files[case]

    async def upload(self, picture: bytes, name: str, title: str) -> str | None:
        """The id of a picture's file; None where it cannot be given to Slack."""
        try:
            uploaded = await read(_Uploaded, self._client.files_upload_v2(file=picture, filename=name, title=title))
        except SlackFailed as error:
            _log.warning("the picture %s could not be uploaded (%s)", name, error.code)
            return None
        return uploaded.files[0].id


def drawn(drill: DrillView, lang: Lang) -> bytes:
    """The tree as a PNG."""
    boxes = [Box(node.id, node.text.in_(lang), node.tone) for node in drill.nodes]
    arrows = [Arrow(edge.source, edge.target, edge.text.in_(lang), edge.tone) for edge in drill.edges]
    title = say("coach.score", lang, score=str(drill.score), title=drill.title.in_(lang))
    return draw(boxes, arrows, title=title)

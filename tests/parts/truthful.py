"""A model that tells the truth: it answers each prompt from what a dialogue says is said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from tests.parts.model_server import ChatMessage, ChatRequest


class TruthfulModel:
    """The script of one turn: fields with their quotes, which mode it is, and plain words where words are asked for."""

    def __init__(self) -> None:
        self.values: Mapping[str, str] = {}
        self.quotes: Mapping[str, str] = {}
        self.sop = ""

    def hears(self, values: Mapping[str, str], quotes: Mapping[str, str], sop: str = "compensation") -> None:
        """What the next message says, and which procedure it asks for."""
        self.values, self.quotes, self.sop = values, quotes, sop

    def __call__(self, messages: list[ChatMessage], request: ChatRequest) -> str:
        """The reply to one request."""
        told = messages[-1].text
        if request.response_format is None:
            # Words, not data: from the handbook where there are passages, else nothing beyond the record.
            return "不可以，退款那边会拦下来。" if "<passages>" in told else "流程已结束。"
        offered = re.search(r"^Offered, each with its arguments:\n(.*)", messages[0].text, re.M)
        if offered is not None:
            return offered[1]
        fields = {name: {"value": self.values[name], "quote": quote} for name, quote in self.quotes.items()}
        mode = "sop" if self.quotes else "question"
        sop = self.sop if self.quotes else None
        return json.dumps({"mode": mode, "sop": sop, "fields": fields}, ensure_ascii=False)

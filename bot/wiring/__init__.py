"""The composition root: the one place that knows every part. Tests call it with other parts."""

from bot.wiring.engine import DeskParts, open_desk
from bot.wiring.vocabulary import load_library

__all__ = ["DeskParts", "load_library", "open_desk"]

"""A local workspace: as much of Slack as the bot uses, over the real protocols.

The server speaks the Web API, Socket Mode, signed HTTP requests and the interaction payloads; `Workspace` runs it
and acts as the people in it. Nothing here knows the bot.
"""

from .delivery import Delivery, Receipt
from .driver import Workspace
from .errors import ActionRefused, BotUnreachable
from .faults import Faults
from .model import Channel, Group, Message, User, View
from .seed import Seed
from .visible import Control, controls, visible_text

__all__ = [
    "ActionRefused",
    "BotUnreachable",
    "Channel",
    "Control",
    "Delivery",
    "Faults",
    "Group",
    "Message",
    "Receipt",
    "Seed",
    "User",
    "View",
    "Workspace",
    "controls",
    "visible_text",
]

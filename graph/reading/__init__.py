"""Words to fields: what a message wants, what it says, and what it leaves unsaid."""

from graph.prompts import Claim
from graph.reading.alone import read_alone
from graph.reading.guard import grounded
from graph.reading.model import Mode, Reading, SopCard, Talk, Understood
from graph.reading.talk import recognise, says_yes
from graph.reading.understand import extract, understand
from graph.reading.verify import verify

__all__ = [
    "Claim",
    "Mode",
    "Reading",
    "SopCard",
    "Talk",
    "Understood",
    "extract",
    "grounded",
    "read_alone",
    "recognise",
    "says_yes",
    "understand",
    "verify",
]

"""The step kinds. A new kind is one file here and one entry below."""

from collections.abc import Mapping
from typing import Any

from graph.steps.approve import Approve, ApproveSpec
from graph.steps.ask import Ask, AskSpec
from graph.steps.base import StepKind, StepSpec
from graph.steps.call import Call, CallSpec
from graph.steps.check import Check, CheckSpec
from graph.steps.choose import Choose, ChooseSpec
from graph.steps.confirm import Confirm, ConfirmSpec
from graph.steps.drill import Drill, DrillSpec
from graph.steps.offer import Offer, OfferSpec
from graph.steps.wait import Wait, WaitSpec

AnySpec = CallSpec | CheckSpec | AskSpec | ConfirmSpec | ApproveSpec | ChooseSpec | WaitSpec | OfferSpec | DrillSpec
KINDS: Mapping[str, StepKind[Any]] = {
    kind.name: kind for kind in (Call(), Check(), Ask(), Confirm(), Approve(), Choose(), Wait(), Offer(), Drill())
}

__all__ = [
    "KINDS",
    "AnySpec",
    "ApproveSpec",
    "AskSpec",
    "CallSpec",
    "CheckSpec",
    "ChooseSpec",
    "ConfirmSpec",
    "DrillSpec",
    "OfferSpec",
    "StepKind",
    "StepSpec",
    "WaitSpec",
]

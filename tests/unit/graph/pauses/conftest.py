"""All walks share one desk: each has a thread of its own and a back office put back."""

from __future__ import annotations

import pytest

from tests.unit.graph.builders import Desk


@pytest.fixture
def desk(common_desk: Desk) -> Desk:
    """The shipped procedures on real parts, reading without a model."""
    return common_desk

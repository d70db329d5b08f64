"""Which step pays what an approval approves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.steps import AnySpec, CallSpec, ChooseSpec
from graph.tools.spec import ToolSpec


def payment_in(steps: Sequence[AnySpec], tools: Mapping[str, ToolSpec]) -> AnySpec | None:
    """Of the steps from an approval on the one that pays what is approved: the first that moves money, else the first that
    writes."""
    writing = [each for each in steps if _writing(each, tools)]
    moving = (each for each in writing if any(tools[tool].routes is not None for tool in _writing(each, tools)))
    return next(moving, writing[0] if writing else None)


def paid_by(spec: AnySpec, tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """The tools by which a step pays, and where it keeps their results: those that move money, where it has any."""
    writing = _writing(spec, tools)
    moving = {tool: save_as for tool, save_as in writing.items() if tools[tool].routes is not None}
    return moving or writing


def _writing(spec: AnySpec, tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    if isinstance(spec, CallSpec):
        called = {spec.tool: spec.save_as}
    else:
        actions = spec.actions if isinstance(spec, ChooseSpec) else ()
        called = {each.tool: each.save_as for each in actions if each.tool and each.save_as}
    return {tool: save_as for tool, save_as in called.items() if tool in tools and tools[tool].write}

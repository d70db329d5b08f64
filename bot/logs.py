"""Log lines: structured, with the ids of what is worked on, and never a word of a customer."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Final, Literal

import structlog
from opentelemetry import trace
from structlog.types import EventDict, Processor

from graph.errors import SopdeskError

Shape = Literal["json", "readable"]
ROOMS: Final = ("bot", "graph", "blocks", "deploy")
"""The loggers that the configured level is for. Libraries speak from WARNING up: some of them log bodies."""
_IDS: Final[ContextVar[dict[str, str] | None]] = ContextVar("ids", default=None)


@contextlib.contextmanager
def about(**ids: str) -> Iterator[None]:
    """Lines written inside carry these ids, and those of the block around it; empty ones are left out."""
    token = _IDS.set((_IDS.get() or {}) | _known(ids))
    try:
        yield
    finally:
        _IDS.reset(token)


def note(**ids: str) -> None:
    """Add what has become known to the ids of the block that runs. Tasks started inside share it."""
    current = _IDS.get()
    if current is not None:
        current.update(_known(ids))


def configure_logs(level: str, shape: Shape) -> None:
    """Send the lines of all loggers to standard error; does nothing where a handler is there already."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(shape))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    for room in ROOMS:
        logging.getLogger(room).setLevel(level)


def formatter(shape: Shape) -> structlog.stdlib.ProcessorFormatter:
    """Makes a line of a record, whoever wrote it."""
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if shape == "readable":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            _ids,
            _trace,
            _error,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )


def _known(ids: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in ids.items() if value}


def _ids(_: object, __: str, line: EventDict) -> EventDict:
    # `event` is what structlog calls the words of a line.
    for name, value in (_IDS.get() or {}).items():
        line["event_id" if name == "event" else name] = value
    return line


def _trace(_: object, __: str, line: EventDict) -> EventDict:
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        line["trace"] = trace.format_trace_id(context.trace_id)
        line["span"] = trace.format_span_id(context.span_id)
    return line


def _error(_: object, __: str, line: EventDict) -> EventDict:
    """An exception as classes and places. Its message may quote a customer, so it stays out, unless it is `loggable`."""
    found = line.pop("exc_info", None)
    error = found[1] if isinstance(found, tuple) else sys.exc_info()[1] if found is True else found
    if isinstance(error, BaseException):
        line["error"] = " from ".join(_said(each, list(_places(each.__traceback__))) for each in _chain(error))
    return line


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in seen:
        seen.append(current)
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def briefly(error: BaseException) -> str:
    """The class of an error and where it was raised, for a line of its own. Of its words only those of `loggable` ones."""
    return _said(error, list(_places(error.__traceback__))[-1:])


def _said(error: BaseException, places: Sequence[str]) -> str:
    where = f" at {' > '.join(places)}" if places else ""
    words = f": {error}" if isinstance(error, SopdeskError) and error.loggable else ""
    return f"{type(error).__name__}{where}{words}"


def _places(frame: TracebackType | None) -> Iterator[str]:
    while frame is not None:
        yield f"{Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}"
        frame = frame.tb_next

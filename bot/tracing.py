"""OpenTelemetry spans: turn, tool call, model call, Slack post. Nothing happens where no exporter is configured."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from opentelemetry.trace import NoOpTracer, Tracer

from graph.errors import Misconfigured

SETTING: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
NO_TRACER: Final[Tracer] = NoOpTracer()
_FLUSH_SECONDS: Final = 3.0


@contextlib.contextmanager
def span(tracer: Tracer, name: str, **attributes: str) -> Iterator[None]:
    """A span around the block, with ids as attributes. An error is named by its class: its words may be a customer's."""
    if tracer is NO_TRACER:
        yield
        return
    with tracer.start_as_current_span(
        name,
        attributes={"sopdesk." + key: value for key, value in attributes.items() if value},
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield
        except BaseException as error:
            current.set_attribute("error.type", type(error).__name__)
            raise


@contextlib.asynccontextmanager
async def open_tracer(endpoint: str | None, role: str) -> AsyncIterator[Tracer]:
    """A tracer that sends to `endpoint` over HTTP; one that does nothing when it is None.

    Misconfigured when the exporter is not installed. At the end, what is unsent is given three seconds.
    """
    if endpoint is None:
        yield NO_TRACER
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise Misconfigured(f'{SETTING} is set, but the exporter is missing: pip install "sopdesk[tracing]"') from error
    provider = TracerProvider(
        resource=Resource.create({"service.name": f"sopdesk-{role}"}), shutdown_on_exit=False
    )
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=_FLUSH_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield provider.get_tracer("sopdesk")
    finally:
        await asyncio.to_thread(provider.force_flush, round(_FLUSH_SECONDS * 1000))
        await asyncio.to_thread(provider.shutdown)

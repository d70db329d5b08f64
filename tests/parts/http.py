"""Asking the servers that stand beside a test."""

from __future__ import annotations

import httpx


def asking(url: str, timeout: float = 5.0) -> httpx.AsyncClient:
    """A client of a server on this machine, without TLS: to read the world's certificates takes 50 ms each time."""
    return httpx.AsyncClient(base_url=url, timeout=timeout, verify=False)

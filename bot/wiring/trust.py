"""Whose certificates are believed."""

from __future__ import annotations

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """What httpx believes by default, read once in a process: reading it takes 50 ms, in which nothing else goes on."""
    return httpx.create_ssl_context()

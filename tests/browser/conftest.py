"""A real Chromium."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest_asyncio.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium as found on the machine. The browser tests are never skipped: without one they fail and say so."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(f"no Chromium is installed (looked for {', '.join(NAMES)}); on Debian: apt-get install chromium fonts-noto-cjk")
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        await chromium.close()

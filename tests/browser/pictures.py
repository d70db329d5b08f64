"""Screenshots for the documentation: windows of several people in one picture."""

from __future__ import annotations

import base64
from pathlib import Path

from playwright.async_api import Browser, Page

WIDTH = 1440


async def window(page: Page, height: int) -> bytes:
    """The upper part of a page, without what only a mouse shows."""
    await page.mouse.move(1, 1)
    return await page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height})


async def together(browser: Browser, windows: dict[str, bytes], to: Path) -> None:
    """Write windows under one another, each below its caption."""
    parts = []
    for caption, png in windows.items():
        source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        parts.append(f'<figure><figcaption>{caption}</figcaption><img src="{source}"></figure>')
    page = await browser.new_page(viewport={"width": WIDTH + 64, "height": 600})
    style = (
        "body{margin:0;padding:8px 32px 32px;background:#e9e9ee;font:600 22px sans-serif;color:#333}"
        "figure{margin:24px 0 0}figcaption{padding:4px 0 10px}"
        "img{display:block;border-radius:10px;box-shadow:0 4px 18px #0004}"
    )
    await page.set_content(f"<style>{style}</style>{''.join(parts)}", wait_until="load")
    await page.screenshot(path=to, full_page=True)
    await page.close()

"""`sopdesk schema` and `sopdesk draw`: what authors have beside the files themselves."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

from bot.cli.picture import picture
from bot.cli.session import Refused
from bot.settings import Settings
from bot.wiring import load_library, open_desk
from bot.wiring.laptop import on_laptop
from bot.wiring.vocabulary import procedure_schema
from graph.diagram import Diagram, diagram_of
from graph.diagram.mermaid import mermaid
from graph.model import Lang


async def schema(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk schema`: the JSON Schema of procedures, as `sops/schema.json` holds it."""
    print(json.dumps(procedure_schema(settings.sopdesk_sops), ensure_ascii=False, indent=2))
    return 0


async def draw(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk draw SOP` or `sopdesk draw --case C-XXXX`: Mermaid, or a picture with `--png FILE`."""
    if (given.sop is None) == (given.case is None):
        raise Refused("name a procedure, or a case with --case")
    diagram = await _of_case(given.case, given.lang, settings) if given.case else _of_sop(given.sop, given.lang, settings)
    if given.png is None:
        print(mermaid(diagram), end="")
    else:
        target: Path = given.png
        await asyncio.to_thread(target.write_bytes, picture(diagram))
        print(target)
    return 0


def _of_sop(name: str, lang: Lang | None, settings: Settings) -> Diagram:
    library = load_library(settings.sopdesk_sops, stubs=True)
    sop = library.sops.get(name)
    if sop is None:
        raise Refused(f"there is no procedure {name!r}; there are: {', '.join(sorted(library.sops))}")
    return diagram_of(sop, library.words.tools, lang or "zh")


async def _of_case(case: str, lang: Lang | None, settings: Settings) -> Diagram:
    async with on_laptop(settings) as reachable, open_desk(reachable) as parts:
        followed = await parts.runner.followed(case)
        if followed is None:
            raise Refused(f"there is no case {case!r}")
        sop, view = followed
        return diagram_of(sop, parts.library.words.tools, lang or view.lang, view)

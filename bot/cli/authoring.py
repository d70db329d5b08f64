"""`sopdesk schema` and `sopdesk draw`: what authors have beside the files themselves."""

from __future__ import annotations

import argparse
import json

from bot.settings import Settings
from bot.wiring.vocabulary import procedure_schema


async def schema(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk schema`: the JSON Schema of procedures, as `sops/schema.json` holds it."""
    print(json.dumps(procedure_schema(settings.sopdesk_sops), ensure_ascii=False, indent=2))
    return 0

"""`sopdesk propose`, `release`, `rollback`, `versions` and `diff`: who puts which text of a procedure into force."""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from bot.cli.inbox import somewhere
from bot.cli.session import Refused
from bot.settings import Settings
from bot.wiring.versions import Versions, open_versions
from graph.model import Text
from graph.model.releases import Proposal, Release
from graph.phrases import text
from graph.releasing.changes import changes
from graph.releasing.rights import against_proposing, against_releasing


async def propose(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk propose [SOP] --note TEXT --as WHO`: of every procedure whose file is not what is in force."""
    async with _open(settings) as versions:
        _allow(against_proposing(versions.authority, given.user))
        in_force = await versions.store.in_force()
        texts = {given.sop: versions.text_of(given.sop)} if given.sop else versions.texts()
        fresh = {name: each for name, each in texts.items() if name not in in_force or in_force[name].text != each}
        if not fresh:
            raise Refused("nothing is to be proposed: the files are what is in force")
        for name, each in fresh.items():
            made = Proposal(
                sop=name, digest=versions.digest_of(each), text=each, author=given.user, note=given.note, at=_now()
            )
            await versions.require_sound(each, name)
            await versions.require_fitting(_released(made, given.user))
            await versions.store.propose(made)
            print(f"{name}: {made.digest} is proposed by {given.user}")
    return 0


async def release(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk release [SOP] --note TEXT --as WHO`: what is proposed, by another person than its author."""
    async with _open(settings) as versions:
        proposed = await versions.store.proposed()
        wanted = [proposed[name] for name in ([given.sop] if given.sop else proposed) if name in proposed]
        if not wanted:
            about = f" of {given.sop}" if given.sop else ""
            raise Refused(f"nothing{about} is proposed; an author does that with: sopdesk propose SOP --note TEXT --as WHO")
        for each in wanted:
            _allow(against_releasing(versions.authority, given.user, each))
            made = _released(each, given.user, note=given.note or each.note)
            await versions.require_sound(made.text, made.sop)
            await versions.require_fitting(made)
            await _put(versions, made, each)
    return 0


async def rollback(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk rollback SOP [VERSION] --note TEXT --as WHO`: a version that was released before. One releaser is enough:
    two people have stood for it already."""
    async with _open(settings) as versions:
        _allow(against_releasing(versions.authority, given.user, None))
        listed = await versions.store.versions(given.sop)
        if not listed:
            raise Refused(f"nothing was released of {given.sop!r}; its file is what is in force")
        now = listed[-1].digest
        found = [each for each in listed if each.digest != now and each.digest.startswith(given.version or "")]
        if not found:
            raise Refused(f"there is no such version of {given.sop!r} to go back to; see: sopdesk versions {given.sop}")
        back = found[-1].model_copy(update={"by": given.user, "note": given.note, "at": _now(), "kind": "rollback"})
        await versions.require_sound(back.text, back.sop)
        await _put(versions, back, None)
    return 0


async def versions(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk versions SOP`: oldest first."""
    async with _open(settings) as known:
        listed = await known.store.versions(given.sop)
    if given.json:
        print(json.dumps([each.model_dump(mode="json") for each in listed], ensure_ascii=False, indent=2))
        return 0
    for each in listed:
        print(f"{each.digest}  {each.at}  {each.kind} by {each.by}, written by {each.author}  {each.note}")
    if not listed:
        print(f"nothing was released of {given.sop}; its file is what is in force")
    return 0


async def diff(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk diff SOP [A] [B]`: 0 also where something changes."""
    async with _open(settings) as known:
        old = await _text(known, given.sop, given.old) if given.old else await _in_force(known, given.sop)
        new = await _text(known, given.sop, given.new or "file")
        found = changes(old, new, known.authority.levels)
    for each in found or [text("releasing.same")]:
        print(each.in_(given.lang))
    return 0


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[Versions]:
    async with somewhere(settings) as reachable, open_versions(reachable) as versions:
        yield versions


async def _put(versions: Versions, made: Release, proposal: Proposal | None) -> None:
    was = (await versions.store.in_force()).get(made.sop)
    if not await versions.store.release(made, was, proposal):
        raise Refused(f"another release of {made.sop} came first; look with: sopdesk versions {made.sop}")
    await versions.note(made)
    print(f"{made.sop}: {made.digest} is in force ({made.kind} by {made.by}, written by {made.author})")


async def _in_force(versions: Versions, sop: str) -> str:
    found = (await versions.store.in_force()).get(sop)
    return found.text if found is not None else versions.text_of(sop)


async def _text(versions: Versions, sop: str, named: str) -> str:
    if named == "file":
        return versions.text_of(sop)
    proposed = (await versions.store.proposed()).get(sop)
    listed = [each.text for each in await versions.store.versions(sop) if each.digest.startswith(named)]
    if proposed is not None and (named == "proposed" or proposed.digest.startswith(named)):
        listed.append(proposed.text)
    if not listed:
        raise Refused(f"there is no version {named!r} of {sop}; see: sopdesk versions {sop}")
    return listed[-1]


def _released(proposal: Proposal, by: str, note: str = "") -> Release:
    return Release(**(proposal.model_dump() | {"by": by, "note": note or proposal.note, "at": _now()}))


def _allow(against: Text | None) -> None:
    if against is not None:
        raise Refused(f"{against.en} · {against.zh}")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

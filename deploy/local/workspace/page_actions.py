"""What the page can do in a person's name; each entry calls the driver."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from .errors import ActionRefused
from .model import Json

if TYPE_CHECKING:
    from .driver import Workspace

Action: TypeAlias = "Callable[[Workspace, Json], Awaitable[object]]"


async def _say(workspace: "Workspace", body: Json) -> object:
    text, thread = str(body["text"]), body.get("thread")
    if text.startswith("/"):
        command, _, rest = text.partition(" ")
        await workspace.slash(body["as"], body["channel"], command, rest.strip(), thread_ts=thread)
        return None
    files = body.get("files") or None
    return await workspace.say(body["as"], body["channel"], text, thread, files=files,
                               broadcast=bool(body.get("broadcast")))


def _fill(workspace: "Workspace", body: Json) -> None:
    """What was typed so far goes along with a press inside a form."""
    form = workspace.world.views.get(str(body.get("view")))
    for name, given in (body.get("values") or {}).items():
        if form:
            workspace.fill(form, name, given)


async def _click(workspace: "Workspace", body: Json) -> object:
    user, action, value = body["as"], body["action_id"], body.get("value")
    if view := body.get("view"):
        _fill(workspace, body)
        receipt = await workspace.click_in_view(user, view, action_id=action, value=value)
    else:
        receipt = await workspace.click(user, body["channel"], body["ts"], action_id=action, value=value)
    return receipt.acked


async def _choose(workspace: "Workspace", body: Json) -> object:
    user, action, option = body["as"], body["action_id"], body["option"]
    if view := body.get("view"):
        _fill(workspace, body)
        receipt = await workspace.choose_in_view(user, option, view, action_id=action)
    else:
        receipt = await workspace.choose(user, body["channel"], body["ts"], option, action_id=action)
    return receipt.acked


async def _submit(workspace: "Workspace", body: Json) -> object:
    return await workspace.submit(body["as"], body["view"], body["values"])


async def _close(workspace: "Workspace", body: Json) -> object:
    await workspace.close_view(body["as"], body["view"], all_=bool(body.get("all")))
    return None


async def _home(workspace: "Workspace", body: Json) -> object:
    await workspace.open_home(body["as"], str(body.get("tab", "home")))
    return None


async def _shortcut(workspace: "Workspace", body: Json) -> object:
    if "ts" in body:
        receipt = await workspace.message_shortcut(body["as"], body["callback_id"], body["channel"], body["ts"])
    else:
        receipt = await workspace.global_shortcut(body["as"], body["callback_id"])
    return receipt.acked


async def _edit(workspace: "Workspace", body: Json) -> object:
    await workspace.edit(body["as"], body["channel"], body["ts"], str(body["text"]))
    return None


async def _delete(workspace: "Workspace", body: Json) -> object:
    await workspace.delete(body["as"], body["channel"], body["ts"])
    return None


async def _dismiss(workspace: "Workspace", body: Json) -> object:
    found = [m for m in workspace.ephemerals(body["as"]) if m.ts == body["ts"]]
    if not found:
        raise ActionRefused("this message is gone already")
    workspace.world.ephemerals.remove(found[0])
    workspace.world.changed()
    return None


ACTIONS: dict[str, Action] = {
    "say": _say, "click": _click, "choose": _choose, "submit": _submit, "close": _close, "home": _home,
    "shortcut": _shortcut, "edit": _edit, "delete": _delete, "dismiss": _dismiss,
}

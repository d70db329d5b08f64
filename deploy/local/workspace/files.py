"""Files that the bot uploads: the two-step upload, and pictures in blocks that refer to them."""

from dataclasses import replace

from aiohttp import web

from .api import Call, Method
from .errors import ApiError
from .model import Json, Message, Upload
from .world import World

LARGEST = 4_000_000


async def get_upload_url(call: Call) -> Json:
    """files.getUploadURLExternal"""
    length = call.args.number("length", 0, LARGEST)
    upload = Upload(call.world.new_id("F0"), call.args.required("filename"), length)
    call.world.uploads[upload.id] = upload
    return {"upload_url": f"{call.world.base_url}/upload/{upload.id}", "file_id": upload.id}


async def complete_upload(call: Call) -> Json:
    """files.completeUploadExternal, with a message where a channel is named"""
    done = []
    for index, item in enumerate(call.args.objects("files", "invalid_arguments")):
        upload = call.world.uploads.get(str(item.get("id")))
        if upload is None or upload.content is None:
            raise ApiError("file_not_found", [f"nothing was uploaded under this id [json-pointer:/files/{index}/id]"])
        upload.complete, upload.title = True, str(item.get("title") or upload.name)
        done.append(upload.as_json(call.world.base_url))
    if call.args.has("channel_id"):
        channel = call.channel("channel_id", member=True)
        message = Message(call.world.new_ts(), channel.id, call.world.seed.bot_user.id,
                          call.args.text("initial_comment"), thread_ts=call.args.optional("thread_ts"), bot=True,
                          subtype="file_share", files=done)
        call.world.add(message)
        call.events.posted(replace(message))
    return {"files": done}


def require_files(world: World, blocks: list[Json]) -> None:
    """Raise ApiError if a picture refers to a file that was not uploaded."""
    for index, block in enumerate(blocks):
        inner = [("", block), *((f"/elements/{n}", item) for n, item in enumerate(block.get("elements") or []))]
        inner.append(("/accessory", block.get("accessory") or {}))
        for pointer, item in inner:
            file = item.get("slack_file") if item.get("type") == "image" else None
            upload = world.uploads.get(str(file.get("id"))) if file else None
            if file and "id" in file and not (upload and upload.complete):
                raise ApiError("invalid_blocks", [f"invalid slack file [json-pointer:/blocks/{index}{pointer}/slack_file]"])


async def receive(world: World, request: web.Request) -> web.Response:
    """The bytes of one upload."""
    upload = world.uploads.get(request.match_info["file"])
    if upload is None:
        raise web.HTTPNotFound(text="unknown upload")
    content = await request.read()
    if len(content) != upload.length:
        raise web.HTTPBadRequest(text=f"{upload.length} bytes were announced, {len(content)} came")
    upload.content = content
    return web.Response(text=f"OK - {len(content)}")


METHODS = {
    "files.getUploadURLExternal": Method(get_upload_url, ("files:write",)),
    "files.completeUploadExternal": Method(complete_upload, ("files:write",)),
}

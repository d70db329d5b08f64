"""auth, api, team, apps, bots, users, usergroups and views methods."""

from .api import Call, Method
from .errors import ApiError
from .model import Json


async def auth_test(call: Call) -> Json:
    """auth.test, with the granted scopes in a header."""
    seed = call.world.seed
    base: Json = {"url": f"{call.world.base_url}/", "team": seed.team_name, "team_id": seed.team_id,
                  "is_enterprise_install": False}
    if call.args.token == seed.app_token:
        call.headers["x-oauth-scopes"] = "connections:write"
        return base | {"app_name": seed.bot_user.name, "app_id": seed.app_id}
    call.headers["x-oauth-scopes"] = ",".join(seed.scopes)
    return base | {"user": seed.bot_user.name, "user_id": seed.bot_user.id, "bot_id": seed.bot_id}


async def api_test(call: Call) -> Json:
    """api.test"""
    if error := call.args.optional("error"):
        raise ApiError(error)
    return {"args": call.args.values}


async def team_info(call: Call) -> Json:
    """team.info"""
    seed = call.world.seed
    return {"team": {"id": seed.team_id, "name": seed.team_name, "domain": seed.team_domain, "email_domain": "",
                     "url": f"{call.world.base_url}/", "icon": {"image_default": True}}}


async def connections_open(call: Call) -> Json:
    """apps.connections.open"""
    base = call.world.base_url.replace("http", "ws", 1)
    return {"url": f"{base}/link/?ticket={call.sockets.ticket()}&app_id={call.world.seed.app_id}"}


async def bots_info(call: Call) -> Json:
    """bots.info"""
    bot = call.args.optional("bot")
    if bot not in (None, call.world.seed.bot_id):
        raise ApiError("bot_not_found")
    return {"bot": call.world.bot_json()}


async def users_info(call: Call) -> Json:
    """users.info"""
    user = call.world.users[call.user()]
    return {"user": user.as_json(call.world.seed.team_id, call.args.flag("include_locale"))}


async def users_list(call: Call) -> Json:
    """users.list"""
    team, locale = call.world.seed.team_id, call.args.flag("include_locale")
    page, cursor = call.args.page([user.as_json(team, locale) for user in call.world.users.values()])
    return {"members": page, "cache_ts": int(call.world.clock()), "response_metadata": {"next_cursor": cursor}}


async def usergroups_list(call: Call) -> Json:
    """usergroups.list"""
    found = []
    for group in call.world.groups.values():
        if group.disabled and not call.args.flag("include_disabled"):
            continue
        item: Json = {"id": group.id, "team_id": call.world.seed.team_id, "is_usergroup": True, "name": group.name,
                      "handle": group.handle, "description": "", "is_external": False, "auto_type": None,
                      "date_delete": int(group.disabled), "prefs": {"channels": [], "groups": []}}
        if call.args.flag("include_users"):
            item["users"] = list(group.users)
        if call.args.flag("include_count"):
            item["user_count"] = len(group.users)
        found.append(item)
    return {"usergroups": found}


async def usergroups_users_list(call: Call) -> Json:
    """usergroups.users.list"""
    group = call.world.groups.get(call.args.required("usergroup"))
    if group is None:
        raise ApiError("no_such_subteam", ["unknown user group [json-pointer:/usergroup]"])
    if group.disabled and not call.args.flag("include_disabled"):
        raise ApiError("subteam_disabled")
    return {"users": list(group.users)}


async def views_open(call: Call) -> Json:
    """views.open"""
    view = call.forms.open(call.args.required("trigger_id"), call.args.decoded("view", "invalid_arguments"))
    return {"view": call.forms.as_json(view)}


async def views_push(call: Call) -> Json:
    """views.push"""
    view = call.forms.push(call.args.required("trigger_id"), call.args.decoded("view", "invalid_arguments"))
    return {"view": call.forms.as_json(view)}


async def views_update(call: Call) -> Json:
    """views.update"""
    args = call.args
    view = call.forms.update(args.optional("view_id"), args.optional("external_id"),
                             args.decoded("view", "invalid_arguments"), args.optional("hash"))
    return {"view": call.forms.as_json(view)}


async def views_publish(call: Call) -> Json:
    """views.publish"""
    args = call.args
    view = call.forms.publish(args.required("user_id"), args.decoded("view", "invalid_arguments"),
                              args.optional("hash"))
    return {"view": call.forms.as_json(view)}


METHODS = {
    "api.test": Method(api_test, token="none"),
    "auth.test": Method(auth_test, token="any"),
    "team.info": Method(team_info, ("team:read",)),
    "apps.connections.open": Method(connections_open, token="app"),
    "bots.info": Method(bots_info, ("users:read",)),
    "users.info": Method(users_info, ("users:read",)),
    "users.list": Method(users_list, ("users:read",)),
    "usergroups.list": Method(usergroups_list, ("usergroups:read",)),
    "usergroups.users.list": Method(usergroups_users_list, ("usergroups:read",)),
    "views.open": Method(views_open),
    "views.push": Method(views_push),
    "views.update": Method(views_update),
    "views.publish": Method(views_publish),
}

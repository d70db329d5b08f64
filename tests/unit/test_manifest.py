"""The app's manifest asks for what `bot/` uses: neither less, which would fail in a workspace, nor more."""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Final

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels import Channels
from bot.clients import asking_client
from bot.directory import Directory, groups_named
from bot.settings import Settings
from bot.startup import SCOPES, check
from bot.wiring import load_library
from deploy.local.workspace import Seed, Workspace

ROOT: Final = Path(__file__).resolve().parents[2]
MANIFEST: Final = ROOT / "deploy" / "slack-manifest.yaml"

NEEDS: Final = {
    "auth_test": (),
    "chat_delete": ("chat:write",),
    "chat_getPermalink": (),
    "chat_postEphemeral": ("chat:write",),
    "chat_postMessage": ("chat:write",),
    "chat_startStream": ("chat:write",),
    "chat_appendStream": ("chat:write",),
    "chat_stopStream": ("chat:write",),
    "chat_update": ("chat:write",),
    "conversations_history": ("channels:history", "groups:history", "im:history"),
    "conversations_info": ("channels:read", "groups:read"),
    "conversations_list": ("channels:read", "groups:read"),
    # Who is in a direct message is not asked for: whoever is in it is on the case already.
    "conversations_members": ("channels:read", "groups:read"),
    "conversations_open": ("im:write",),
    "conversations_replies": ("channels:history", "groups:history", "im:history"),
    "files_upload_v2": ("files:write",),
    "usergroups_users_list": ("usergroups:read",),
    "users_info": ("users:read",),
    "views_open": (),
    "views_publish": (),
    "views_push": (),
    "views_update": (),
}
"""Slack's methods as the client names them, and the scopes each needs for the kinds of channel the bot works in."""

EVENTS: Final = {
    "app_home_opened": (),
    "app_mention": ("app_mentions:read",),
    "message.channels": ("channels:history",),
    "message.groups": ("groups:history",),
    "message.im": ("im:history",),
}
FEATURES: Final = ("commands",)


class _Part(BaseModel):
    """A part of the manifest, with Slack's limits. An unknown key is a mistake."""

    model_config = ConfigDict(extra="forbid")


class _Display(_Part):
    name: Annotated[str, Field(max_length=35)]
    description: Annotated[str, Field(max_length=140)]
    background_color: Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]


class _AppHome(_Part):
    home_tab_enabled: bool
    messages_tab_enabled: bool
    messages_tab_read_only_enabled: bool


class _BotUser(_Part):
    display_name: Annotated[str, Field(max_length=80)]
    always_online: bool


class _Command(_Part):
    command: Annotated[str, Field(pattern=r"^/[a-z0-9_-]{1,31}$")]
    description: Annotated[str, Field(max_length=2000)]
    usage_hint: Annotated[str, Field(max_length=1000)]
    should_escape: bool


class _Shortcut(_Part):
    name: Annotated[str, Field(max_length=24)]
    type: str
    callback_id: Annotated[str, Field(max_length=255)]
    description: Annotated[str, Field(max_length=150)]


class _Features(_Part):
    app_home: _AppHome
    bot_user: _BotUser
    slash_commands: list[_Command]
    shortcuts: list[_Shortcut]


class _Scopes(_Part):
    bot: list[str]


class _Oauth(_Part):
    scopes: _Scopes


class _Events(_Part):
    bot_events: list[str]


class _Interactivity(_Part):
    is_enabled: bool


class _Settings(_Part):
    event_subscriptions: _Events
    interactivity: _Interactivity
    org_deploy_enabled: bool
    socket_mode_enabled: bool
    token_rotation_enabled: bool


class _Version(_Part):
    major_version: int
    minor_version: int


class Manifest(_Part):
    """The whole file."""

    version: _Version = Field(alias="_metadata")
    display_information: _Display
    features: _Features
    oauth_config: _Oauth
    settings: _Settings


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    """The shipped manifest. A limit of Slack's that it breaks, or a key that Slack does not know, fails here."""
    return Manifest.model_validate(yaml.safe_load(MANIFEST.read_text(encoding="utf-8")))


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    """A workspace in which the app is installed as the manifest says."""
    slack = Workspace(Seed().with_manifest(MANIFEST))
    await slack.start()
    yield slack
    await slack.stop()


def test_scopes_are_those_of_the_methods_and_events(manifest: Manifest) -> None:
    """The bot asks for exactly the scopes that its calls, events and commands need."""
    needed = {scope for method in _methods() for scope in NEEDS[method]}
    needed |= {scope for event in manifest.settings.event_subscriptions.bot_events for scope in EVENTS[event]}
    assert set(manifest.oauth_config.scopes.bot) == needed | set(FEATURES)


def test_every_scope_stands_once_and_in_order(manifest: Manifest) -> None:
    """The list of scopes is sorted and has no repetitions, so that two of them compare at a glance."""
    scopes = manifest.oauth_config.scopes.bot
    assert scopes == sorted(set(scopes))


def test_the_check_at_start_asks_for_the_same_scopes(manifest: Manifest) -> None:
    """What `bot/startup.py` calls missing is what the manifest grants; user groups are the one optional scope."""
    assert {*SCOPES, "usergroups:read"} == set(manifest.oauth_config.scopes.bot)


def test_every_method_that_the_bot_calls_is_known() -> None:
    """A new Web API method in `bot/` is put into the table of this test, with the scopes it needs."""
    assert sorted(_methods() - set(NEEDS)) == []


def test_commands_are_those_that_are_answered(manifest: Manifest) -> None:
    """`/sop` is registered, and its hint names every word that `bot/commands.py` answers, and no other."""
    commands = {each.command: each for each in manifest.features.slash_commands}
    hint = commands["/sop"].usage_hint.split("[")[0]
    answered = {
        case.value.value
        for node in ast.walk(_tree("commands"))
        if isinstance(node, ast.MatchValue | ast.MatchOr)
        for case in (node.patterns if isinstance(node, ast.MatchOr) else [node])
        if isinstance(case, ast.MatchValue) and isinstance(case.value, ast.Constant)
    }
    assert {word.strip() for word in hint.split("|")} == answered - {""}


def test_shortcuts_are_those_that_are_handled(manifest: Manifest) -> None:
    """Every message shortcut of the manifest is one that `bot/commands.py` knows, and the other way round."""
    handled = {
        node.value
        for node in ast.walk(_tree("commands"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("sop_")
    }
    assert {each.callback_id for each in manifest.features.shortcuts} == handled
    assert {each.type for each in manifest.features.shortcuts} == {"message"}


def test_the_app_listens_over_a_socket_and_to_clicks(manifest: Manifest) -> None:
    """Socket Mode, interactivity, App Home and messages to the app are switched on."""
    settings, home = manifest.settings, manifest.features.app_home
    assert settings.socket_mode_enabled and settings.interactivity.is_enabled
    assert home.home_tab_enabled and home.messages_tab_enabled and not home.messages_tab_read_only_enabled


async def test_a_workspace_with_this_manifest_lacks_nothing(workspace: Workspace) -> None:
    """Installed as the manifest says, the check at start finds every scope, channel and person of the shipped files."""
    client = asking_client(_as_installed(workspace))
    authority = load_library(None).words.authority
    groups = groups_named(authority.levels.values(), authority.leads)
    report = await check(client, Directory(client, groups), Channels(client), authority.levels, authority.leads)
    assert report.words() == ""


async def test_a_workspace_without_a_scope_says_so(workspace: Workspace) -> None:
    """The local workspace enforces the manifest's scopes: without `users:read` the check at start names it."""
    seed = workspace.world.seed
    seed.scopes = tuple(scope for scope in seed.scopes if scope != "users:read")
    client = asking_client(_as_installed(workspace))
    report = await check(client, Directory(client), Channels(client), {}, ())
    assert "users:read" in report.words()


async def test_user_groups_can_be_read_with_this_manifest(workspace: Workspace) -> None:
    """An approvals.yaml that names a user group works with the same manifest."""
    client = asking_client(_as_installed(workspace))
    assert await Directory(client, ("S0SUPERVISORS",)).members("S0SUPERVISORS") == {"U0WANG", "U0KIM"}


def _as_installed(workspace: Workspace) -> Settings:
    values = {"slack_bot_token": workspace.world.seed.bot_token, "slack_api_url": workspace.api_url}
    return Settings.model_validate(values)


def _methods() -> set[str]:
    return {name for path in sorted((ROOT / "bot").rglob("*.py")) for name in _called(path)}


def _called(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and "_" in node.attr.strip("_") and node.attr in _CLIENT:
            yield node.attr


def _tree(module: str) -> ast.Module:
    return ast.parse((ROOT / "bot" / f"{module}.py").read_text(encoding="utf-8"))


_CLIENT: Final = frozenset(
    name for name in vars(AsyncWebClient) if not name.startswith("_") and name not in ("api_call", "base_url")
)


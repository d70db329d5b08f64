"""Who and what the workspace starts with. Tests pass their own `Seed`; the manifest of the app can narrow it."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import yaml
from pydantic import BaseModel, ConfigDict

from .model import Channel, Group, User

AGENTS = ("U0LI", "U0CHEN", "U0EMMA", "U0NEW")
ALL_SCOPES = (
    "app_mentions:read", "channels:history", "channels:join", "channels:read", "chat:write", "commands", "files:write",
    "groups:history", "groups:read", "im:history", "im:read", "im:write", "reactions:write", "team:read",
    "usergroups:read", "users:read",
)


def _users() -> list[User]:
    zh, en = "zh-CN", "en-US"
    return [
        User("U0LI", "li", "李", zh, title="坐席 / agent"),
        User("U0CHEN", "chen", "陈", zh, title="坐席 / agent"),
        User("U0EMMA", "emma", "Emma", en, title="agent"),
        User("U0WANG", "wang", "王", zh, title="主管 / supervisor"),
        User("U0KIM", "kim", "Kim", en, title="supervisor"),
        User("U0ZHAO", "zhao", "赵", zh, title="经理 / manager"),
        User("U0SUN", "sun", "孙", zh, title="总监 / director"),
        User("U0ZHOU", "zhou", "周", zh, title="组长 / lead"),
        User("U0NEW", "he", "何", zh, title="学员 / trainee"),
    ]


def _channels() -> list[Channel]:
    everyone = {user.id for user in _users()}
    return [
        Channel("C0DESK", "cs-desk", everyone | {"U0BOT"}, topic="客服 / customer service"),
        Channel("C0SUP", "approvals-supervisor", {"U0WANG", "U0KIM", "U0ZHAO", "U0SUN", "U0ZHOU", "U0BOT"}),
        Channel("C0MGR", "approvals-manager", {"U0ZHAO", "U0SUN", "U0ZHOU", "U0BOT"}),
        Channel("C0DIR", "approvals-director", {"U0SUN", "U0ZHOU", "U0BOT"}),
        Channel("C0REV", "refund-review", {"U0WANG", "U0KIM", "U0ZHAO", "U0SUN", "U0ZHOU", "U0BOT"}),
        Channel("C0RANDOM", "random", everyone),
    ]


@dataclass
class Seed:
    """The workspace before anything happened.

    `commands` and `message_shortcuts` are what the app has registered; `events` are its subscriptions and
    `scopes` its rights, as in the manifest. A method whose scope is missing answers `missing_scope`.
    """

    team_id: str = "T0LOCAL"
    team_name: str = "Sunny Travel"
    team_domain: str = "local"
    app_id: str = "A0SOPDESK"
    bot_id: str = "B0BOT"
    bot_user: User = field(default_factory=lambda: User("U0BOT", "sopdesk", "sopdesk", is_bot=True))
    users: list[User] = field(default_factory=_users)
    groups: list[Group] = field(
        default_factory=lambda: [Group("S0SUPERVISORS", "supervisors", "Supervisors", ("U0WANG", "U0KIM"))]
    )
    channels: list[Channel] = field(default_factory=_channels)
    bot_token: str = "xoxb-local"
    app_token: str = "xapp-local"
    signing_secret: str = "local-signing-secret"
    verification_token: str = "local-verification-token"
    scopes: tuple[str, ...] = ALL_SCOPES
    events: tuple[str, ...] = (
        "app_home_opened", "app_mention", "member_joined_channel", "message.channels", "message.groups", "message.im",
    )
    commands: dict[str, str] = field(
        default_factory=lambda: {"/sop": "facts | trail | audit | help", "/coach": "practise on a simulated customer"}
    )
    message_shortcuts: dict[str, str] = field(
        default_factory=lambda: {"sop_facts": "已知信息 / Facts", "sop_trail": "执行记录 / Trail"}
    )
    global_shortcuts: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Self:
        """A deep copy, so that one workspace never changes another's channels."""
        return deepcopy(self)

    def with_manifest(self, path: Path) -> Self:
        """What the app's manifest declares: commands, shortcuts, events and bot scopes.

        Raises pydantic.ValidationError or yaml.YAMLError if the file is not a manifest.
        """
        manifest = _Manifest.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        shortcuts = manifest.features.shortcuts
        return replace(
            self.copy(),
            commands={c.command: c.usage_hint or c.description for c in manifest.features.slash_commands},
            message_shortcuts={s.callback_id: s.name for s in shortcuts if s.type == "message"},
            global_shortcuts={s.callback_id: s.name for s in shortcuts if s.type == "global"},
            events=tuple(manifest.settings.event_subscriptions.bot_events),
            scopes=tuple(manifest.oauth_config.scopes.bot),
        )


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Command(_Part):
    command: str
    description: str = ""
    usage_hint: str = ""


class _Shortcut(_Part):
    name: str
    type: str
    callback_id: str


class _Features(_Part):
    slash_commands: list[_Command] = []
    shortcuts: list[_Shortcut] = []


class _Scopes(_Part):
    bot: list[str] = []


class _Oauth(_Part):
    scopes: _Scopes = _Scopes()


class _Events(_Part):
    bot_events: list[str] = []


class _Settings(_Part):
    event_subscriptions: _Events = _Events()


class _Manifest(_Part):
    features: _Features = _Features()
    oauth_config: _Oauth = _Oauth()
    settings: _Settings = _Settings()

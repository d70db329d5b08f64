"""The things a workspace is made of. Times are Slack timestamps: seconds since the epoch with six decimals, as text."""

import mimetypes
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object as it goes over the wire; its shape is Slack's and is checked by `limits`, not by a type."""


@dataclass(frozen=True)
class User:
    """A person, or the bot's own user. `name` is the handle, `display` what others read."""

    id: str
    name: str
    display: str
    locale: str = "en-US"
    tz: str = "Asia/Shanghai"
    tz_offset: int = 28800
    is_bot: bool = False
    deleted: bool = False
    title: str = ""
    team: str = ""

    def as_json(self, team_id: str, with_locale: bool = False) -> Json:
        """The user object of users.info and users.list."""
        team_id = self.team or team_id
        out: Json = {
            "id": self.id, "team_id": team_id, "name": self.name, "deleted": self.deleted,
            "real_name": self.display, "tz": self.tz, "tz_label": self.tz, "tz_offset": self.tz_offset,
            "profile": {
                "real_name": self.display, "real_name_normalized": self.display, "display_name": self.display,
                "display_name_normalized": self.display, "title": self.title, "team": team_id,
            },
            "is_admin": False, "is_owner": False, "is_bot": self.is_bot, "is_app_user": False,
            "is_restricted": False, "is_ultra_restricted": False, "updated": 0,
        }
        if with_locale:
            out["locale"] = self.locale
        return out


@dataclass(frozen=True)
class Group:
    """A user group such as @supervisors."""

    id: str
    handle: str
    name: str
    users: tuple[str, ...]
    disabled: bool = False


@dataclass
class Channel:
    """A channel or a direct message (`is_im`); `members` includes the bot where it was invited."""

    id: str
    name: str
    members: set[str]
    is_private: bool = False
    is_archived: bool = False
    is_im: bool = False
    topic: str = ""
    created: int = 0

    @property
    def kind(self) -> str:
        """The `channel_type` of message events."""
        if self.is_im:
            return "im"
        return "group" if self.is_private else "channel"


@dataclass
class Message:
    """One message. `text` is in Slack's escaped form. `visible_to` is set for ephemeral messages only,
    `streaming` while a streamed reply still grows."""

    ts: str
    channel: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    bot: bool = False
    subtype: str | None = None
    metadata: Json | None = None
    attachments: list[Json] = field(default_factory=list)
    files: list[Json] = field(default_factory=list)
    edited: Json | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    client_msg_id: str | None = None
    visible_to: str | None = None
    streaming: bool = False

    @property
    def in_thread(self) -> bool:
        """True for a reply; a parent carries its own ts as `thread_ts` or none."""
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass
class View:
    """A modal or an App Home. `body` is what the app sent, with ids filled in; `hash` changes with each update."""

    id: str
    user: str
    body: Json
    hash: str
    root_id: str
    previous_id: str | None = None
    state: dict[str, dict[str, Json]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """`modal` or `home`."""
        return str(self.body["type"])

    @property
    def blocks(self) -> list[Json]:
        """The blocks as stored, each with a block_id."""
        blocks: list[Json] = self.body["blocks"]
        return blocks


@dataclass
class Upload:
    """A file on its way or arrived; `content` is None until the bytes came, `complete` once it may be shown."""

    id: str
    name: str
    length: int
    content: bytes | None = None
    complete: bool = False
    title: str = ""

    @property
    def mimetype(self) -> str:
        """By the ending of the name."""
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"

    def as_json(self, base_url: str) -> Json:
        """The file object."""
        return {"id": self.id, "name": self.name, "title": self.title or self.name, "mimetype": self.mimetype,
                "filetype": self.name.rpartition(".")[2], "size": self.length, "mode": "hosted",
                "url_private": f"{base_url}/_ui/files/{self.id}"}

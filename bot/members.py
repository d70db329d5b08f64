"""What Slack says of people, as far as it matters here."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from graph.model import Lang


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Profile(_Answer):
    display_name: str | None = None
    real_name: str | None = None


class _EnterpriseUser(_Answer):
    teams: tuple[str, ...] = ()


class User(_Answer):
    """A person or a bot, and the team it belongs to."""

    id: str
    name: str = ""
    real_name: str | None = None
    locale: str | None = None
    deleted: bool = False
    is_bot: bool = False
    tz_offset: int = 0
    team_id: str = ""
    enterprise_user: _EnterpriseUser = _EnterpriseUser()
    profile: _Profile = _Profile()


class UserAnswer(_Answer):
    """The answer of users.info."""

    user: User


class Home(_Answer):
    """The team that the bot is installed in."""

    team_id: str

    def is_foreign(self, user: User, said: str) -> bool:
        """Whether a person is of another team: a guest through Slack Connect, or of another workspace of the same
        organisation (Grid) without being a member of this one. `said` is believed where Slack tells nothing of them."""
        theirs = user.team_id or said
        return bool(theirs) and theirs != self.team_id and self.team_id not in user.enterprise_user.teams


class GroupAnswer(_Answer):
    """The answer of usergroups.users.list."""

    users: list[str] = []


def name_of(user: User) -> str:
    """The name that others read."""
    profile = user.profile
    return profile.display_name or profile.real_name or user.real_name or user.name or user.id


def lang_of(locale: str | None) -> Lang:
    """Chinese for a Chinese locale, or for none; else English."""
    return "en" if locale and not locale.lower().startswith("zh") else "zh"

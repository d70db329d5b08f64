"""Slack's people and user groups, as the engine needs them. Fails closed: no answer, no rights."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from slack_sdk.web.async_client import AsyncWebClient

from bot.clients import SlackFailed, read
from bot.desk import Delegates
from bot.members import GroupAnswer, Home, User, UserAnswer, lang_of, name_of
from graph.errors import SopdeskError
from graph.model import Actor, Level, Principal

KEPT_FOR = 600.0
"""Seconds for which what people are called is believed without asking again."""
GROUPS_KEPT_FOR = 60.0
"""The same for who is in a user group: a right ends soon after Slack knows. It answers some 20 such questions a minute."""
_NO_USER = ("user_not_found", "user_not_visible")
_NEVER_TOLD = ("unknown_method", "method_deprecated", "http_404", "http_501")
_NO_GROUP = ("no_such_subteam", "subteam_not_found", "subteam_disabled")


class DirectoryUnavailable(SopdeskError):
    """Slack could not be asked who this person is; nobody is let in meanwhile."""


class Directory:
    """Who people are and which user groups they are in.

    `groups` are the user groups that a level or the list of leads names; no others are asked about.
    """

    def __init__(
        self,
        client: AsyncWebClient,
        groups: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        kept_for: float = KEPT_FOR,
        *,
        delegates: Delegates | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._client = client
        self._groups = tuple(dict.fromkeys(groups))
        self._clock = clock
        self._kept_for = kept_for
        self._delegates = delegates
        self._now = now
        self._home: Home | None = None
        self._users: dict[str, tuple[float, User]] = {}
        self._members: dict[str, tuple[float, frozenset[str]]] = {}

    async def actor(self, user: str, team: str = "") -> Actor:
        """The person with name, language, groups, and whom they stand in for. `team` is what the delivery said. Raises
        DirectoryUnavailable when Slack cannot be asked."""
        found = await self._user(user)
        home = await self._own_team()
        if home.is_foreign(found, team):
            return Actor(id=user, name=name_of(found), lang=lang_of(found.locale), team=found.team_id or team, foreign=True)
        return Actor(
            id=user,
            name=name_of(found),
            lang=lang_of(found.locale),
            team=team,
            groups=await self._groups_of(user),
            stands_for=await self._stands_for(user),
        )

    async def _groups_of(self, user: str) -> tuple[str, ...]:
        return tuple([group for group in self._groups if user in await self.members(group)])

    async def _stands_for(self, user: str) -> tuple[Principal, ...]:
        """Those who named this person their delegate and still have an account: rights do not outlive it."""
        standing = await self._delegates.standing(self._now()) if self._delegates is not None else []
        found: list[Principal] = []
        for each in standing:
            if each.to == user and await self.is_active(each.of):
                name, groups = name_of(await self._user(each.of)), await self._groups_of(each.of)
                found.append(Principal(id=each.of, name=name, groups=groups, levels=each.levels))
        return tuple(found)

    async def is_foreign(self, user: str) -> bool:
        """Whether this person belongs to another team. Raises DirectoryUnavailable."""
        return (await self._own_team()).is_foreign(await self._user(user), "")

    async def _own_team(self) -> Home:
        if self._home is None:
            try:
                self._home = await read(Home, self._client.auth_test())
            except SlackFailed as error:
                raise DirectoryUnavailable from error
        return self._home

    def last_known(self, actor: Actor) -> Actor:
        """The actor with the name and language that Slack told last, if ever, and without groups."""
        kept = self._users.get(actor.id)
        if kept is None:
            return actor.model_copy(update={"groups": ()})
        return Actor(id=actor.id, name=name_of(kept[1]), lang=lang_of(kept[1].locale), team=actor.team)

    async def utc_offset(self, user: str) -> int:
        """Seconds east of UTC in this person's zone. Raises DirectoryUnavailable."""
        return (await self._user(user)).tz_offset

    async def is_active(self, user: str) -> bool:
        """Whether this is a person who can act: not unknown, deactivated or a bot. Raises DirectoryUnavailable."""
        try:
            found = await self._user(user)
        except DirectoryUnavailable as error:
            if isinstance(error.__cause__, SlackFailed) and error.__cause__.code in _NO_USER:
                return False
            raise
        return not (found.deleted or found.is_bot)

    async def members(self, group: str) -> frozenset[str]:
        """The users of a group; none when it does not exist or is disabled. Raises DirectoryUnavailable."""
        kept = self._members.get(group)
        if kept is not None and self._clock() - kept[0] < min(self._kept_for, GROUPS_KEPT_FOR):
            return kept[1]
        try:
            answer = await read(GroupAnswer, self._client.usergroups_users_list(usergroup=group))
            members = frozenset(answer.users)
        except SlackFailed as error:
            if error.code not in _NO_GROUP:
                raise DirectoryUnavailable from error
            members = frozenset()
        self._members[group] = (self._clock(), members)
        return members

    async def _user(self, user: str) -> User:
        kept = self._users.get(user)
        if kept is not None and self._clock() - kept[0] < self._kept_for:
            return kept[1]
        try:
            answer = await read(UserAnswer, self._client.users_info(user=user, include_locale=True))
        except SlackFailed as error:
            if error.code not in _NEVER_TOLD:
                raise DirectoryUnavailable from error
            # It will not be told later either: the id, which Slack vouches for in every delivery, is all there is.
            return User(id=user, name=user)
        self._users[user] = (self._clock(), answer.user)
        return answer.user


def groups_named(levels: Iterable[Level], others: Iterable[str]) -> tuple[str, ...]:
    """The user groups that rights depend on: of the levels, and among the leads and the auditors."""
    named = [group for level in levels for group in level.groups] + [one for one in others if one.startswith("S")]
    return tuple(dict.fromkeys(named))


def mention_of(level: Level) -> str:
    """The people of a level as Slack mentions them: its user groups, else each person."""
    groups = [f"<!subteam^{group}>" for group in level.groups]
    return " ".join(groups or [f"<@{person}>" for person in level.people])

"""What is asked of Slack before the first message: is everything there that the files name?"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ConfigDict
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels import Channels, ChannelUnknown
from bot.clients import SlackFailed, asked
from bot.directory import Directory, DirectoryUnavailable, groups_named
from graph.model import Delegation, Level, Text
from graph.phrases import text

SCOPES = (
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:write",
    "users:read",
)
"""What the bot's token must be allowed to do; `usergroups:read` as well where the files name user groups."""
_log = logging.getLogger(__name__)


class Report(BaseModel):
    """Who the bot is, as far as Slack said, and everything that is missing."""

    model_config = ConfigDict(frozen=True)

    bot_user: str = ""
    team: str = ""
    problems: tuple[Text, ...] = ()

    def words(self, lang: str = "en") -> str:
        """All that is missing, one a line; empty when nothing is."""
        return "\n".join(f"- {problem.zh if lang == 'zh' else problem.en}" for problem in self.problems)


async def check(
    client: AsyncWebClient,
    directory: Directory,
    channels: Channels,
    levels: Mapping[str, Level],
    leads: Iterable[str],
    standing: Iterable[Delegation] = (),
    auditors: Iterable[str] = (),
) -> Report:
    """Ask Slack about token, scopes, channels, people and groups. Never raises for what Slack answers: it is reported."""
    leads, auditors = tuple(leads), tuple(auditors)
    try:
        answer = await asked(client.auth_test())
    except SlackFailed as error:
        return Report(problems=(text("startup.no_auth", code=error.code),))
    data = answer.data if isinstance(answer.data, dict) else {}
    granted = _scopes(answer.headers)
    problems = _missing_scopes(granted, needs_groups=bool(groups_named(levels.values(), (*leads, *auditors))))
    if not levels:
        problems.append(text("startup.no_levels"))
    for level in levels.values():
        problems += await _channel_problems(level, channels)
        problems += await _people_problems(level.name, (*level.people, *level.groups), directory)
        if not level.people and not level.groups:
            problems.append(text("startup.nobody", level=level.name))
    problems += await _quorum_problems(levels, directory)
    for each in standing:
        problems += await _people_problems("delegates", (each.to,), directory)
    problems += await _people_problems("leads", leads, directory)
    problems += await _people_problems("auditors", auditors, directory)
    if not leads:
        problems.append(text("startup.no_leads"))
    return Report(bot_user=str(data.get("user_id", "")), team=str(data.get("team_id", "")), problems=tuple(problems))


def log_report(report: Report) -> None:
    """One message that names everything missing, or one that says all is there."""
    if report.problems:
        _log.warning("Slack is not as the files say. The bot starts; what is named here will not work:\n%s", report.words())
    else:
        _log.info("Slack: token, scopes, channels, people and groups are all there")


def _scopes(headers: Mapping[str, str]) -> frozenset[str] | None:
    for name, value in headers.items():
        if name.lower() == "x-oauth-scopes":
            return frozenset(scope.strip() for scope in value.split(",") if scope.strip())
    return None


def _missing_scopes(granted: frozenset[str] | None, needs_groups: bool) -> list[Text]:
    if granted is None:
        return []
    needed = (*SCOPES, "usergroups:read") if needs_groups else SCOPES
    missing = [scope for scope in needed if scope not in granted]
    return [text("startup.scopes", scopes=", ".join(missing))] if missing else []


async def _channel_problems(level: Level, channels: Channels) -> list[Text]:
    try:
        channel = await channels.find(level.channel)
    except ChannelUnknown:
        return [text("startup.channel_missing", level=level.name, channel=level.channel)]
    except SlackFailed as error:
        return [text("startup.channel_unchecked", level=level.name, channel=level.channel, code=error.code)]
    if channel.is_archived:
        return [text("startup.channel_archived", level=level.name, channel=level.channel)]
    if not channel.is_member:
        return [text("startup.channel_not_in", level=level.name, channel=level.channel)]
    return []


async def _quorum_problems(levels: Mapping[str, Level], directory: Directory) -> list[Text]:
    """Levels that need more approvals than there are persons at them and above."""
    problems: list[Text] = []
    for level in levels.values():
        above = [each for each in levels.values() if each.rank >= level.rank]
        try:
            listed = dict.fromkeys(person for each in above for person in each.people)
            people = {one for one in listed if await directory.is_active(one) and not await directory.is_foreign(one)}
            for group in dict.fromkeys(group for each in above for group in each.groups):
                people |= await directory.members(group)
        except DirectoryUnavailable:
            # Named already, person by person.
            continue
        if 0 < len(people) < level.quorum:
            needed, there = str(level.quorum), str(len(people))
            problems.append(text("startup.quorum", level=level.name, needed=needed, there=there))
    return problems


async def _people_problems(where: str, named: Iterable[str], directory: Directory) -> list[Text]:
    problems: list[Text] = []
    for one in named:
        try:
            if _is_group(one):
                if not await directory.members(one):
                    problems.append(text("startup.group_empty", level=where, group=one))
            elif not await directory.is_active(one):
                problems.append(text("startup.person_missing", level=where, person=one))
            elif await directory.is_foreign(one):
                problems.append(text("startup.person_foreign", level=where, person=one))
        except DirectoryUnavailable as error:
            code = error.__cause__.code if isinstance(error.__cause__, SlackFailed) else "no_answer"
            problems.append(text("startup.unchecked", level=where, who=one, code=code))
    return problems


def _is_group(id_: str) -> bool:
    return id_.startswith("S")

"""Slack's people, groups and channels, asked of a local workspace; and the check at start."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime

import pytest

from bot.channels import Channels, ChannelUnknown
from bot.clients import asking_client
from bot.directory import Directory, DirectoryUnavailable, groups_named, mention_of
from bot.members import Home, User
from bot.settings import Settings
from bot.startup import check
from deploy.local.workspace import Seed, Workspace
from deploy.local.workspace.model import Channel
from deploy.local.workspace.model import User as SeedUser
from graph.model import Delegation, Level, Text
from tests.unit.bot.scripted_desk import LEVELS


@pytest.fixture
async def slack() -> AsyncIterator[Workspace]:
    """A workspace as it starts."""
    made = Workspace()
    await made.start()
    yield made
    await made.stop()


def settings_of(slack: Workspace) -> Settings:
    """Settings that lead to the workspace."""
    return Settings.model_validate({"slack_bot_token": "xoxb-local", "slack_api_url": slack.api_url})


def directory_of(slack: Workspace, clock: list[float] | None = None) -> Directory:
    """A directory of the workspace; `clock` holds its time."""
    now = clock if clock is not None else [0.0]
    return Directory(asking_client(settings_of(slack)), ["S0SUPERVISORS"], lambda: now[0])


def asked(slack: Workspace, method: str) -> int:
    """How often a method was called."""
    return sum(name == method for name, _ in slack.calls)


async def test_an_actor_has_name_language_and_groups(slack: Workspace) -> None:
    """Name and language come from the profile and locale, groups from the lists that were named."""
    directory = directory_of(slack)
    li, kim = await directory.actor("U0LI", "T1"), await directory.actor("U0KIM", "T1")
    assert (li.name, li.lang, li.groups, li.team) == ("李", "zh", (), "T1")
    assert (kim.name, kim.lang, kim.groups) == ("Kim", "en", ("S0SUPERVISORS",))


async def test_answers_are_kept_for_a_while(slack: Workspace) -> None:
    """A second look-up asks nobody, until the time is over: ten minutes for a person, one for who is in a group."""
    clock = [0.0]
    directory = directory_of(slack, clock)
    await directory.actor("U0KIM")
    for seconds, people, groups in ((59.0, 1, 1), (61.0, 1, 2), (599.0, 1, 3), (601.0, 2, 3)):
        clock[0] = seconds
        await directory.actor("U0KIM")
        assert (asked(slack, "users.info"), asked(slack, "usergroups.users.list")) == (people, groups)


@pytest.mark.parametrize("method", ["users.info", "usergroups.users.list"])
async def test_nobody_is_let_in_when_slack_cannot_be_asked(slack: Workspace, method: str) -> None:
    """A failed look-up of the person or of a group raises: it never gives fewer or more groups in silence."""
    slack.faults.refuse(method, "missing_scope", 5)
    with pytest.raises(DirectoryUnavailable):
        await directory_of(slack).actor("U0KIM")


async def test_a_rate_limit_is_waited_out(slack: Workspace) -> None:
    """Reading calls are repeated after 429 and server errors."""
    slack.faults.rate_limit("users.info", 1, retry_after=0)
    slack.faults.fail_before("usergroups.users.list", 1, 503)
    assert (await directory_of(slack).actor("U0KIM")).groups == ("S0SUPERVISORS",)


async def test_channels_are_found_by_name_and_id() -> None:
    """Also on a later page of a large workspace; an unknown one says what to do."""
    seed = Seed()
    seed.channels[1:1] = [Channel(f"C1{number:04}", f"room-{number}", {"U0LI"}) for number in range(450)]
    slack = Workspace(seed)
    await slack.start()
    channels = Channels(asking_client(settings_of(slack)))
    assert (await channels.find("#approvals-supervisor")).id == "C0SUP"
    assert (await channels.find("C0MGR")).name == "approvals-manager"
    assert asked(slack, "conversations.list") == 3
    with pytest.raises(ChannelUnknown, match="invite the bot"):
        await channels.find("approvals-nobody")
    await slack.stop()


def test_a_level_is_mentioned_by_its_groups() -> None:
    """Groups where there are any, else each person; groups of levels and leads are collected once."""
    assert mention_of(LEVELS["supervisor"]) == "<!subteam^S0SUPERVISORS>"
    assert mention_of(LEVELS["manager"]) == "<@U0ZHAO>"
    assert groups_named(LEVELS.values(), ("U0ZHOU", "S0LEADS", "S0SUPERVISORS")) == ("S0SUPERVISORS", "S0LEADS")


async def report(slack: Workspace, levels: dict[str, Level], leads: tuple[str, ...] = ("U0ZHOU",)) -> str:
    """What the check at start says."""
    client = asking_client(settings_of(slack))
    directory = Directory(client, groups_named(levels.values(), leads))
    return (await check(client, directory, Channels(client), levels, leads)).words()


async def test_nothing_is_said_when_all_is_there(slack: Workspace) -> None:
    """The workspace as it starts has everything that the levels name."""
    assert await report(slack, LEVELS) == ""


async def test_everything_that_is_missing_is_named() -> None:
    """Scopes, channels, people, groups and empty levels are all named in one go."""
    seed = Seed(scopes=("channels:read", "groups:read", "users:read", "usergroups:read", "chat:write"))
    seed.users.append(SeedUser("U0GONE", "gone", "Gone", deleted=True))
    for channel in seed.channels:
        if channel.id == "C0MGR":
            channel.members.discard("U0BOT")
    slack = Workspace(seed)
    await slack.start()
    base = Level(name="", label=Text(zh="级", en="level"), rank=1, channel="approvals-supervisor")
    levels = {
        "lost": base.model_copy(update={"name": "lost", "channel": "no-such-room", "people": ("U0WANG",)}),
        "outside": base.model_copy(update={"name": "outside", "channel": "approvals-manager", "people": ("U0GONE",)}),
        "empty": base.model_copy(update={"name": "empty"}),
        "grouped": base.model_copy(update={"name": "grouped", "groups": ("S0NONE",)}),
    }
    said = await report(slack, levels, leads=())
    for name in ("app_mentions:read", "no-such-room", "approvals-manager", "U0GONE", "S0NONE", "empty", "leads"):
        assert name in said
    assert "lets nobody in" in said
    await slack.stop()


async def test_a_wrong_token_is_said_and_does_not_raise(slack: Workspace) -> None:
    """The bot starts, and the report names the setting."""
    slack.faults.refuse("auth.test", "invalid_auth", 5)
    assert "SLACK_BOT_TOKEN" in await report(slack, LEVELS)


async def test_a_missing_channel_is_looked_for_again_later(slack: Workspace) -> None:
    """Not at every card, which would list all channels each time, but once a minute, so that it can be mended."""
    clock = [0.0]
    channels = Channels(asking_client(settings_of(slack)), lambda: clock[0])
    for _ in range(3):
        with pytest.raises(ChannelUnknown):
            await channels.find("approvals-late")
    assert asked(slack, "conversations.list") == 1
    slack.world.channels["C0LATE"] = Channel("C0LATE", "approvals-late", {"U0BOT"})
    clock[0] = 61.0
    assert (await channels.find("approvals-late")).id == "C0LATE"


def with_team(slack: Workspace, user: str, team: str) -> None:
    """Slack says that this person belongs to another team."""
    slack.world.users[user] = replace(slack.world.users[user], team=team)


async def test_a_person_of_another_team_is_foreign_and_has_no_groups(slack: Workspace) -> None:
    """Whatever the delivery says of the team: Slack's own word goes before."""
    with_team(slack, "U0KIM", "T0OTHER")
    directory = directory_of(slack)
    kim = await directory.actor("U0KIM", "T0LOCAL")
    assert (kim.foreign, kim.groups, kim.team, kim.stands_for) == (True, (), "T0OTHER", ())
    assert not (await directory.actor("U0WANG", "T0LOCAL")).foreign
    assert asked(slack, "auth.test") == 1


async def test_nobody_is_let_in_while_the_own_team_is_not_known(slack: Workspace) -> None:
    """Without it a guest could not be told from a colleague."""
    slack.faults.refuse("auth.test", "internal_error", 5)
    with pytest.raises(DirectoryUnavailable):
        await directory_of(slack).actor("U0WANG", "T0LOCAL")


def test_a_member_of_several_workspaces_of_one_organisation_is_at_home() -> None:
    """On Grid a person's own team may be another; membership of ours counts, that of a third does not."""
    home = Home(team_id="T1")
    for teams, team, said, foreign in (
        (("T1", "T2"), "T2", "", False),
        (("T2",), "T2", "", True),
        ((), "T1", "T9", False),
        ((), "", "T9", True),
        ((), "", "T1", False),
        ((), "", "", False),
    ):
        user = User.model_validate({"id": "U1", "team_id": team, "enterprise_user": {"teams": teams}})
        assert home.is_foreign(user, said) is foreign


class Absences:
    """Delegations, as the store gives them."""

    def __init__(self, *standing: Delegation) -> None:
        self._standing = list(standing)

    async def put(self, delegation: Delegation) -> None:
        """Not asked for here."""

    async def drop(self, of: str) -> Delegation | None:
        """Not asked for here."""

    async def standing(self, now: datetime) -> list[Delegation]:
        """Those of the test."""
        return self._standing


async def test_a_delegate_gets_groups_and_levels_of_those_they_stand_in_for(slack: Workspace) -> None:
    """Of nobody whose account is gone: a right does not outlive it."""
    slack.world.users["U0ZHAO"] = replace(slack.world.users["U0ZHAO"], deleted=True)
    both = [
        Delegation(of=of, of_name="old", to="U0EMMA", to_name="Emma", until="2099-01-01", since="", levels=("supervisor",))
        for of in ("U0WANG", "U0ZHAO")
    ]
    directory = Directory(asking_client(settings_of(slack)), ["S0SUPERVISORS"], delegates=Absences(*both))
    emma = await directory.actor("U0EMMA", "T0LOCAL")
    assert emma.groups == ()
    assert [each.model_dump() for each in emma.stands_for] == [
        {"id": "U0WANG", "name": "王", "groups": ("S0SUPERVISORS",), "levels": ("supervisor",)}
    ]
    assert (await directory.actor("U0LI", "T0LOCAL")).stands_for == ()


async def test_who_cannot_decide_is_named_at_start(slack: Workspace) -> None:
    """People of another team, a quorum that cannot be reached, a delegate who is gone."""
    with_team(slack, "U0KIM", "T0OTHER")
    level = Level(name="low", label=Text(zh="级", en="level"), rank=1, channel="approvals-supervisor", people=("U0KIM",))
    levels = {"low": level.model_copy(update={"quorum": 3, "groups": ("S0SUPERVISORS",)})}
    client = asking_client(settings_of(slack))
    gone = Delegation(of="U0WANG", of_name="王", to="U0NONE", to_name="?", until="2099-01-01", since="")
    directory = Directory(client, ["S0SUPERVISORS"])
    said = (await check(client, directory, Channels(client), levels, ("U0ZHOU",), [gone])).words()
    assert "U0KIM, listed under low, belongs to another workspace" in said
    assert "the level low needs 3 approvals, but only 2 people" in said
    assert "U0NONE, listed under delegates, is no active user" in said

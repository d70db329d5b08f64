"""The same desk, listened to by signed HTTP requests instead of a socket."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.serving import PATH
from deploy.local.redis_server import RedisServer
from tests.desk.story import DESK, LI, WANG, Story
from tests.parts.desk import LiveDesk, live_desk
from tests.parts.http import asking


@pytest_asyncio.fixture(scope="module")
async def desk(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveDesk]:
    """A desk without a socket."""
    async with live_desk(redis_server.url, tmp_path_factory.mktemp("desk"), http=True) as running:
        yield running


async def test_the_first_dialogue(desk: LiveDesk) -> None:
    """Request, form with an account, approval, result: mention, click, form and command each over a signed request."""
    story = await Story.open(desk, "给 KL-778 补 80 美元现金，商户漏发接送")
    form = await story.form(await story.asked("bank_info"), "填表单…")
    assert await story.submit(form, {"bank_account": "中国银行 6222 0000 1234，户名王女士"}) is None
    await story.approve("80.00 USD")
    assert "转 20.00 USD 到尾号 1234" in desk.workspace.text(await story.done())
    assert await story.payouts("KL-778") == [{"gateway": "60", "manual_transfer": "20"}]
    assert (await desk.workspace.slash(LI, DESK, "/sop", f"facts {story.case}")).acked
    await story.told(LI, "80.00 USD", DESK)


async def test_errors_stand_under_the_field(desk: LiveDesk) -> None:
    """The answer to a form comes back in the same request."""
    story = await Story.open(desk, "给 KL-502 补 60 积分，导游迟到")
    form = await story.form(await story.asked("approval"), "驳回…", by=WANG)
    errors = await story.submit(form, {"reason": " "}, by=WANG)
    assert errors is not None
    assert list(errors) == ["reason"]


@pytest.mark.parametrize("wrong", ["unsigned", "wrong secret", "old", "changed body"])
async def test_what_is_not_signed_by_slack_is_refused(desk: LiveDesk, wrong: str) -> None:
    """Such a request is answered 401 and opens nothing."""
    words = "<@U0BOT> KL-778 补 20 积分，导游迟到"
    event = {"type": "app_mention", "user": LI, "channel": DESK, "ts": "1.000001", "text": words}
    body = json.dumps({"type": "event_callback", "team_id": "T0LOCAL", "event_id": "Ev1", "event": event})
    stamp = str(int(time.time()) - (600 if wrong == "old" else 0))
    secret = "guessed" if wrong == "wrong secret" else desk.workspace.world.seed.signing_secret
    signed = body.replace("20", "10") if wrong == "changed body" else body
    digest = hmac.new(secret.encode(), f"v0:{stamp}:{signed}".encode(), hashlib.sha256).hexdigest()
    headers = {"Content-Type": "application/json", "X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}
    if wrong == "unsigned":
        headers = {"Content-Type": "application/json"}
    async with asking(f"http://127.0.0.1:{desk.settings.sopdesk_http_port}") as client:
        answer = await client.post(PATH, content=body.encode(), headers=headers)
    assert answer.status_code == 401
    assert await desk.view("1.000001") is None


async def test_a_lost_answer_is_delivered_again(desk: LiveDesk, order: str) -> None:
    """Slack sends again what it got no answer to; it is one case."""
    desk.workspace.faults.drop_acks(2)
    story = await Story.open(desk, f"{order} 补 20 积分，导游迟到")
    await story.done()
    await desk.workspace.settled(15)
    assert await story.payouts(order) == [{"credit": "20"}]

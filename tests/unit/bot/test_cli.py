"""The command line: the same engine without Slack."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, JsonValue

from bot.__main__ import main
from tests.parts.dialogues import TurnOf, dialogues
from tests.parts.model_server import ModelServer
from tests.parts.truthful import TruthfulModel

ALL = {name: turns for name, turns in dialogues().items() if turns[0].sop == "compensation"}
Run = Callable[..., "Printed"]


class Waits(BaseModel):
    """`waiting` as printed."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    step: str
    missing: list[str]
    level: str | None
    request: str


class Printed(BaseModel):
    """The object that `--json` prints: these keys and no others."""

    model_config = ConfigDict(extra="forbid")

    thread: str
    case: str | None
    status: str
    waiting: Waits | None
    facts: dict[str, JsonValue]
    trail: list[dict[str, JsonValue]]
    said: list[str]
    stopped_by: dict[str, JsonValue] | None
    model_calls: dict[str, int]
    tokens: dict[str, int]


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No setting of the machine that runs the tests, and a directory of its own."""
    for name in ("REDIS_URL", "BACKOFFICE_URL", "OPENAI_API_KEY", "SOPDESK_SOPS", "SOPDESK_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    yield


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command that must do what was asked."""

    def ran(*arguments: str) -> Printed:
        assert main([*arguments, "--json"]) == 0
        return Printed.model_validate_json(capsys.readouterr().out)

    return ran


@pytest.mark.parametrize("name", ALL)
def test_dialogue(name: str, run: Run) -> None:
    """Each dialogue gives its facts, waits, calls, skips and outcome, and asks no model when none is configured."""
    told = 0
    for turn in ALL[name]:
        printed = say_or_decide(turn, run)
        fresh, told = printed.trail[told:], len(printed.trail)
        assert printed.model_calls == {"turn": 0, "total": 0}
        assert {key: printed.facts.get(key) for key in turn.facts} == turn.facts
        assert not set(turn.absent + turn.gone) & set(printed.facts)
        assert {entry["step"] for entry in fresh if entry["what"] == "skip"} >= set(turn.skipped)
        if turn.calls is not None:
            assert [entry["tool"] for entry in fresh if entry["what"] == "call"] == turn.calls
        check_end(turn, printed)


@pytest.fixture
def truth(monkeypatch: pytest.MonkeyPatch) -> Iterator[TruthfulModel]:
    """A model that tells the truth, on an endpoint that runs beside the commands."""
    script, loop, ready = TruthfulModel(), asyncio.new_event_loop(), threading.Event()
    server = ModelServer(script)

    def serve() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(server.start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(server.stop())

    thread = threading.Thread(target=serve)
    thread.start()
    assert ready.wait(10)
    monkeypatch.setenv("OPENAI_API_KEY", "scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    yield script
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


@pytest.mark.parametrize("name", ALL)
def test_dialogue_with_a_model(name: str, run: Run, truth: TruthfulModel) -> None:
    """With a model each turn asks it as often as the file says, and all else is the same."""
    total = 0
    for turn in ALL[name]:
        truth.hears(turn.facts, turn.quotes)
        printed = say_or_decide(turn, run)
        total += (turn.model_calls or 0)
        assert printed.model_calls == {"turn": turn.model_calls, "total": total}
        assert {key: printed.facts.get(key) for key in turn.facts} == turn.facts
        check_end(turn, printed)


def say_or_decide(turn: TurnOf, run: Run) -> Printed:
    """The turn as a command."""
    if turn.say is not None:
        return run("say", "t", turn.say)
    assert turn.decide is not None
    return run("decide", "t", turn.decide, *(["--reason", turn.reason] if turn.reason else []))


def check_end(turn: TurnOf, printed: Printed) -> None:
    """What the turn ends in."""
    assert printed.status == (turn.outcome or "waiting")
    if turn.waits is not None:
        assert printed.waiting is not None
        wanted = turn.waits.model_dump(exclude_none=True)
        assert printed.waiting.model_dump(include=set(wanted)) == wanted
    if turn.stopped_by is not None:
        assert printed.stopped_by is not None
        assert (printed.stopped_by["step"], printed.stopped_by["rule"]) == (turn.stopped_by.step, turn.stopped_by.rule)
    if turn.payout is not None:
        paid = printed.facts["compensation"]
        assert isinstance(paid, dict) and isinstance(paid["resources"], list)
        assert {each["kind"]: each["amount"] for each in paid["resources"] if isinstance(each, dict)} == turn.payout
    if turn.answer_says is not None:
        assert printed.case is None
        assert turn.answer_says in " ".join(printed.said)


@pytest.mark.parametrize(
    "arguments", [[], ["say"], ["say", "t"], ["decide", "t", "perhaps"], ["nonsense"], ["say", "t", "x", "--loud"]]
)
def test_wrong_usage_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command that cannot be read is refused in one line that says where to look."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    complaint = capsys.readouterr().err
    assert ended.value.code == 2
    assert complaint.count("\n") == 1
    assert "--help" in complaint


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["say", "", "hello"], "a thread has a name"),
        (["facts", "nowhere"], "there is no case in thread 'nowhere'"),
        (["decide", "nowhere", "approve"], "there is no case in thread 'nowhere'"),
        (["say", "t", "   "], "there is nothing to say"),
        (["check", "no-such-directory"], "no-such-directory: there is no such directory"),
    ],
)
def test_mistake_is_one_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake exits non-zero, prints one line on standard error and nothing else."""
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert complaint in printed.err
    assert printed.err.count("\n") == 1


def test_who_may_not_decide_is_refused(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A user who is not listed, and the requester though listed, are refused; the request stays open."""
    run("say", "t", "给 KL-502 补 300 美元现金，包车迟到", "--as", "U0WANG")
    for user in ("somebody", "U0WANG"):
        assert main(["decide", "t", "approve", "--as", user]) == 1
        assert capsys.readouterr().err.count("\n") == 1
    assert run("facts", "t").status == "waiting"
    assert run("decide", "t", "approve").facts["approved_by"] == "U0KIM"


def test_rejection_needs_a_reason(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A rejection without a reason is refused and changes nothing."""
    run("say", "t", "给 KL-502 补 300 美元现金，包车迟到")
    assert main(["decide", "t", "reject"]) == 1
    assert "--reason" in capsys.readouterr().err
    assert run("facts", "t").status == "waiting"


def test_facts_and_trail_print_the_case(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """`facts` and `trail` show the latest case of the thread, as the same object or in words."""
    said = run("say", "t", "KL-778 补 30 积分，导游迟到")
    for command in ("facts", "trail"):
        shown = run(command, "t")
        assert (shown.case, shown.facts, shown.trail) == (said.case, said.facts, said.trail)
    assert main(["facts", "t"]) == 0
    assert "金额 30.00 USD — “30" in capsys.readouterr().out
    assert main(["trail", "t"]) == 0
    assert "资格核对" in capsys.readouterr().out


def test_check_names_every_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`check` names each mistake of each file, and exits with 1."""
    (tmp_path / "a.yaml").write_text("name: a\ntitle: A\ndescription: d\nsteps:\n  - {id: x, kind: aks}\n")
    (tmp_path / "b.yaml").write_text("name: [\n")
    assert main(["check", str(tmp_path)]) == 1
    complaints = capsys.readouterr().out
    for each in ("a.yaml:5:19: steps[0].kind", "b.yaml:2", "did you mean 'ask'?"):
        assert each in complaints


def test_up_names_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Without tokens `up` says which variables are not set."""
    assert main(["up"]) == 1
    complaint = capsys.readouterr().err
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "REDIS_URL", "BACKOFFICE_URL"):
        assert name in complaint


def test_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A setting of the wrong type is named with its variable."""
    monkeypatch.setenv("SOPDESK_POST_INTERVAL", "often")
    assert main(["check"]) == 1
    assert "SOPDESK_POST_INTERVAL" in capsys.readouterr().err


def test_json_is_plain_json(run: Run) -> None:
    """Amounts are strings, and the bank account is whole: the command line is local."""
    run("say", "t", "给 KL-778 补 80 美元现金，商户漏发接送")
    printed = run("say", "t", "中国银行 6222 0000 1234，户名王女士")
    assert printed.facts["bank_account"] == "中国银行 6222 0000 1234，户名王女士"
    assert json.loads(printed.model_dump_json())["facts"]["amount"] == "80"


def test_draw_prints_mermaid_and_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A procedure by name; one that is not there is named with those that are."""
    assert main(["draw", "refund", "--lang", "en"]) == 0
    assert capsys.readouterr().out.startswith('---\ntitle: "Refund of an order"')
    assert main(["draw", "refund", "--png", str(tmp_path / "refund.png")]) == 0
    assert (tmp_path / "refund.png").read_bytes().startswith(b"\x89PNG")
    assert main(["draw", "refunds"]) == 1
    assert "there are: bandwidth_sales, compensation" in capsys.readouterr().err


@pytest.mark.parametrize(("form", "said"), [("github", "::error file="), ("json", '"code": "unknown-tool"')])
def test_check_speaks_to_machines(form: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As annotations for GitHub, or as JSON."""
    shipped = Path(__file__).parents[3] / "sops" / "compensation.yaml"
    broken = shipped.read_text(encoding="utf-8").replace("tool: get_order", "tool: get_ordr")
    (tmp_path / "a.yaml").write_text(broken, encoding="utf-8")
    assert main(["check", str(tmp_path / "a.yaml"), "--format", form]) == 1
    assert said in capsys.readouterr().out

"""What the environment may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings

NAMES = [name.upper() for name in Settings.model_fields]


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_an_empty_string_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is set to nothing leaves the default in place."""
    monkeypatch.setenv("OPENAI_API_KEY", "")
    monkeypatch.setenv("SLACK_API_URL", "")
    settings = Settings()
    assert settings.openai_api_key is None
    assert settings.slack_api_url == "https://slack.com/api/"


def test_secrets_are_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No token shows when the settings are printed."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-very-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    settings = Settings()
    assert settings.slack_bot_token is not None
    assert "very-secret" not in repr(settings) + str(settings) + settings.model_dump_json()


def test_a_dotenv_file_is_read() -> None:
    """Values in `.env` count."""
    Path(".env").write_text("REDIS_URL=redis://there:1/2\n", encoding="utf-8")
    assert Settings().redis_url == "redis://there:1/2"


def test_what_slack_needs_is_named() -> None:
    """Everything that is missing is named in one go; one of the two ways to listen is enough."""
    missing = "\n".join(Settings().missing_for_slack())
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"):
        assert name in missing
    http = Settings.model_validate({"slack_bot_token": "xoxb-1", "slack_signing_secret": "s"})
    assert "SLACK" not in "".join(http.missing_for_slack())
    assert not http.socket_mode
    socket = Settings.model_validate({"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"})
    assert "SLACK" not in "".join(socket.missing_for_slack())
    assert socket.socket_mode

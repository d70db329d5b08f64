"""The only reader of the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

Role = Literal["listen", "work", "send", "all"]
"""What a process does: Slack -> mailbox, mailbox -> outbox, outbox -> Slack, or all three."""
HEALTH_PORT: Final = 8080
"""Where `sopdesk up` answers probes unless told otherwise."""


@contextmanager
def hidden_from_libraries() -> Iterator[None]:
    """Slack's variables are not in the environment while inside. Bolt looks there for whatever it is not given: the token
    that it must not have, and an OAuth flow of which nobody has said anything here."""
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("SLACK_")}
    try:
        yield
    finally:
        os.environ.update(hidden)


class Settings(BaseSettings):
    """Each field is the environment variable of the same name, in capitals; a file `.env` is read, too.

    An empty string counts as not set. Secrets are never printed.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    slack_bot_token: SecretStr | None = Field(default=None, description="xoxb-…, of the installed app")
    slack_app_token: SecretStr | None = Field(default=None, description="xapp-…; set: Socket Mode")
    slack_signing_secret: SecretStr | None = Field(default=None, description="set without an app token: signed HTTP")
    slack_api_url: str = Field(default="https://slack.com/api/", description="where Slack's Web API answers")

    redis_url: str | None = Field(default=None, description="the one server that stores everything")
    sopdesk_encryption_key: SecretStr | None = Field(
        default=None, description="Fernet keys, separated by commas, the newest first; set: stored cases are encrypted"
    )
    backoffice_url: str | None = Field(default=None, description="where the tools reach the back office")

    openai_api_key: SecretStr | None = Field(default=None, description="unset: the desk reads without a model")
    openai_base_url: str | None = Field(default=None, description="any OpenAI-compatible endpoint")
    sopdesk_model: str = Field(default="gpt-4o-mini", description="name of the model")

    sopdesk_model_json: Literal["json_mode", "json_schema", "function_calling"] = Field(
        default="json_mode", description="how the model is asked for JSON"
    )

    sopdesk_sops: Path | None = Field(default=None, description="directory of procedures; unset: the shipped one")
    sopdesk_timezone: ZoneInfo = Field(default=ZoneInfo("UTC"), description="the desk's; tomorrow is from its today")
    sopdesk_state: Path = Field(default=Path("var"), description="directory for what the laptop keeps")
    sopdesk_tool_timeout: float | None = Field(
        default=None, gt=0, description="seconds for one try of any back office call; unset: the tool's own"
    )
    sopdesk_tool_retries: int | None = Field(
        default=None, ge=0, le=10, description="tries after the first; unset: the tool's own"
    )
    sopdesk_tools: dict[str, dict[str, float]] = Field(
        default={},
        description="limits of single tools as JSON: timeout, retries, pause, open_after, open_for",
    )
    sopdesk_model_timeout: float = Field(default=15.0, gt=0, description="seconds for one answer of the model")
    sopdesk_http_host: str = Field(default="127.0.0.1", description="signed HTTP listens here")
    sopdesk_http_port: int = Field(default=3000, ge=0, le=65535)
    sopdesk_health_host: str = Field(default="127.0.0.1", description="probes and metrics are answered here")
    sopdesk_health_port: int | None = Field(
        default=None, ge=0, le=65535, description="0: no answers; unset: 8080 under `up`, none elsewhere"
    )
    otel_exporter_otlp_endpoint: str | None = Field(default=None, description="set: traces are sent there, over HTTP")
    sopdesk_namespace: str = Field(default="sopdesk", min_length=1, description="prefix of every key in Redis")
    sopdesk_post_interval: float = Field(default=1.0, ge=0, description="seconds between two posts in a channel")
    sopdesk_archive_days: int = Field(default=90, ge=0, description="a case is archived so long after its end; 0: never")
    sopdesk_log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @property
    def socket_mode(self) -> bool:
        """Whether Slack is listened to over a socket; otherwise over signed HTTP requests."""
        return self.slack_app_token is not None

    def missing_for_slack(self, role: Role = "all") -> list[str]:
        """What `sopdesk up` cannot do without in this role, by the name of the variable and what it is; empty when
        nothing is."""
        missing: list[str] = []
        if self.redis_url is None:
            missing.append("REDIS_URL (redis://…, a Redis 8 or Redis Stack)")
        if self.backoffice_url is None and role in ("work", "all"):
            missing.append("BACKOFFICE_URL (http://…, where the tools reach the back office)")
        if self.slack_bot_token is None:
            missing.append("SLACK_BOT_TOKEN (xoxb-…, from the app's page «OAuth & Permissions»)")
        if role in ("listen", "all") and self.slack_app_token is None and self.slack_signing_secret is None:
            missing.append(
                "SLACK_APP_TOKEN (xapp-… with connections:write, for Socket Mode) "
                "or SLACK_SIGNING_SECRET (for signed HTTP requests)"
            )
        return missing

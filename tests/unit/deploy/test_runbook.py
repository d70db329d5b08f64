"""The alerts and the runbook: valid, about numbers that exist, and explained in both languages."""

from __future__ import annotations

import re
from typing import Final

import yaml

from tests.unit.deploy.deployed import Alert, RuleFile, exported, is_command, selectors, variables
from tests.unit.project import text

RUNBOOKS: Final = ("deploy/RUNBOOK.md", "deploy/RUNBOOK.zh.md")
FOREIGN: Final = {
    *("kube_pod_status_ready", "kube_pod_container_status_restarts_total"),
    *("redis_up", "redis_aof_enabled", "redis_aof_last_write_status", "redis_connected_slaves"),
    *("redis_memory_used_bytes", "redis_memory_max_bytes"),
}
"""Metrics of kube-state-metrics and redis_exporter that the alerts use."""


def test_the_alerts_are_rules() -> None:
    """The file has the shape of a Prometheus rule file, and every expression is PromQL and asks for something."""
    assert [rule.alert for rule in _alerts() if not selectors(rule.expr)] == []
    assert [rule.alert for rule in _alerts() if not re.fullmatch(r"\d+[smh]", rule.for_)] == []


def test_the_alerts_look_at_numbers_that_exist() -> None:
    """Every metric is one of bot/metrics.py, with labels and words that it has, or of the two exporters that are named."""
    known, wrong = exported(), []
    for rule in _alerts():
        for selector in selectors(rule.expr):
            name = selector.name or ""
            if name not in FOREIGN and name not in known:
                wrong.append(f"{rule.alert}: {name}")
            for matcher in selector.matchers.matchers if name in known else []:
                labels, about = known[name]
                if matcher.name not in labels or not all(word in about for word in matcher.value.split("|")):
                    wrong.append(f"{rule.alert}: {name}{{{matcher.name}={matcher.value}}}")
    assert wrong == []


def test_every_alert_is_explained_in_both_languages() -> None:
    """An alert has a severity, a summary in both languages, and its section in both runbooks, which explain no others."""
    for rule in _alerts():
        assert rule.labels.severity in ("warning", "critical")
        assert rule.annotations.runbook == f"RUNBOOK.md#{rule.alert.lower()}"
    for runbook in RUNBOOKS:
        sections = re.findall(r"^### (Sopdesk\w+)$", text(runbook), flags=re.MULTILINE)
        assert sorted(sections) == sorted({rule.alert for rule in _alerts()})


def test_the_runbooks_name_real_things() -> None:
    """Metrics, settings and commands in the runbooks exist; the alarms' three parts are all there."""
    for runbook in RUNBOOKS:
        page = text(runbook)
        assert set(re.findall(r"`(sopdesk_\w+)`", page)) <= set(exported())
        named = re.findall(r"\b((?:SOPDESK|SLACK|REDIS|OPENAI|BACKOFFICE)_[A-Z_]+)\b", page)
        assert set(named) <= variables()
        commands = re.findall(r"(?:^|-- |exec \w+ |`)(sopdesk [a-z][^`\n|]*)", page, flags=re.MULTILINE)
        assert len(commands) > 5
        assert [command for command in commands if not is_command(command.split()[1:])] == []
        for heading in ("Means", "Look", "Do") if runbook == RUNBOOKS[0] else ("含义", "查看", "处理"):
            assert len(re.findall(rf"^\*\*{heading}[.。]\*\*", page, flags=re.MULTILINE)) == len(
                {rule.alert for rule in _alerts()}
            )


def test_both_runbooks_give_the_same_commands() -> None:
    """The two languages have the same code blocks, in the same order."""
    blocks = [re.findall(r"^```\w+\n(.*?)^```", text(name), flags=re.MULTILINE | re.DOTALL) for name in RUNBOOKS]
    assert blocks[0] == blocks[1]


def _alerts() -> list[Alert]:
    found = RuleFile.model_validate(yaml.safe_load(text("deploy/alerts.yaml")))
    return [rule for group in found.groups for rule in group.rules]

"""What deploy/ is built and started from, by the validators of the formats and against the program itself."""

from __future__ import annotations

import asyncio
import importlib
import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import pytest
import yaml
from compose_spec import PyCompose
from pydantic import BaseModel, JsonValue
from redis.asyncio import Redis

from bot.__main__ import _parser
from bot.health import Health, Pulse, answering
from bot.settings import Role, Settings
from bot.wiring.vocabulary import load_library
from deploy.local.redis_server import find_binary
from tests.unit.deploy.deployed import (
    DEPLOY,
    Document,
    ScaledObject,
    ServiceMonitor,
    at,
    documents,
    exported,
    items,
    run,
    secret_variables,
    selectors,
    table,
    tool,
    variables,
    words,
)
from tests.unit.project import ROOT, text

ROLES: Final[tuple[Role, ...]] = ("listen", "work", "send")
COMPONENTS: Final = {"plain": (), "operators": ("monitoring", "keda"), "http": ("signed-http", "monitoring")}
VERSIONS: Final = ("1.30.0", "1.37.0")
"""Of Kubernetes: the oldest that is meant to do, and the newest that the validator knows."""
OPERATORS: Final[dict[str, type[BaseModel]]] = {"ServiceMonitor": ServiceMonitor, "ScaledObject": ScaledObject}
PLACEHOLDER: Final = "REPLACE-ME"


class Instruction(Protocol):
    """One instruction, as Docker's parser gives it."""

    cmd: str
    json: bool
    flags: Sequence[str]
    value: Sequence[str]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Builds the example with the shipped procedures and some of the components, as `kubectl apply --kustomize` would."""
    built: dict[str, str] = {}

    def one(variant: str) -> str:
        if variant not in built:
            here = tmp_path_factory.mktemp(variant)
            shutil.copytree(DEPLOY / "k8s", here / "k8s")
            shutil.copytree(ROOT / "sops", here / "k8s/example/sops")
            file = here / "k8s/example/kustomization.yaml"
            wanted = [f"../components/{each}" for each in COMPONENTS[variant]]
            file.write_text(file.read_text("utf-8").replace("components: []", f"components: {wanted}"), "utf-8")
            built[variant] = run(tool("kubectl"), "kustomize", str(here / "k8s/example"))
        return built[variant]

    return one


@pytest.fixture(scope="module")
def plain(build: Callable[[str], str]) -> list[Document]:
    """The example without components."""
    return documents(build("plain"))


@pytest.fixture(scope="module")
def compose() -> Document:
    """The services for one machine, with what they share merged in."""
    [found] = documents(text("deploy/compose.yaml"))
    return found


@pytest.fixture(scope="module")
def dockerfile() -> list[list[Instruction]]:
    """The instructions of the image, stage by stage."""
    pytest.importorskip("dockerfile")
    parse: Callable[[str], Sequence[Instruction]] = importlib.import_module("dockerfile").parse_file
    stages: list[list[Instruction]] = []
    for instruction in parse(str(DEPLOY / "Dockerfile")):
        if instruction.cmd.upper() == "FROM":
            stages.append([])
        stages[-1].append(instruction)
    return stages


# Kubernetes


@pytest.mark.parametrize("variant", COMPONENTS)
@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_the_manifests(build: Callable[[str], str], variant: str, version: str, tmp_path: Path) -> None:
    """Every object of every variant is valid by the strict schema of its kind; two kinds of operators have models here."""
    manifest = tmp_path / "all.yaml"
    found = documents(build(variant))
    foreign = [each for each in found if each["kind"] in OPERATORS]
    for each in foreign:
        OPERATORS[str(each["kind"])].model_validate(each)
    manifest.write_text(yaml.safe_dump_all(each for each in found if each not in foreign), "utf-8")
    said = run(sys.executable, "-m", "kubernetes_validate", "--strict", "--kubernetes-version", version, str(manifest))
    assert said.count(" passed ") == len(found) - len(foreign)


def test_each_role_has_what_it_needs_and_no_other_secret(plain: list[Document]) -> None:
    """With ConfigMap and Secrets no role lacks a setting; only `listen` has the app token, only `work` the model's key."""
    secrets = {str(at(each, "metadata", "name")): table(each["stringData"]) for each in _secrets()}
    for role in ROLES:
        given = dict(_settings(plain))
        for source in items(at(_container(plain, role), "envFrom")):
            if isinstance(source, dict) and "secretRef" in source:
                given |= secrets[str(at(source, "secretRef", "name"))]
        assert set(given) <= variables()
        settings = Settings.model_validate({name.lower(): value for name, value in given.items()})
        assert settings.missing_for_slack(role) == []
        assert ("SLACK_APP_TOKEN" in given, "OPENAI_API_KEY" in given) == (role == "listen", role == "work")


@pytest.mark.parametrize("role", ROLES)
def test_a_pod_starts_its_role_and_may_do_nothing_else(plain: list[Document], role: Role) -> None:
    """The arguments are a command; the pod meets the restricted standard, and the cluster puts no variables into it."""
    pod = at(_of(plain, "Deployment", f"sopdesk-{role}"), "spec", "template", "spec")
    container = _container(plain, role)
    given = _parser().parse_args(words(at(container, "args")))
    assert given.role == role
    assert at(pod, "securityContext", "runAsNonRoot") is True
    assert int(str(at(pod, "securityContext", "runAsUser"))) > 0
    assert at(pod, "securityContext", "seccompProfile", "type") == "RuntimeDefault"
    assert at(container, "securityContext") == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert at(pod, "automountServiceAccountToken") is False and at(pod, "enableServiceLinks") is False
    assert int(str(at(pod, "terminationGracePeriodSeconds"))) > 10
    enforced = "pod-security.kubernetes.io/enforce"
    assert at(_of(plain, "Namespace", "sopdesk"), "metadata", "labels", enforced) == "restricted"


@pytest.mark.parametrize("role", ROLES)
def test_a_pod_is_probed_where_it_answers(plain: list[Document], role: Role) -> None:
    """Probes ask the paths of bot/health.py on the port of the settings, which is open beyond the pod's own loopback."""
    container = _container(plain, role)
    paths = {kind: str(at(container, f"{kind}Probe", "httpGet", "path")) for kind in ("startup", "liveness", "readiness")}
    assert paths == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    ports = {str(at(each, "name")): str(at(each, "containerPort")) for each in items(at(container, "ports"))}
    assert ports["health"] == _settings(plain)["SOPDESK_HEALTH_PORT"]
    assert _settings(plain)["SOPDESK_HEALTH_HOST"] == "0.0.0.0"


def test_every_role_survives_a_drained_node(plain: list[Document]) -> None:
    """Each role has at least two pods, of `work` the autoscaler keeps three, and a disruption budget that selects them."""
    for role in ROLES:
        deployment = _of(plain, "Deployment", f"sopdesk-{role}")
        budget = _of(plain, "PodDisruptionBudget", f"sopdesk-{role}")
        pods = at(deployment, "spec", "template", "metadata", "labels")
        assert at(budget, "spec", "selector", "matchLabels") == pods
        assert at(budget, "spec", "maxUnavailable") == 1
        assert role == "work" or int(str(at(deployment, "spec", "replicas"))) >= 2
    scaler = _of(plain, "HorizontalPodAutoscaler", "sopdesk-work")
    assert at(scaler, "spec", "scaleTargetRef", "name") == "sopdesk-work"
    assert at(scaler, "spec", "minReplicas") == 3
    assert "replicas" not in table(at(_of(plain, "Deployment", "sopdesk-work"), "spec"))


def test_work_is_scaled_by_a_number_that_the_desk_exports(plain: list[Document], build: Callable[[str], str]) -> None:
    """The autoscaler's metric, the adapter's rule for it and KEDA's query name one gauge, and take its maximum."""
    scaler = _of(plain, "HorizontalPodAutoscaler", "sopdesk-work")
    name = str(at(scaler, "spec", "metrics", 0, "external", "metric", "name"))
    [adapter] = documents(text("deploy/k8s/prometheus-adapter.yaml"))
    rule = at(adapter, "rules", "external", 0)
    query = str(at(rule, "metricsQuery"))
    for part, filled in (("Series", name), ("LabelMatchers", 'namespace="sopdesk"'), ("GroupBy", "namespace")):
        query = query.replace(f"<<.{part}>>", filled)
    with_keda = documents(build("operators"))
    scaled = _of(with_keda, "ScaledObject", "sopdesk-work")
    keda = str(at(scaled, "spec", "triggers", 0, "metadata", "query"))
    assert at(rule, "name", "as") == name
    assert name in exported()
    for expression in (str(at(rule, "seriesQuery")), query, keda):
        assert {selector.name for selector in selectors(expression)} == {name}
    assert query.startswith("max") and keda.startswith("max")
    assert [each for each in with_keda if each["kind"] == "HorizontalPodAutoscaler"] == []


def test_the_procedures_reach_the_pods(plain: list[Document], tmp_path: Path) -> None:
    """The ConfigMap of procedures loads without a mistake, and is mounted where the settings say."""
    [procedures] = [each for each in plain if str(at(each, "metadata", "name")).startswith("sopdesk-sops-")]
    for name, content in table(procedures["data"]).items():
        (tmp_path / name).write_text(content, "utf-8")
    assert load_library(tmp_path).sops
    for role in ROLES:
        mounted = items(at(_container(plain, role), "volumeMounts"))
        mounts = {str(at(each, "name")): str(at(each, "mountPath")) for each in mounted}
        assert mounts["sops"] == _settings(plain)["SOPDESK_SOPS"]


def test_no_secret_is_in_the_manifests(plain: list[Document]) -> None:
    """The kustomization holds no Secret, the template only placeholders, and the ConfigMap no setting that is secret."""
    assert [each for each in plain if each["kind"] == "Secret"] == []
    assert {value for each in _secrets() for value in table(each["stringData"]).values()} == {PLACEHOLDER}
    assert set(_settings(plain)) & secret_variables() == set()


def test_no_file_holds_a_token() -> None:
    """Nothing in deploy/ looks like a key of Slack or of a model, or a password in an address."""
    token = re.compile(r"xox[a-z]-\w|xapp-\w|\bsk-\w{8}|://\w*:(?!password@)[^@/\s]+@")
    files = [*DEPLOY.glob("*.*"), DEPLOY / "Dockerfile", *(DEPLOY / "k8s").rglob("*.yaml")]
    assert [file.name for file in files if token.search(file.read_text("utf-8"))] == []


# One machine


def test_compose_takes_the_file(compose: Document) -> None:
    """The file is valid by the Compose specification."""
    PyCompose.from_yaml(yaml.safe_dump(compose, sort_keys=False)).validate()


def test_compose_starts_every_role(compose: Document) -> None:
    """`listen`, two `work` and `send` run commands that the program has, once Redis and the back office are healthy."""
    for role in ROLES:
        service = at(compose, "services", role)
        assert _parser().parse_args(words(at(service, "command"))).role == role
        assert at(service, "depends_on") == {each: {"condition": "service_healthy"} for each in ("redis", "backoffice")}
    assert at(compose, "services", "work", "deploy", "replicas") == 2


def test_compose_gives_settings_and_no_secrets(compose: Document) -> None:
    """The variables are the program's, none of them is secret, and with the tokens of `.env` no role lacks one."""
    tokens = {"slack_bot_token": PLACEHOLDER, "slack_app_token": PLACEHOLDER}
    for role in ROLES:
        given = table(at(compose, "services", role, "environment"))
        assert set(given) <= variables() - secret_variables()
        settings = Settings.model_validate(tokens | {name.lower(): value for name, value in given.items()})
        assert settings.missing_for_slack(role) == []


def test_compose_keeps_services_small_and_lets_them_finish(compose: Document) -> None:
    """Every service runs without privileges on a read-only root, comes back after a crash, and has 15 seconds to stop."""
    services = at(compose, "services")
    assert isinstance(services, dict)
    for service in services.values():
        assert at(service, "read_only") is True and at(service, "cap_drop") == ["ALL"]
        assert at(service, "security_opt") == ["no-new-privileges:true"]
        assert at(service, "restart") == "unless-stopped"
        assert at(service, "stop_grace_period") == "15s"


async def test_redis_starts_as_compose_says(compose: Document, tmp_path: Path) -> None:
    """A real Redis takes the arguments, syncs each write to the disk and evicts nothing."""
    command = words(at(compose, "services", "redis", "command"))
    binary, path = await find_binary(), tmp_path / "socket"
    modules = [word for module in binary.modules for word in ("--loadmodule", str(module))]
    here = ["--port", "0", "--unixsocket", str(path), "--dir", str(tmp_path)]
    assert command[0] == "redis-server"
    server = await asyncio.create_subprocess_exec(
        str(binary.server), *command[1:], *here, *modules, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        async with asyncio.timeout(20):
            while b"Ready to accept connections" not in (line := await server.stdout.readline()):
                assert line, "redis-server ended"
        async with Redis(unix_socket_path=str(path), decode_responses=True) as redis:
            found = await redis.config_get("appendonly", "appendfsync", "maxmemory-policy")
        assert found == {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
    finally:
        server.kill()
        await server.communicate()


def test_the_back_office_takes_its_options(compose: Document) -> None:
    """The stand-in is started by a module that exists, with options that it has."""
    service = at(compose, "services", "backoffice")
    program = words(at(service, "entrypoint"))
    help_ = run(sys.executable, *program[1:], "--help")
    options = [word for word in words(at(service, "command")) if word.startswith("--")]
    assert [option for option in options if option not in help_] == []


# The image


def test_the_image_runs_without_root_and_without_a_shell(dockerfile: list[list[Instruction]]) -> None:
    """The last stage ends up as a numeric user that is not root; the program is started directly, by a real command."""
    last = {each.cmd.upper(): each for each in dockerfile[-1]}
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", last["USER"].value[0])
    assert last["ENTRYPOINT"].json and list(last["ENTRYPOINT"].value) == ["sopdesk"]
    assert last["CMD"].json and _parser().parse_args(list(last["CMD"].value)).role == "all"
    commands = [each for stage in dockerfile for each in stage if each.cmd.upper() in ("RUN", "HEALTHCHECK")]
    assert all(each.json for each in commands)
    assert all(each.value[0] == "python:3.11-slim" for stage in dockerfile for each in stage[:1])


def test_the_image_is_made_of_the_lock_file_and_no_test_tools(dockerfile: list[list[Instruction]]) -> None:
    """pip is held to requirements.lock, and the extras `dev` and `laptop` are not installed."""
    [install] = [each.value for each in dockerfile[0] if "install" in each.value]
    assert install[install.index("--constraint") + 1] == "requirements.lock"
    assert install[-1] in (".", ".[tracing]")


def test_the_build_is_sent_only_what_is_copied(dockerfile: list[list[Instruction]]) -> None:
    """.dockerignore shuts out everything but what the image copies, so that no `.env` gets into it."""
    rules = [line for line in text(".dockerignore").splitlines() if line and not line.startswith("#")]
    copied = {source for each in dockerfile[0] if each.cmd.upper() == "COPY" for source in each.value[:-1]}
    assert rules[0] == "*"
    assert {rule.removeprefix("!") for rule in rules if rule.startswith("!")} == copied
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert "**/.env*" in rules


def test_the_images_variables_are_settings(dockerfile: list[list[Instruction]]) -> None:
    """What the image sets beside Python's own and PATH is a setting of the program."""
    values = [word for each in dockerfile[-1] if each.cmd.upper() == "ENV" for word in each.value]
    names = [name for name in values[::2] if name != "PATH" and not name.startswith("PYTHON")]
    assert names
    assert set(names) <= variables() - secret_variables()


async def test_the_images_health_check_tells_a_stuck_process(dockerfile: list[list[Instruction]]) -> None:
    """The command of HEALTHCHECK succeeds on a living process, and fails once one of its loops is stuck."""
    [check] = [each.value for each in dockerfile[-1] if each.cmd.upper() == "HEALTHCHECK"]
    now = 0.0
    pulse = Pulse(clock=lambda: now)
    pulse.of("worker")()

    async def nothing() -> None:
        return None

    health = Health(pulse=pulse, checks={}, text=lambda: b"", look=nothing)
    port = _free_port()
    async with answering(health, "127.0.0.1", port):
        alive = await _ended([sys.executable, *check[2:]], {"SOPDESK_HEALTH_PORT": str(port)})
        now = 10_000.0
        stuck = await _ended([sys.executable, *check[2:]], {"SOPDESK_HEALTH_PORT": str(port)})
    assert check[:2] == ("CMD", "python")
    assert (alive, stuck == 0) == (0, False)


def _of(found: Sequence[Document], kind: str, name: str) -> Document:
    [one] = [each for each in found if each["kind"] == kind and at(each, "metadata", "name") == name]
    return one


def _container(found: Sequence[Document], role: str) -> JsonValue:
    return at(_of(found, "Deployment", f"sopdesk-{role}"), "spec", "template", "spec", "containers", 0)


def _settings(found: Sequence[Document]) -> dict[str, str]:
    [settings] = [each for each in found if str(at(each, "metadata", "name")).startswith("sopdesk-settings-")]
    return table(settings["data"])


def _secrets() -> list[Document]:
    return documents(text("deploy/k8s/base/secret.example.yaml"))


async def _ended(command: Sequence[str], environment: Mapping[str, str]) -> int:
    process = await asyncio.create_subprocess_exec(
        *command, env=dict(os.environ) | dict(environment), stderr=asyncio.subprocess.DEVNULL
    )
    async with asyncio.timeout(20):
        return await process.wait()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port

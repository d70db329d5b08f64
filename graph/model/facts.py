"""Facts: what is known in a case, typed, with the words it came from."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr
from typing_extensions import TypeAliasType

Lang = Literal["zh", "en"]
FactType = Literal[
    "code", "money", "choice", "text", "date", "phone", "account", "integer", "percent", "boolean", "record", "list"
]
# Strict, since whoever checks one alternative leniently first tries to make the value into it, which takes longer.
JsonValue = TypeAliasType(
    "JsonValue", "StrictStr | StrictInt | StrictBool | None | list[JsonValue] | dict[str, JsonValue]"
)


_HELD: dict[FactType, tuple[type, ...]] = {
    "integer": (int,),
    "percent": (str, int),
    "boolean": (bool,),
    "record": (dict,),
    "list": (list,),
}
_EXACT = 2**53


class Text(BaseModel):
    """One thing said in both languages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    zh: str
    en: str

    def in_(self, lang: Lang) -> str:
        """The words in `lang`."""
        return self.zh if lang == "zh" else self.en


class Fact(BaseModel):
    """One known value. Money is a decimal string with its currency, a record maps names to facts, a list holds facts.

    `quote` is the very words it was taken from, `by` the id of the person, or `tool:NAME`, that supplied it, `at` the
    time as ISO 8601. Keys that the checkpoint saver would take for its own (`lc`, `__…`) are refused.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: FactType
    value: StrictStr | StrictInt | StrictBool | list[Fact] | dict[str, Fact] | None
    currency: str | None = None
    quote: str | None = None
    by: str | None = None
    at: str | None = None
    sensitive: bool = False

    def model_post_init(self, context: object, /) -> None:
        """Refuse what a fact of this type cannot hold. A validator would do it anew wherever a fact is handed on."""
        if (self.type == "record") != isinstance(self.value, dict) or (self.type == "list") != isinstance(self.value, list):
            raise ValueError(f"a fact of type {self.type} cannot hold a {type(self.value).__name__}")
        if self.value is not None and type(self.value) not in _HELD.get(self.type, (str,)):
            raise ValueError(f"a fact of type {self.type} cannot hold a {type(self.value).__name__}")
        if isinstance(self.value, dict):
            bad = [key for key in self.value if key == "lc" or key.startswith("__")]
            if bad:
                raise ValueError(f"a record must not have the key {bad[0]!r}: the checkpoint saver reserves it")
        if self.type == "money" and self.value is not None and not self.currency:
            raise ValueError("money is a decimal string with a currency")
        if self.type in ("money", "percent") and self.value is not None and not _finite(str(self.value)):
            raise ValueError(f"{self.type} must be a finite decimal, not {self.value!r}")
        if isinstance(self.value, str):
            self.value.encode()  # half characters are refused: UnicodeEncodeError is a ValueError
        if type(self.value) is int and not -_EXACT <= self.value <= _EXACT:
            raise ValueError("a whole number beyond 2**53 does not survive the store; keep it as text")

    def plain(self) -> JsonValue:
        """The bare value, as `--json` prints it; money as a string."""
        if isinstance(self.value, dict):
            return {name: fact.plain() for name, fact in self.value.items()}
        if isinstance(self.value, list):
            return [fact.plain() for fact in self.value]
        return self.value

    def essence(self) -> JsonValue:
        """What two facts must share to count as the same: type, value and currency, all the way down."""
        value: JsonValue
        if isinstance(self.value, dict):
            value = {name: fact.essence() for name, fact in self.value.items()}
        elif isinstance(self.value, list):
            value = [fact.essence() for fact in self.value]
        else:
            value = self.value
        return [self.type, value, self.currency]

    def decimal(self) -> Decimal:
        """The exact number of a money, integer or percent fact. ValueError for any other."""
        if self.type not in ("money", "integer", "percent") or not isinstance(self.value, str | int):
            raise ValueError(f"a fact of type {self.type} is not a number")
        return Decimal(self.value)

    def at_path(self, path: str) -> Fact | None:
        """The fact at a dotted path inside this record; None where the path ends early."""
        fact: Fact | None = self
        for name in path.split("."):
            if fact is None or not isinstance(fact.value, dict):
                return None
            fact = fact.value.get(name)
        return fact


def _finite(value: str) -> bool:
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


def plain_facts(facts: Mapping[str, Fact]) -> dict[str, JsonValue]:
    """All facts as bare values."""
    return {name: fact.plain() for name, fact in facts.items()}

"""The back office of the benchmark: in this process and without a network; its cost is small and the same for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import httpx
import orjson

_ORDER: dict[str, object] = {
    "customer": "王女士",
    "product": "东京迪士尼一日票 x2",
    "amount": "320.00",
    "currency": "USD",
    "payment_status": "paid",
    "fraud_status": "pass",
    "open_compensation": None,
    "compensated": [],
}
_BALANCE: dict[str, object] = {"amount": "60.00", "currency": "USD"}
_JSON: Final = {"Content-Type": "application/json"}


@dataclass
class Office:
    """Orders that may be compensated any number of times. `paid` holds each payout by its idempotency key."""

    paid: dict[str, dict[str, object]] = field(default_factory=dict)
    notes: int = 0

    def client(self) -> httpx.AsyncClient:
        """A client whose requests end here."""
        return httpx.AsyncClient(base_url="http://office", transport=httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "GET":
            order = _ORDER | {"order_id": path.split("/")[2]}
            return _told(200, _BALANCE if path.endswith("/gateway-balance") else order)
        if path.endswith("/notes"):
            self.notes += 1
            return _told(201, {"id": self.notes, "text": orjson.loads(request.content)["text"]})
        return _told(201, self._pay(request))

    def _pay(self, request: httpx.Request) -> dict[str, object]:
        number = f"RA{len(self.paid):012d}"
        key = request.headers.get("Idempotency-Key", number)
        if key not in self.paid:
            body = orjson.loads(request.content)
            kind = "credit" if body["comp_type"] == "credit" else "gateway"
            part = {"kind": kind, "amount": body["amount"], "currency": body["currency"]}
            self.paid[key] = {**body, "no": number, "status": "paid", "resources": [part]}
        return self.paid[key]


def _told(status: int, answer: dict[str, object]) -> httpx.Response:
    return httpx.Response(status, content=orjson.dumps(answer), headers=_JSON)

"""The back office of the benchmark: in this process and without a network; its cost is small and the same for all."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import httpx

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
_BALANCE = {"amount": "60.00", "currency": "USD"}


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
            return httpx.Response(200, json=_BALANCE if path.endswith("/gateway-balance") else order)
        if path.endswith("/notes"):
            self.notes += 1
            return httpx.Response(201, json={"id": self.notes, "text": json.loads(request.content)["text"]})
        return httpx.Response(201, json=self._pay(request))

    def _pay(self, request: httpx.Request) -> dict[str, object]:
        number = f"RA{len(self.paid):012d}"
        key = request.headers.get("Idempotency-Key", number)
        if key not in self.paid:
            body = json.loads(request.content)
            kind = "credit" if body["comp_type"] == "credit" else "gateway"
            part = {"kind": kind, "amount": body["amount"], "currency": body["currency"]}
            self.paid[key] = {**body, "no": number, "status": "paid", "resources": [part]}
        return self.paid[key]

"""A small back office for the laptop and the tests: orders, compensations and notes over HTTP.

It stands where your own order system would stand. Money moves in a real SQLite file, each write in one
transaction and at most once per `Idempotency-Key`.
"""

from deploy.local.backoffice.changing import OrderWish
from deploy.local.backoffice.faults import Call, Fault, Faults
from deploy.local.backoffice.service import BackOffice

__all__ = ["BackOffice", "Call", "Fault", "Faults", "OrderWish"]

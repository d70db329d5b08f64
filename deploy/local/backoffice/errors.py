"""Why a request is not carried out: one exception, one table of codes."""

from typing import Final

STATUS: Final[dict[str, int]] = {
    "bad_json": 400,
    "key_required": 400,
    "not_found": 404,
    "not_paid": 409,
    "fraud_review": 409,
    "open_compensation": 409,
    "compensated": 409,
    "refunded": 409,
    "not_changeable": 409,
    "no_room": 409,
    "no_change": 409,
    "price_changed": 409,
    "day_over": 422,
    "bad_amount": 422,
    "bad_request": 422,
    "account_required": 422,
    "key_reused": 422,
    "channel_differs": 422,
    "internal": 500,
    "unavailable": 503,
}


class Refusal(Exception):
    """A request that is refused; nothing was changed.

    `code` is one of `STATUS` and decides the HTTP status. `message` is plain English for whoever runs the caller;
    it never repeats an account number or other free text of the request.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = STATUS[code]

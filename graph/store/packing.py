"""Long texts take up a third of their bytes: compressed, and as signs again, since values in Redis are text here."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Final

LONG: Final = 500
"""Signs from which it pays."""
_PREFIX: Final = "packed1:"
_LEVEL: Final = 4
"""Two thirds of the default's time, for a twentieth more bytes."""
_WINDOW: Final = 14
_MEMORY: Final = 7
"""Half of the defaults': clearing their memory takes longer than packing what is packed here, and no byte is lost."""
_WORDS: Final = (
    # Of the journal's results.
    b'"resources": {"type": "list", "value": [{"type": "record", "value": {"kind": {"type": "text", "value": "'
    b'"compensation_no": {"type": "text", "value": "'
    b'"approver": {"type": "text", "value": "System"}, "status": {"type": "text", "value": "paid"}'
    b'"amount": {"type": "money", "value": "0", "currency": "USD"}'
    b'"comp_type": "credit"customer"product"payment_status"fraud_status"pass"'
    # Of a case's record.
    b'"requests"closed"deadlines"ending": "approved", "decided"level": "supervisor", "routes": [{"kind": "'
    b'"what": "skip", "at": "20"what": "check", "values": {"passed": ["'
    b'"what": "call", "tool": "names": {"bound": {"written": ["trail": [{"step": "plan", "what": "plan", "made": {'
    b'"done": {"status": "done", "worded": true, "applied": ["msg:T"quote": "", "by": "U0'
    b'"type": "choice", "value": "facts": {"order_id": {"type": "code", "value": "'
    b"    prompt: {zh: , en: }\\n    on_reject: {goto: collect, reset: [amount]}\\n\\n  - id: approval\\n    "
    b"kind: approve\\n"
    b"    tiers:\\n      - {max: , level: supervisor, remind_after: 2h, escalate_after: 1d, expire_after: 3d}\\n"
    b"    kind: check\\n    rules: [\\n    kind: ask\\n    fields: [\\n    when: \\n    kind: call\\n    tool: \\n"
    b"    args: {order_id: order_id, amount: amount}\\n    save_as: "
    b"# yaml-language-server: $schema=schema.json\\nname: \\ntitle: \\ndescription: \\n\\nsteps:\\n"
    b'"sop": {"name": "compensation", "digest": "", "text": "lang": "zh", "mode": "sop", "opened_at": "'
    b'"opener": {"id": "U0", "name": "owner": {"id": "state": {"run": "'
    b'"headline": {"amount": "0.00 USD", "way": {"zh": "", "en": "credit"}, "title": {"zh": "", "en": "'
    b'"row": {"case": "C-", "thread": "T0", "status": "done", "order": "", "updated_at": "20'
    # Of a page of the audit log.
    b'"values":{"arguments":{"order_id":"","result":{"amount":""},"fields":["'
    b'"digest":"","effect":"","outcome":"begun","outcome":"done","reason":"","card":"","level":"auto","verdict":"approve"'
    b'"attempts":1,"milliseconds":1,"log":"execution","log":"decision","tool":"","what":"call"},"n":'
    b',"prev":"{"case":"C-","line":{"after":"working ","at":"20","before":"working ","by":"U0","id":"msg:T0","log":"state"'
    b',"request_id":"msg:T","rule":"call","step":"","trace_id":"","version":"","what":"moved"},"n":1,"prev":"'
)
"""What long texts here are likely to say, so that it need not be stored with each. It is part of the format: a change wants
another prefix, and these words kept for what was packed with them."""


def pack(text: str) -> str:
    """`text`, packed where it is long and that makes it shorter."""
    looks_packed = text.startswith(_PREFIX)
    if len(text) < LONG and not looks_packed:
        return text
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=_WORDS)
    packed = packer.compress(text.encode("utf-8", "surrogatepass")) + packer.flush()
    stored = _PREFIX + base64.b64encode(packed).decode()
    return stored if looks_packed or len(stored) < len(text) else text


def unpack(stored: str) -> str:
    """What was packed, or was stored as it is. ValueError when it was packed and does not hold."""
    if not stored.startswith(_PREFIX):
        return stored
    unpacker = zlib.decompressobj(zdict=_WORDS)
    try:
        whole = unpacker.decompress(base64.b64decode(stored[len(_PREFIX) :], validate=True)) + unpacker.flush()
    except (zlib.error, binascii.Error) as error:
        raise ValueError(f"what is packed cannot be unpacked: {error}") from None
    if not unpacker.eof:
        raise ValueError("what is packed has lost its end")
    return whole.decode("utf-8", "surrogatepass")

"""The orders a fresh back office knows: five that the documentation uses, and 200 to browse."""

from dataclasses import dataclass
from typing import Final

from deploy.local.backoffice.models import FraudStatus, PaymentStatus


@dataclass(frozen=True)
class SeedOrder:
    """One seeded order; amounts are in cents."""

    order_id: str
    customer: str
    product: str
    amount_minor: int
    gateway_minor: int
    payment_status: PaymentStatus = "paid"
    fraud_status: FraudStatus = "pass"
    currency: str = "USD"


@dataclass(frozen=True)
class SeedOpenCompensation:
    """A seeded compensation that is still pending; the amount is in cents."""

    no: str
    order_id: str
    amount_minor: int
    reason: str
    at: str
    currency: str = "USD"


NAMED: Final = (
    SeedOrder("KL-778", "王女士", "东京迪士尼一日票 x2", 320_00, 60_00),
    SeedOrder("KL-901", "Daniel Carter", "Kyoto kimono rental, half day", 95_50, 0, payment_status="unpaid"),
    SeedOrder("KL-315", "李先生", "大阪环球影城门票 x3", 270_00, 200_00),
    SeedOrder("KL-502", "陈女士", "北海道包车五日游", 1800_00, 1800_00),
)
DEAR: Final = SeedOrder("KL-2600", "林先生", "瑞士火车通票 x4", 2600_00, 0)
"""Dear enough for its refund to be looked at by a person."""
OPEN: Final = (SeedOpenCompensation("RA2609010001", "KL-315", 30_00, "入园延误", "2026-09-01T00:01:00+00:00"),)

_CUSTOMERS: Final = (
    "张先生", "Emma Wilson", "刘女士", "Lucas Meyer", "赵先生", "Priya Nair", "黄女士",
    "Noah O'Brien", "周先生", "Sofia Rossi", "吴女士", "Hiro Tanaka", "徐先生", "Chloé Martin",
)  # fmt: skip
_PRODUCTS: Final = (
    ("新加坡环球影城门票", 62_00), ("Seoul airport transfer", 38_50), ("香港海洋公园一日票", 58_00),
    ("Mount Fuji day tour", 89_00), ("曼谷水上市场半日游", 34_50), ("Bali snorkelling trip", 72_00),
    ("京都和服体验", 41_00), ("Sydney harbour cruise", 65_90), ("台北 101 观景台门票", 19_80),
    ("Paris museum pass, 2 days", 74_25), ("冲绳潜水体验", 96_00),
)  # fmt: skip


def _numbered(index: int) -> SeedOrder:
    product, price = _PRODUCTS[index % len(_PRODUCTS)]
    tickets = 1 + index % 4
    amount = price * tickets
    unpaid = index % 9 == 4
    reviewed = index % 17 == 8
    return SeedOrder(
        order_id=f"KL-{1001 + index}",
        customer=_CUSTOMERS[index % len(_CUSTOMERS)],
        product=product if tickets == 1 else f"{product} x{tickets}",
        amount_minor=amount,
        gateway_minor=0 if unpaid else (amount, amount // 2, 0)[index % 3],
        payment_status="unpaid" if unpaid else "paid",
        fraud_status="review" if reviewed else "pass",
    )


def seed_orders() -> list[SeedOrder]:
    """KL-778, KL-901, KL-315, KL-502, then KL-1001 to KL-1200, then KL-2600; the same on every call."""
    return [*NAMED, *(_numbered(index) for index in range(200)), DEAR]

"""Every module of tools that procedures may use."""

from __future__ import annotations

from graph.tools import compensation, hotel_change, refund_of_order, refunds, sales

MODULES = (compensation, hotel_change, refund_of_order, refunds, sales)

"""Every word of the page, in Chinese and English."""

from collections.abc import Mapping
from typing import Final, Literal

Language = Literal["zh", "en"]

_WORDS: Final[Mapping[str, Mapping[Language, str]]] = {
    "title": {"zh": "订单后台", "en": "Back office"},
    "local": {"zh": "本机演示数据", "en": "Demo data on this machine"},
    "other_language": {"zh": "English", "en": "中文"},
    "payouts": {"zh": "补偿付款", "en": "Payouts"},
    "no_payouts": {"zh": "还没有付款。", "en": "Nothing has been paid yet."},
    "notes": {"zh": "订单备注", "en": "Order notes"},
    "no_notes": {"zh": "还没有备注。", "en": "There are no notes yet."},
    "orders": {"zh": "订单", "en": "Orders"},
    "no_orders": {"zh": "没有符合的订单。", "en": "No order matches."},
    "search": {"zh": "搜索", "en": "Search"},
    "search_hint": {"zh": "订单号、客人或产品", "en": "Order, customer or product"},
    "clear": {"zh": "清除", "en": "Clear"},
    "earlier": {"zh": "上一页", "en": "Previous"},
    "later": {"zh": "下一页", "en": "Next"},
    "shown": {"zh": "第 {first}–{last} 条，共 {total} 条", "en": "{first}–{last} of {total}"},
    "latest": {"zh": "最近 {shown} 条，共 {total} 条", "en": "Latest {shown} of {total}"},
    "no": {"zh": "单号", "en": "Number"},
    "order": {"zh": "订单", "en": "Order"},
    "amount": {"zh": "金额", "en": "Amount"},
    "type": {"zh": "方式", "en": "Type"},
    "paid_from": {"zh": "付款来源", "en": "Paid from"},
    "reason": {"zh": "原因", "en": "Reason"},
    "approver": {"zh": "审批", "en": "Approved by"},
    "time": {"zh": "时间（UTC）", "en": "Time (UTC)"},
    "note": {"zh": "备注", "en": "Note"},
    "customer": {"zh": "客人", "en": "Customer"},
    "product": {"zh": "产品", "en": "Product"},
    "payment": {"zh": "支付", "en": "Payment"},
    "fraud": {"zh": "风控", "en": "Fraud check"},
    "open": {"zh": "待处理补偿", "en": "Open compensation"},
    "show": {"zh": "显示账号", "en": "Show account"},
    "hide": {"zh": "隐藏账号", "en": "Hide account"},
    "cash": {"zh": "现金", "en": "Cash"},
    "credit": {"zh": "积分", "en": "Credit"},
    "gateway": {"zh": "原路退回", "en": "Gateway"},
    "manual_transfer": {"zh": "手工转账", "en": "Manual transfer"},
    "paid": {"zh": "已支付", "en": "Paid"},
    "unpaid": {"zh": "未支付", "en": "Unpaid"},
    "pass": {"zh": "通过", "en": "Passed"},
    "review": {"zh": "审核中", "en": "In review"},
    "pending": {"zh": "待审批", "en": "Pending"},
    "refunds": {"zh": "退款与渠道", "en": "Refunds and channels"},
    "channel": {"zh": "渠道", "en": "Channel"},
    "answers": {"zh": "渠道回答", "en": "Answers"},
    "days": {"zh": "到账工作日", "en": "Working days"},
    "state": {"zh": "状态", "en": "State"},
    "switch": {"zh": "改成", "en": "Change to"},
    "alipay": {"zh": "支付宝", "en": "Alipay"},
    "wechat": {"zh": "微信", "en": "WeChat Pay"},
    "bank_card": {"zh": "银行卡", "en": "Bank card"},
    "as_stored": {"zh": "按各单状态", "en": "As stored"},
    "processing": {"zh": "处理中", "en": "Processing"},
    "accepted": {"zh": "已受理", "en": "Accepted"},
    "success": {"zh": "成功", "en": "Succeeded"},
    "failed": {"zh": "失败", "en": "Failed"},
    "no_answer": {"zh": "不回应", "en": "No answer"},
    "system_error": {"zh": "系统错误", "en": "System error"},
    "not_submitted": {"zh": "未提交渠道", "en": "Not submitted"},
    "complaint_true": {"zh": "标为客诉", "en": "Mark as complaint"},
    "complaint_false": {"zh": "取消客诉", "en": "No complaint"},
    "retried": {"zh": "重退 {count} 次", "en": "retried {count}×"},
    "paid_refunds": {"zh": "退款付款", "en": "Refunds paid"},
    "no_paid_refunds": {"zh": "还没有退款。", "en": "Nothing has been refunded yet."},
    "leads": {"zh": "销售线索", "en": "Leads"},
    "no_leads": {"zh": "还没有线索。", "en": "There are no leads yet."},
    "contact": {"zh": "联系人", "en": "Contact"},
    "phone": {"zh": "电话", "en": "Phone"},
    "plan": {"zh": "方案", "en": "Plan"},
    "appointment": {"zh": "预约", "en": "Appointment"},
    "complaint": {"zh": "客诉", "en": "Complaint"},
    "true": {"zh": "已到账", "en": "Arrived"},
    "false": {"zh": "未到账", "en": "Not arrived"},
}


class Words:
    """The words of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, word: str, **values: int) -> str:
        """The phrase `word`, its gaps filled with `values`."""
        return _WORDS[word][self.language].format(**values)


def language_of(asked: str | None, accepted: str) -> Language:
    """The language asked for by `?lang=`, else the one that the Accept-Language header prefers, else English."""
    if asked in ("zh", "en"):
        return "zh" if asked == "zh" else "en"
    best: tuple[float, Language] = (0.0, "en")
    for offer in accepted.lower().split(","):
        name, _, quality = offer.strip().partition(";q=")
        language: Language | None = "zh" if name[:2] == "zh" else "en" if name[:2] == "en" else None
        weight = _weight(quality)
        if language is not None and weight > best[0]:
            best = (weight, language)
    return best[1]


def _weight(quality: str) -> float:
    try:
        return float(quality) if quality else 1.0
    except ValueError:
        return 0.0

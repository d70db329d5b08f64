"""Pure functions from a view to Slack's blocks, within Slack's limits and escaped."""

from blocks.approval import approval_card
from blocks.ask import ask_card
from blocks.audit import audit_card
from blocks.budget import Json
from blocks.case import case_card
from blocks.cases import case_list, pending_list
from blocks.coach import brief_card, customer_card, scenarios_card, score_card, scores_card, turns_card
from blocks.confirm import confirm_card
from blocks.decision_forms import amount_form, option_form, question_form, reason_of, reject_form, settle_form
from blocks.delegations import delegations_card
from blocks.diagram import diagram_card
from blocks.facts import facts_card
from blocks.forms import cancel_form, changed_values, correct_form, details_form, hand_over_form
from blocks.hold import hold_card
from blocks.home import home
from blocks.inputs import form_errors, form_values
from blocks.inquiry import inquiry_card
from blocks.kit import Card
from blocks.offer import offer_card
from blocks.press import Do, Press, action_id, callback_id, decode, is_ours
from blocks.reminder import deputised_card, reminder_card
from blocks.reply import counted, no_rights, received, reply_card
from blocks.result import result_card
from blocks.review import review_card
from blocks.start_forms import handbook_form, new_case_form
from blocks.surroundings import Offer, Place, Surroundings
from blocks.trail import trail_card
from blocks.unbound import unbound_card

__all__ = [
    "Card",
    "Do",
    "Json",
    "Offer",
    "Place",
    "Press",
    "Surroundings",
    "action_id",
    "amount_form",
    "approval_card",
    "ask_card",
    "audit_card",
    "brief_card",
    "callback_id",
    "cancel_form",
    "case_card",
    "case_list",
    "changed_values",
    "confirm_card",
    "correct_form",
    "counted",
    "customer_card",
    "decode",
    "delegations_card",
    "deputised_card",
    "details_form",
    "diagram_card",
    "facts_card",
    "form_errors",
    "form_values",
    "hand_over_form",
    "handbook_form",
    "hold_card",
    "home",
    "inquiry_card",
    "is_ours",
    "new_case_form",
    "no_rights",
    "offer_card",
    "option_form",
    "pending_list",
    "question_form",
    "reason_of",
    "received",
    "reject_form",
    "reminder_card",
    "reply_card",
    "result_card",
    "review_card",
    "scenarios_card",
    "score_card",
    "scores_card",
    "settle_form",
    "trail_card",
    "turns_card",
    "unbound_card",
]

"""People fill in forms: submit, close, and what the bot's answer does to the form."""

from collections.abc import Mapping

from .core import Core
from .delivery import Receipt
from .elements import complaint, elements, filled
from .errors import ActionRefused, ApiError
from .escaping import unescape
from .model import Json, View

TROUBLE = "We had some trouble connecting. Try again?"


class Submitting(Core):
    """Submitting and closing views."""

    async def submit(
        self, user: str, view: View | str | None = None, values: Mapping[str, object] | None = None
    ) -> dict[str, str] | None:
        """Fill in the form and send it; the top one if no view is named.

        `values` maps a field's block_id, action_id or label to text, an option's label or value, or a list of
        these. Returns the errors shown under the fields by block_id, those of Slack itself included, or None if
        the form was taken. Under the key "" stands what is not about a field.
        """
        form = self._view(user, view)
        for name, given in (values or {}).items():
            self.fill(form, name, given)
        errors = _complaints(form)
        if not errors:
            errors = await self._submission(user, form)
        form.errors = errors
        self.world.changed()
        return errors or None

    def fill(self, form: View, name: str, given: object) -> None:
        """Put a value into one field, without sending anything."""
        for block in form.blocks:
            for element in elements(block):
                label = (block.get("label") or {}).get("text", "")
                if name in (block["block_id"], element["action_id"], label, unescape(label)):
                    form.state.setdefault(block["block_id"], {})[element["action_id"]] = filled(element, given)
                    return
        names = ", ".join(f"{b['block_id']!r}" for b in form.blocks if b["type"] == "input")
        raise ActionRefused(f"the form has no field {name!r}; there are {names}")

    async def close_view(self, user: str, view: View | str | None = None, *, all_: bool = False) -> Receipt | None:
        """Close a form by its cross or Close button. The bot hears of it only if it asked to (notify_on_close)."""
        form = self._view(user, view)
        closed = self.forms.clear(user) if all_ else [self.forms.close_top(user)]
        if form not in closed:
            raise ActionRefused("only the top form can be closed")
        if form.body.get("clear_on_close"):
            self.forms.clear(user)
        if not form.body.get("notify_on_close"):
            return None
        payload = self._interaction("view_closed", user) | {"view": self.forms.as_json(form), "is_cleared": all_}
        return await self.dispatcher.interact("interactive", payload)

    async def _submission(self, user: str, form: View) -> dict[str, str]:
        payload = self._interaction("view_submission", user) | {
            "trigger_id": self.world.new_trigger(user, form.id), "view": self.forms.as_json(form),
            "response_urls": [],
        }
        receipt = await self.dispatcher.interact("interactive", payload, accepts_response=True)
        if not receipt.acked:
            return {"": TROUBLE}
        if form.id not in self.world.views:
            return {}
        try:
            return self._answered(user, form, receipt.response)
        except ApiError as error:
            return {"": f"{TROUBLE} ({error})"}

    def _answered(self, user: str, form: View, response: Json | str | None) -> dict[str, str]:
        if not response:
            self.forms.close_top(user)
            return {}
        if isinstance(response, str):
            raise ApiError("invalid_response", [f"a submission takes JSON or nothing, not {response[:80]!r}"])
        match response.get("response_action"):
            case "errors":
                return _checked_errors(form, response.get("errors"))
            case "update":
                self.forms.replace(form, response.get("view"))
            case "push":
                self.forms.push_for(user, response.get("view"))
            case "clear":
                self.forms.clear(user)
            case other:
                raise ApiError("invalid_response_action", [f"{other!r} is none of errors, update, push, clear"])
        return {}


def _checked_errors(form: View, errors: object) -> dict[str, str]:
    fields = {block["block_id"] for block in form.blocks if block["type"] == "input"}
    if not isinstance(errors, dict) or not errors:
        raise ApiError("invalid_errors", ["errors must be an object of block_id to text"])
    if unknown := set(errors) - fields:
        raise ApiError("invalid_errors", [f"no input block {sorted(unknown)}; there are {sorted(fields)}"])
    return {str(key): str(text) for key, text in errors.items()}


def _complaints(form: View) -> dict[str, str]:
    out = {}
    for block in form.blocks:
        if block["type"] != "input":
            continue
        element = block["element"]
        value = form.state[block["block_id"]][element["action_id"]]
        if text := complaint(element, value, bool(block.get("optional"))):
            out[block["block_id"]] = text
    return out

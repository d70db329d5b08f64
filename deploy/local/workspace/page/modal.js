// Modals: the top view of the person's stack.

import { blocks } from "./blocks.js";
import { el, icon } from "./dom.js";
import { restore, valueOf } from "./elements.js";
import { t } from "./i18n.js";
import { plain } from "./mrkdwn.js";

let shown = null;

/** Draw the top view, or nothing. */
export function drawModal(view, app) {
  if (!view) {
    shown?.node.remove();
    shown = null;
    return;
  }
  if (!shown || shown.id !== view.id || shown.hash !== view.hash) {
    const typed = shown?.id === view.id ? values(shown) : {};
    shown?.node.remove();
    shown = build(view, app);
    document.body.append(shown.node);
    shown.node.showModal();
    for (const { block, item, node } of fields(shown)) if (block.block_id in typed) restore(item, node, typed[block.block_id]);
    fields(shown)[0]?.node.focus();
  }
  complain(view.errors);
}

function fields(form) {
  return form.view.blocks.filter((block) => block.type === "input").map((block) => ({
    block, item: block.element,
    node: form.node.querySelector(`[data-block="${CSS.escape(block.block_id)}"] .field`),
  }));
}

const values = (form) => Object.fromEntries(fields(form).map(({ block, item, node }) => [block.block_id, valueOf(item, node)]));

function complain(errors) {
  for (const { block, node } of fields(shown)) {
    const line = node.parentNode.querySelector(".field-error");
    line.textContent = errors[block.block_id] ?? "";
    line.hidden = !errors[block.block_id];
    node.setAttribute("aria-invalid", String(Boolean(errors[block.block_id])));
  }
  const whole = shown.node.querySelector(".form-error");
  whole.textContent = errors[""] ?? "";
  whole.hidden = !errors[""];
  shown.node.querySelector("[aria-invalid=true]")?.scrollIntoView({ block: "center" });
}

function build(view, app) {
  const world = app.world();
  const form = { id: view.id, hash: view.hash, view, node: null };
  const act = (item, option) => app.do({ do: item.type === "button" ? "click" : "choose", view: view.id,
    action_id: item.action_id, value: item.value, option, values: values(form) });
  const close = () => app.do({ do: "close", view: view.id });
  const submit = el("button", { type: "submit", class: "kit-button primary" }, plain(view.submit));
  const send = async (event) => {
    event.preventDefault();
    if (!view.submit || submit.disabled) return;
    submit.disabled = true;
    try { await app.do({ do: "submit", view: view.id, values: values(form) }); } finally { submit.disabled = false; }
  };
  form.node = el("dialog", { class: "modal", data: { testid: "modal" }, aria: { label: plain(view.title) },
    on: { cancel: (event) => { event.preventDefault(); close(); } } },
  el("form", { novalidate: true, on: { submit: send } },
    el("header", {}, el("span", { class: "avatar bot", aria: { hidden: "true" } }, "S"), el("h2", {}, plain(view.title)),
      el("button", { type: "button", class: "plain-button", title: t("close"), aria: { label: t("close") },
        on: { click: close } }, icon("close"))),
    el("div", { class: "modal-body" }, el("div", { class: "form-error", role: "alert", hidden: true }),
      ...blocks(view.blocks, { state: view.state.values, act, world, form: true })),
    el("footer", {},
      el("button", { type: "button", class: "kit-button", on: { click: close } },
        plain(view.close) || (view.previous_view_id ? t("back") : view.submit ? t("cancel") : t("close"))),
      view.submit ? submit : null)));
  return form;
}

// Block Kit's interactive elements. `act(element, option)` sends what was pressed or picked.

import { confirmed } from "./confirm.js";
import { el, icon, popup } from "./dom.js";
import { t } from "./i18n.js";
import { plain, text } from "./mrkdwn.js";

const allOptions = (element) => [...(element.options ?? []), ...(element.option_groups ?? []).flatMap((g) => g.options)];

/** One element as a node; `held` is its value in `state`. */
export function element(item, held, act, world, label) {
  const draw = { button, overflow, static_select: select, users_select: select, multi_static_select: boxes,
    checkboxes: boxes, radio_buttons: boxes, datepicker: date, plain_text_input: box, number_input: box }[item.type];
  const node = draw(item, held, act, world, label);
  node.dataset.action = item.action_id;
  return node;
}

/** Ask again where the app wants that, then send. */
async function send(item, act, world, option) {
  if (!item.confirm || (await confirmed(item.confirm, world))) await act(item, option);
}

function button(item, _held, act, world) {
  const node = el("button", {
    type: "button", class: `kit-button ${item.style ?? ""}`,
    aria: item.accessibility_label ? { label: item.accessibility_label } : {},
    on: {
      click: async () => {
        if (item.url) window.open(item.url, "_blank", "noopener");
        node.disabled = true;
        try { await send(item, act, world); } finally { node.disabled = false; }
      },
    },
  }, plain(item.text));
  return node;
}

function overflow(item, _held, act, world) {
  const node = el("button", {
    type: "button", class: "kit-button overflow", title: t("overflow"), aria: { label: t("overflow"), haspopup: "menu" },
    on: {
      click: () => popup(node, item.options.map((option) => ({
        label: plain(option.text), hint: option.description ? plain(option.description) : null,
        run: () => send(item, act, world, option.value),
      })), t("overflow")),
    },
  }, icon("more"));
  return node;
}

function select(item, held, act, world, label) {
  const people = item.type === "users_select";
  const chosen = people ? held?.selected_user : held?.selected_option?.value;
  const option = (o) => el("option", { value: o.value, selected: o.value === chosen }, plain(o.text));
  const choices = people
    ? Object.entries(world.users).filter(([, user]) => !user.bot)
        .map(([id, user]) => el("option", { value: id, selected: id === chosen }, user.name))
    : item.options
      ? item.options.map(option)
      : item.option_groups.map((group) => el("optgroup", { label: plain(group.label) }, ...group.options.map(option)));
  const placeholder = plain(item.placeholder) || t("choose");
  const node = el("select", {
    class: "kit-select", aria: { label: label ?? placeholder },
    on: { change: () => { if (act) send(item, act, world, node.value || null); } },
  }, el("option", { value: "", selected: !chosen }, placeholder), ...choices);
  return node;
}

function boxes(item, held, act, world, label) {
  const single = item.type === "radio_buttons";
  const chosen = new Set((single ? [held?.selected_option] : held?.selected_options ?? []).map((o) => o?.value));
  const group = `${item.action_id}-${crypto.randomUUID()}`;
  const node = el("div", { class: `kit-boxes ${item.type}`, role: single ? "radiogroup" : "group",
    aria: { label: label ?? plain(item.placeholder) } });
  const changed = () => {
    const values = [...node.querySelectorAll("input:checked")].map((input) => input.value);
    if (act) send(item, act, world, single ? values[0] : values);
  };
  for (const option of allOptions(item))
    node.append(el("label", {}, el("input", {
      type: single ? "radio" : "checkbox", name: group, value: option.value, checked: chosen.has(option.value),
      on: { change: changed },
    }), el("span", {}, ...text(option.text, world),
      option.description ? el("span", { class: "hint" }, ...text(option.description, world)) : null)));
  return node;
}

function date(item, held, act, world, label) {
  const node = el("input", { type: "date", class: "kit-input short", value: held?.selected_date ?? "",
    aria: { label: label ?? plain(item.placeholder) },
    on: { change: () => { if (act) send(item, act, world, node.value || null); } } });
  return node;
}

function box(item, held, act, world, label) {
  const number = item.type === "number_input";
  const props = { class: "kit-input", placeholder: plain(item.placeholder), aria: { label: label ?? "" },
    maxlength: item.max_length ? String(item.max_length) : "3000", autocomplete: "off",
    ...(number ? { inputmode: "decimal", type: "text" } : {}) };
  const node = item.multiline ? el("textarea", { ...props, rows: "4" }) : el("input", { type: "text", ...props });
  node.value = held?.value ?? "";
  if (act) node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !item.multiline) act(item, node.value || null);
  });
  return node;
}

/** What an element drawn in a form holds, as the server takes it. */
export function valueOf(item, node) {
  switch (item.type) {
    case "multi_static_select":
    case "checkboxes":
      return [...node.querySelectorAll("input:checked")].map((input) => input.value);
    case "radio_buttons":
      return node.querySelector("input:checked")?.value ?? null;
    default:
      return node.value || null;
  }
}

/** Put back what was typed before a form was drawn anew. */
export function restore(item, node, value) {
  const many = Array.isArray(value) ? value : [value];
  if (["multi_static_select", "checkboxes", "radio_buttons"].includes(item.type))
    for (const input of node.querySelectorAll("input")) input.checked = many.includes(input.value);
  else node.value = value ?? "";
}

// Block Kit's blocks as DOM nodes.

import { el } from "./dom.js";
import { element } from "./elements.js";
import { t } from "./i18n.js";
import { plain, richText, text } from "./mrkdwn.js";

const LONG = 1200;

/** All blocks. `act(element, option)` sends actions; `state` holds what is picked; `form` is true in a modal. */
export function blocks(list, { state = {}, act, world, form = false }) {
  const context = { state, act, world, form };
  return list.map((block) => {
    const node = (DRAW[block.type] ?? unknown)(block, context);
    node.classList.add("block", `block-${block.type}`);
    node.dataset.block = block.block_id ?? "";
    return node;
  });
}

const held = (block, item, state) => state[block.block_id]?.[item.action_id];

function picture(item) {
  const source = item.image_url ?? (item.slack_file?.id ? `/_ui/files/${encodeURIComponent(item.slack_file.id)}` : "");
  return el("img", { src: source || item.slack_file?.url, alt: item.alt_text, title: item.alt_text });
}

function accessory(block, { state, act, world }) {
  const item = block.accessory;
  if (!item) return null;
  const node = item.type === "image" ? picture(item) : element(item, held(block, item, state), act, world);
  return el("div", { class: "accessory" }, node);
}

/** Slack folds long sections; ours fold by length. */
function foldable(node, length, expand) {
  if (expand || length < LONG) return node;
  node.classList.add("folded");
  const toggle = el("button", { type: "button", class: "link", on: { click: () => {
    toggle.textContent = node.classList.toggle("folded") ? t("seeMore") : t("seeLess");
  } } }, t("seeMore"));
  return el("div", {}, node, toggle);
}

const DRAW = {
  header: (block) => el("div", { role: "heading", aria: { level: "3" } }, plain(block.text)),
  divider: () => el("hr"),
  section: (block, context) => {
    const words = block.text ? foldable(el("div", { class: "words" }, ...text(block.text, context.world)),
      block.text.text.length, block.expand || context.form) : null;
    const fields = block.fields ? el("div", { class: "fields" },
      ...block.fields.map((field) => el("div", {}, ...text(field, context.world)))) : null;
    return el("div", {}, el("div", { class: "section-main" }, words, fields), accessory(block, context));
  },
  context: (block, { world }) => el("div", {}, ...block.elements.map((item) =>
    item.type === "image" ? picture(item) : el("span", {}, ...text(item, world)))),
  actions: (block, { state, act, world }) => el("div", {}, ...block.elements.map((item) =>
    element(item, held(block, item, state), act, world))),
  image: (block) => el("figure", {}, block.title ? el("figcaption", {}, plain(block.title)) : null, picture(block)),
  rich_text: (block, { world }) => el("div", {}, ...richText(block, world)),
  input: (block, { state, act, world }) => {
    const label = plain(block.label);
    const item = block.element;
    const node = element(item, held(block, item, state), block.dispatch_action ? act : null, world, label);
    node.classList.add("field");
    return el("div", {},
      el("div", { class: "label" }, label, block.optional ? el("span", { class: "hint" }, ` ${t("optional")}`) : null),
      node,
      el("div", { class: "field-error", role: "alert", hidden: true }),
      block.hint ? el("div", { class: "hint" }, plain(block.hint)) : null);
  },
};

const unknown = (block) => el("div", {}, block.type);

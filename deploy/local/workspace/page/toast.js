// Short words at the foot of the page.

import { el } from "./dom.js";

/** Show a line for a few seconds. */
export function toast(words) {
  const node = el("div", { class: "toast" }, words);
  document.getElementById("toasts").append(node);
  setTimeout(() => node.remove(), 6000);
}

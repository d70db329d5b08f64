// Short words at the foot of the page.

import { el } from "./dom.js";

/** Show a line for a few seconds. */
export function toast(words) {
  const node = el("div", { class: "toast" }, words);
  const box = document.getElementById("toasts");
  box.append(node);
  // Shown anew, it lies above an open form.
  box.hidePopover();
  box.showPopover();
  setTimeout(() => node.remove(), 6000);
}

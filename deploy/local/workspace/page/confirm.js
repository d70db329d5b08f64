// The dialog that asks again.

import { el } from "./dom.js";
import { plain, text } from "./mrkdwn.js";

/** True if the person confirms. */
export function confirmed(dialog, world) {
  return new Promise((resolve) => {
    const done = (answer) => { node.close(); node.remove(); resolve(answer); };
    const node = el("dialog", { class: "modal confirm", aria: { label: plain(dialog.title) },
      on: { cancel: (event) => { event.preventDefault(); done(false); } } },
      el("header", {}, el("h2", {}, plain(dialog.title))),
      el("div", { class: "modal-body" }, ...text(dialog.text, world)),
      el("footer", {},
        el("button", { type: "button", class: "kit-button", on: { click: () => done(false) } }, plain(dialog.deny)),
        el("button", { type: "button", class: `kit-button ${dialog.style === "danger" ? "danger" : "primary"}`,
          on: { click: () => done(true) } }, plain(dialog.confirm))));
    document.body.append(node);
    node.showModal();
  });
}

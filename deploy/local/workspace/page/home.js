// The app's own page: Home and Messages.

import { blocks } from "./blocks.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";

/** The two tabs of the app. */
export function tabs(app, homeShown) {
  const tab = (name, on, run) => el("button", { type: "button", role: "tab", class: on ? "on" : "",
    aria: { selected: String(on) }, on: { click: run } }, name);
  return el("div", { class: "tabs", role: "tablist" },
    tab(t("home"), homeShown, () => app.openHome()), tab(t("messagesTab"), !homeShown, () => app.openMessages()));
}

/** Draw the Home tab. */
export function drawHome(box, view, app) {
  const print = JSON.stringify([view?.id, view?.hash, app.world().me, document.documentElement.lang]);
  if (box.print === print) return;
  box.print = print;
  const act = (item, option) => app.do({ do: item.type === "button" ? "click" : "choose", view: view.id,
    action_id: item.action_id, value: item.value, option });
  box.replaceChildren(view
    ? el("div", { class: "home-blocks", data: { testid: "home" } },
      ...blocks(view.blocks, { state: view.state.values, act, world: app.world() }))
    : el("p", { class: "empty" }, t("noHome")));
}

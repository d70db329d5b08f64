// Building DOM nodes. Outside text only ever becomes text nodes or attribute values, never markup.

/** An element. `props`: class, on (listeners), data, aria, and any attribute or property by name. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "on") for (const [name, run] of Object.entries(value)) node.addEventListener(name, run);
    else if (key === "data") Object.assign(node.dataset, value);
    else if (key === "aria") for (const [name, text] of Object.entries(value)) node.setAttribute(`aria-${name}`, text);
    else if (key in node && typeof value !== "string") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const PATHS = {
  hash: "M7 3 5.5 17M14.5 3 13 17M3.5 7.5h14M2.5 12.5h14",
  lock: "M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3",
  reply: "M4 4h12v9H9l-4 3.5V13H4z",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  close: "M5 5l10 10M15 5 5 15",
  send: "M3 4l14 6-14 6 2-6zM5 10h6",
  plus: "M10 4v12M4 10h12",
  eye: "M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  down: "M6 8l4 4 4-4",
  file: "M5 3h7l3 3v11H5zM12 3v3h3",
  home: "M3 10l7-6 7 6M5 9v8h10V9",
  at: "M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm0 0v1.5a2 2 0 0 0 4 0V10a7 7 0 1 0-3 5.7",
  slash: "M12 4 8 16",
};

/** A line icon. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

const COLOURS = ["#1d7a5f", "#8a3ffc", "#b35900", "#0b6bcb", "#a5274a", "#4a6b1f", "#5b4bb0", "#00707a", "#8c4a2f"];

/** The square with a person's initial. */
export function avatar(id, user, small = false) {
  if (user?.bot) return el("span", { class: `avatar bot${small ? " small" : ""}`, aria: { hidden: "true" } }, "S");
  const colour = [...id].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % COLOURS.length;
  const node = el("span", { class: `avatar${small ? " small" : ""}`, aria: { hidden: "true" } },
    [...(user?.name ?? "?")][0].toUpperCase());
  node.style.background = COLOURS[colour];
  return node;
}

/** A menu at a button; closes on choice, Escape or a click elsewhere. `items`: {label, hint, danger, run} or null. */
export function popup(anchor, items, label) {
  document.querySelector(".popup")?.remove();
  const menu = el("div", { class: "popup", role: "menu", aria: { label } });
  const close = () => {
    menu.remove();
    document.removeEventListener("pointerdown", outside, true);
    anchor.setAttribute("aria-expanded", "false");
  };
  const outside = (event) => { if (!menu.contains(event.target)) close(); };
  for (const item of items) {
    if (!item) { menu.append(el("hr")); continue; }
    menu.append(el("button", {
      type: "button", role: "menuitem", class: item.danger ? "danger-item" : "",
      on: { click: () => { close(); anchor.focus(); item.run(); } },
    }, el("span", {}, item.label), item.hint ? el("span", { class: "hint" }, item.hint) : null));
  }
  menu.addEventListener("keydown", (event) => {
    const all = [...menu.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") { event.stopPropagation(); close(); anchor.focus(); }
    if (step) { event.preventDefault(); all.at((all.indexOf(document.activeElement) + step) % all.length).focus(); }
  });
  (anchor.closest("dialog") ?? document.body).append(menu);
  const box = anchor.getBoundingClientRect();
  const width = menu.offsetWidth, height = menu.offsetHeight;
  const below = box.bottom + 4 + height < innerHeight;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  menu.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - height - 4)}px`;
  anchor.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", outside, true);
  menu.querySelector("button")?.focus();
}

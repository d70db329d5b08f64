// The box to write in, with @names, /commands and files.

import { el, icon } from "./dom.js";
import { t } from "./i18n.js";

/** A composer. `options`: testid, placeholder(), send({text, files, broadcast}), world(), commands, broadcast(). */
export function composer(options) {
  let files = [];
  let chosen = 0;
  const notice = el("div", { class: "notice", role: "alert", hidden: true });
  const offers = el("div", { class: "offers", role: "listbox", hidden: true });
  const chips = el("div", { class: "chips" });
  const box = el("textarea", { rows: "1", data: { testid: options.testid }, aria: { label: "" }, on: {
    input: () => { grow(); suggest(); notice.hidden = true; }, keydown: key, blur: () => setTimeout(hide, 150) } });
  const also = el("input", { type: "checkbox" });
  const alsoLine = el("label", { class: "also" }, also, el("span", {}));
  const send = el("button", { type: "button", class: "send", on: { click: submit } }, icon("send"));
  const picker = el("input", { type: "file", hidden: true, multiple: true, on: { change: () => {
    files.push(...[...picker.files].map((file) => ({ name: file.name, mimetype: file.type || "application/octet-stream" })));
    picker.value = "";
    chip();
  } } });
  const tool = (name, run) => el("button", { type: "button", class: "tool", on: { click: run } }, icon(name));
  const attach = tool("plus", () => picker.click());
  const at = tool("at", () => insert("@"));
  const slash = options.commands ? tool("slash", () => insert("/")) : null;
  const node = el("div", { class: "composer" }, notice, offers,
    el("div", { class: "frame" }, box, chips, el("div", { class: "tools" }, attach, at, slash, picker, el("span", { class: "gap" }), send)),
    options.broadcast ? alsoLine : null);

  function grow() {
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 180)}px`;
    send.disabled = !box.value.trim() && !files.length;
  }

  function chip() {
    chips.replaceChildren(...files.map((file) => el("span", { class: "file" }, icon("file"), el("span", {}, file.name),
      el("button", { type: "button", aria: { label: t("removeFile", file.name) }, on: { click: () => {
        files = files.filter((one) => one !== file);
        chip();
      } } }, icon("close")))));
    grow();
  }

  function insert(sign) {
    box.focus();
    const before = box.value.slice(0, box.selectionStart);
    box.setRangeText(sign === "@" && before && !/\s$/.test(before) ? " @" : sign, box.selectionStart, box.selectionEnd, "end");
    grow();
    suggest();
  }

  function matches() {
    const before = box.value.slice(0, box.selectionStart);
    const world = options.world();
    const command = /^\/(\w*)$/.exec(before);
    if (command && options.commands) return Object.entries(world.commands)
      .filter(([name]) => name.startsWith(`/${command[1]}`))
      .map(([name, hint]) => ({ from: 0, text: `${name} `, label: name, hint }));
    const name = /(?:^|\s)@([^\s@]*)$/.exec(before);
    if (!name) return [];
    const wanted = name[1].toLowerCase();
    return Object.values(world.users)
      .filter((user) => user.handle !== "slackbot" && [user.handle, user.name.toLowerCase()].some((one) => one.startsWith(wanted)))
      .filter((user) => user.handle !== wanted && user.name.toLowerCase() !== wanted)
      .map((user) => ({ from: before.length - name[1].length - 1, text: `@${user.handle} `, label: user.name, hint: user.bot ? t("app") : `@${user.handle}` }));
  }

  function suggest() {
    const found = matches().slice(0, 8);
    chosen = 0;
    offers.hidden = !found.length;
    offers.replaceChildren(...found.map((item, index) => el("button", {
      type: "button", role: "option", class: index ? "" : "on", on: { pointerdown: (event) => { event.preventDefault(); take(item); } },
    }, el("strong", {}, item.label), el("span", { class: "hint" }, item.hint))));
    offers.items = found;
  }

  const hide = () => { offers.hidden = true; };

  function take(item) {
    box.setRangeText(item.text, item.from, box.selectionStart, "end");
    hide();
    grow();
    box.focus();
  }

  function key(event) {
    if (event.isComposing) return;
    if (!offers.hidden) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        chosen = (chosen + step + offers.items.length) % offers.items.length;
        [...offers.children].forEach((child, index) => child.classList.toggle("on", index === chosen));
        return;
      }
      if (event.key === "Tab" || event.key === "Enter") { event.preventDefault(); take(offers.items[chosen]); return; }
      if (event.key === "Escape") { event.stopPropagation(); hide(); return; }
    }
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); submit(); }
  }

  async function submit() {
    const text = box.value.trim();
    if (!text && !files.length) return;
    const draft = { text, files, broadcast: also.checked };
    const kept = box.value;
    box.value = "";
    files = [];
    also.checked = false;
    hide();
    chip();
    const answer = await options.send(draft);
    if (answer.ok) return;
    notice.textContent = answer.error;
    notice.hidden = false;
    if (!box.value) { box.value = kept; files = draft.files; chip(); }
  }

  /** Take the words of the current language and place. */
  function label() {
    box.placeholder = options.placeholder();
    box.setAttribute("aria-label", options.placeholder());
    for (const [button, word] of [[send, "send"], [attach, "attach"], [at, "mention"], [slash, "command"]])
      if (button) { button.title = t(word); button.setAttribute("aria-label", t(word)); }
    if (options.broadcast) alsoLine.lastChild.textContent = t("also", options.broadcast());
    grow();
  }

  label();
  return { node, label, focus: () => box.focus(), clear: () => { box.value = ""; notice.hidden = true; files = []; chip(); } };
}

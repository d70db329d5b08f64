// The page: what is looked at, and how a snapshot becomes what is seen.

import { composer } from "./composer.js";
import { el, icon } from "./dom.js";
import { drawHome, tabs } from "./home.js";
import { chooseLanguage, t } from "./i18n.js";
import { drawMessages, stick } from "./messages.js";
import { drawModal } from "./modal.js";
import { live, post } from "./net.js";
import { drawSidebar } from "./sidebar.js";
import { toast } from "./toast.js";

const query = new URLSearchParams(location.search);
chooseLanguage(query.get("lang"));
const look = { as: query.get("as") ?? "", channel: query.get("channel"), thread: query.get("thread"), home: query.has("home") };
let flash = query.get("at");
let world = null;
let warned = null;

const app = {
  look,
  world: () => world,
  do: (body, quiet) => post({ as: world.me, ...body }, quiet),
  openChannel: (channel) => go({ channel, thread: null, home: false }),
  openThread: (thread) => go({ thread }),
  openHome: () => { go({ channel: dm().id, thread: null, home: true }); app.do({ do: "home", tab: "home" }); },
  openMessages: () => { go({ home: false }); app.do({ do: "home", tab: "messages" }); },
  become: (user) => { go({ as: user, thread: null }); },
  edit: (message) => editInPlace(message),
};

const dm = () => world.channels.find((channel) => channel.im);
const current = () => world?.channels.find((channel) => channel.id === look.channel);
const roomName = () => (current()?.im ? world.users[world.bot].name : `#${current()?.name ?? ""}`);

function go(change) {
  const moved = "channel" in change || "as" in change;
  Object.assign(look, change);
  const address = new URLSearchParams();
  for (const key of ["as", "channel", "thread"]) if (look[key]) address.set(key, look[key]);
  if (look.home) address.set("home", "1");
  if (query.get("lang")) address.set("lang", query.get("lang"));
  history.replaceState(null, "", `?${address}`);
  if (moved) { mainList.replaceChildren(); mainList.stuck = true; mainComposer.clear(); }
  if ("thread" in change) { threadList.replaceChildren(); threadList.stuck = true; threadComposer.clear(); }
  tell();
}

const say = (thread) => async (draft) => app.do({ do: "say", channel: look.channel, thread, ...draft }, true);
const mainHead = el("header", { class: "bar" });
const mainList = el("div", { class: "messages", role: "log", tabIndex: 0, data: { testid: "messages" } });
const homeBox = el("div", { class: "home" });
const mainComposer = composer({ testid: "composer", placeholder: () => (world ? t("messageTo", roomName()) : ""),
  world: () => world, commands: true, send: (draft) => say(null)(draft) });
document.getElementById("main").append(mainHead, mainList, homeBox, mainComposer.node);

const threadHead = el("header", { class: "bar" });
const threadList = el("div", { class: "messages", role: "log", tabIndex: 0, data: { testid: "thread-messages" } });
const threadComposer = composer({ testid: "thread-composer", placeholder: () => t("replyIn"), world: () => world,
  broadcast: () => roomName(), send: (draft) => say(look.thread)(draft) });
document.getElementById("thread").append(threadHead, threadList, threadComposer.node);

for (const list of [mainList, threadList]) stick(list);

function drawHead() {
  const channel = current();
  const title = channel?.im
    ? [el("span", { class: "avatar bot small", aria: { hidden: "true" } }, "S"), el("h1", {}, roomName())]
    : [icon(channel?.private ? "lock" : "hash"), el("h1", {}, channel?.name ?? "")];
  const print = JSON.stringify([channel?.id, look.home, channel?.members, document.documentElement.lang]);
  if (mainHead.print === print) return;
  mainHead.print = print;
  mainHead.replaceChildren(el("div", { class: "title" }, ...title),
    channel?.topic ? el("span", { class: "topic" }, channel.topic) : "",
    el("span", { class: "gap" }),
    channel && !channel.im ? el("span", { class: "members" }, t("memberCount", channel.members)) : "",
    channel?.im ? tabs(app, look.home) : "");
}

function drawThread() {
  const panel = document.getElementById("thread");
  panel.hidden = !world.thread;
  document.body.classList.toggle("with-thread", Boolean(world.thread));
  if (!world.thread) return;
  threadHead.replaceChildren(el("div", { class: "title" }, el("h1", {}, t("thread"))), el("span", { class: "topic" }, roomName()),
    el("span", { class: "gap" }), el("button", { type: "button", class: "plain-button", title: t("close"),
      aria: { label: t("close") }, on: { click: () => go({ thread: null }) } }, icon("close")));
  if (world.thread.messages.length) drawMessages(threadList, world.thread.messages, app, "thread");
  else threadList.replaceChildren(el("p", { class: "empty" }, t("parentGone")));
  threadComposer.label();
}

function drawMain() {
  const channel = current();
  mainList.hidden = look.home;
  homeBox.hidden = !look.home;
  mainComposer.node.hidden = look.home || !channel;
  if (look.home) drawHome(homeBox, world.home, app);
  else if (world.messages.length) drawMessages(mainList, world.messages, app, "main");
  else mainList.replaceChildren(el("div", { class: "empty" },
    el("h2", {}, channel ? t("empty", roomName()) : t("notMember")),
    channel?.bot ? el("p", {}, t("try", world.users[world.bot].handle)) : ""));
  mainComposer.label();
}

function draw(snapshot) {
  const first = !world;
  world = snapshot;
  look.as = world.me;
  if (!current()) {
    const room = world.channels.find((channel) => !channel.im) ?? dm();
    look.channel = look.home ? dm().id : room?.id ?? null;
    look.thread = null;
    tell();
  }
  if (first && look.home) { look.channel = dm().id; tell(); app.do({ do: "home", tab: "home" }); }
  // A picture of another place than the one looked at is on its way out.
  if (world.channel !== look.channel || (world.thread?.ts ?? null) !== (look.thread ?? null)) return drawSidebar(sidebar, app);
  document.title = `${roomName()} · ${world.team}`;
  drawSidebar(sidebar, app);
  drawHead();
  drawMain();
  drawThread();
  drawModal(world.views.at(-1), app);
  warn();
  point();
  document.body.dataset.version = String(world.version);
}

function warn() {
  const last = world.warnings.at(-1);
  if (last && warned !== null && last.at > warned) toast(last.text);
  warned = last?.at ?? "";
}

function point() {
  if (!flash) return;
  const node = document.querySelector(`[data-ts="${CSS.escape(flash)}"]`);
  flash = null;
  node?.classList.add("flash");
  node?.scrollIntoView({ block: "center" });
}

function editInPlace(message) {
  const node = document.querySelector(`[data-ts="${CSS.escape(message.ts)}"] .text`);
  if (!node) return;
  const box = el("textarea", { class: "kit-input", rows: "2", aria: { label: t("edit") } });
  box.value = message.text.replace(/<@(\w+)>/g, (whole, id) => (world.users[id] ? `@${world.users[id].handle}` : whole))
    .replace(/<(https?:[^|>]+)>/g, "$1").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const cancel = () => form.replaceWith(node);
  const save = () => { cancel(); app.do({ do: "edit", channel: message.channel, ts: message.ts, text: box.value }); };
  const form = el("div", { class: "editing" }, box,
    el("button", { type: "button", class: "kit-button", on: { click: cancel } }, t("cancel")),
    el("button", { type: "button", class: "kit-button primary", on: { click: save } }, t("save")));
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") cancel(); });
  node.replaceWith(form);
  box.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.own-link");
  if (!link) return;
  const found = /\/archives\/(\w+)\/p(\d+)(\d{6})/.exec(link.href);
  if (!found || !world.channels.some((channel) => channel.id === found[1])) return;
  event.preventDefault();
  flash = `${found[2]}.${found[3]}`;
  go({ channel: found[1], thread: new URL(link.href).searchParams.get("thread_ts"), home: false });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && look.thread && !document.querySelector("dialog[open]")) go({ thread: null });
});

const sidebar = document.getElementById("sidebar");
const tell = live(() => ({ as: look.as, channel: look.channel, thread: look.thread }), draw);

// A list of messages, drawn so that what has not changed stays as it is.

import { blocks } from "./blocks.js";
import { clock, day, fromTs } from "./dates.js";
import { avatar, el, icon, popup } from "./dom.js";
import { t } from "./i18n.js";
import { mrkdwn } from "./mrkdwn.js";
import { toast } from "./toast.js";

const GROUP_SECONDS = 300;

/** A list that shows its end goes on showing it while messages, pictures or the window change. */
export function stick(box) {
  const follow = () => { if (box.stuck) box.scrollTop = box.scrollHeight; };
  box.stuck = true;
  box.addEventListener("scroll", () => { box.stuck = box.scrollHeight - box.scrollTop - box.clientHeight < 40; });
  box.addEventListener("load", follow, true);
  new ResizeObserver(follow).observe(box);
}

/** Draw `messages` into `box`. `app` offers do(action), openThread(ts), world(). */
export function drawMessages(box, messages, app, place) {
  const old = new Map([...box.children].map((node) => [node.dataset.key, node]));
  const wanted = rows(messages, app, place);
  const nodes = wanted.map(({ key, print, draw }) => {
    const known = old.get(key);
    if (known && known.print === print) return known;
    const node = draw();
    node.dataset.key = key;
    node.print = print;
    return node;
  });
  if (nodes.length !== box.children.length || nodes.some((node, index) => box.children[index] !== node)) {
    for (const child of [...box.children]) if (!nodes.includes(child)) child.remove();
    nodes.forEach((node, index) => { if (box.children[index] !== node) box.insertBefore(node, box.children[index] ?? null); });
    if (box.stuck) box.scrollTop = box.scrollHeight;
  }
}

function rows(messages, app, place) {
  const world = app.world();
  const zone = world.users[world.me].tz;
  const out = [];
  let last = null;
  for (const [index, message] of messages.entries()) {
    const date = fromTs(message.ts);
    const shownDay = day(date, zone);
    if (place === "main" && (!last || day(fromTs(last.ts), zone) !== shownDay)) {
      out.push({ key: `day-${message.ts}`, print: shownDay,
        draw: () => el("div", { class: "day", role: "separator" }, el("span", {}, shownDay)) });
      last = null;
    }
    if (place === "thread" && index === 1) {
      const words = replyWords(messages.filter((one) => !one.private).length - 1);
      out.push({ key: "count", print: words, draw: () => el("div", { class: "reply-count" }, words) });
      last = null;
    }
    const joined = last && last.user === message.user && !message.private && !last.private && !message.subtype &&
      Number(message.ts) - Number(last.ts) < GROUP_SECONDS && !last.reply_count;
    out.push({ key: message.ts, print: JSON.stringify([message, joined, world.me, place, document.documentElement.lang]),
      draw: () => drawMessage(message, joined, app, place) });
    last = message;
  }
  return out;
}

const replyWords = (count) => (count === 1 ? t("reply1") : t("replies", count));

function drawMessage(message, joined, app, place) {
  const world = app.world();
  const user = world.users[message.user];
  const zone = world.users[world.me].tz;
  const time = clock(fromTs(message.ts), zone);
  const stamp = el("time", { class: "time", title: fromTs(message.ts).toLocaleString() }, time);
  const head = joined ? null : el("div", { class: "byline" },
    el("span", { class: "name" }, user?.name ?? message.user),
    user?.bot ? el("span", { class: "badge-app" }, t("app")) : null, stamp);
  const node = el("article", {
    class: `message${joined ? " joined" : ""}${message.private ? " private" : ""}`, data: { ts: message.ts },
    aria: { label: `${user?.name ?? message.user} ${time}` },
  },
  el("div", { class: "gutter" }, joined ? stamp : avatar(message.user, user)),
  el("div", { class: "content" },
    message.private ? el("div", { class: "only-you" }, icon("eye"), t("onlyYou"), " · ",
      el("button", { type: "button", class: "link", on: { click: () => app.do({ do: "dismiss", ts: message.ts }) } },
        t("dismiss"))) : null,
    head,
    message.subtype === "thread_broadcast" && place === "main" ? broadcastLine(message, app) : null,
    body(message, app), files(message), place === "main" ? summary(message, app) : null));
  node.append(toolbar(message, app, place));
  return node;
}

function body(message, app) {
  const world = app.world();
  const act = (item, option) => app.do({
    do: item.type === "button" ? "click" : "choose", channel: message.channel, ts: message.ts,
    action_id: item.action_id, value: item.value, option,
  });
  const list = message.blocks ?? [];
  // What people typed is kept as text with references, which our own rich_text has not.
  if (list.length && message.bot) return el("div", { class: "blocks" }, ...blocks(list, { state: message.state, act, world }));
  const edited = message.edited ? el("span", { class: "edited" }, ` ${t("edited")}`) : null;
  return message.text ? el("div", { class: "text" }, ...mrkdwn(message.text, world), edited) : null;
}

const files = (message) => (message.files ?? []).map((file) => (file.mimetype?.startsWith("image/") && file.url_private)
  ? el("figure", { class: "block block-image" }, el("figcaption", {}, file.title), el("img", { src: file.url_private, alt: file.title }))
  : el("div", { class: "file" }, icon("file"), el("span", {}, file.name ?? file.title)));

function broadcastLine(message, app) {
  return el("div", { class: "only-you" }, t("repliedInThread"), " · ", el("button", {
    type: "button", class: "link", on: { click: () => app.openThread(message.thread_ts) } }, t("viewThread")));
}

function summary(message, app) {
  if (!message.reply_count) return null;
  const world = app.world();
  const zone = world.users[world.me].tz;
  const last = fromTs(message.latest_reply);
  return el("button", { type: "button", class: "summary", data: { testid: "thread-summary" },
    on: { click: () => app.openThread(message.ts) } },
  el("span", { class: "faces" }, ...message.reply_users.slice(0, 4).map((id) => avatar(id, world.users[id], true))),
  el("span", { class: "count" }, replyWords(message.reply_count)),
  el("span", { class: "last" }, t("lastReply", day(last, zone).toLowerCase(), clock(last, zone))));
}

function toolbar(message, app, place) {
  const world = app.world();
  const bar = el("div", { class: "toolbar" });
  if (message.private) return bar;
  if (place === "main") bar.append(el("button", { type: "button", title: t("replyInThread"), aria: { label: t("replyInThread") },
    on: { click: () => app.openThread(message.thread_ts ?? message.ts) } }, icon("reply")));
  const more = el("button", { type: "button", title: t("more"), aria: { label: t("more"), haspopup: "menu" }, on: { click: () => {
    const shortcuts = Object.entries(world.message_shortcuts).map(([id, name]) => ({ label: name, hint: world.users[world.bot].name,
      run: () => app.do({ do: "shortcut", callback_id: id, channel: message.channel, ts: message.ts }) }));
    const own = message.user === world.me ? [null,
      { label: t("edit"), run: () => app.edit(message) },
      { label: t("remove"), danger: true, run: () => app.do({ do: "delete", channel: message.channel, ts: message.ts }) }] : [];
    popup(more, [...shortcuts, shortcuts.length ? null : undefined, { label: t("copyLink"), run: () => copy(message.permalink) }, ...own]
      .filter((item) => item !== undefined), t("more"));
  } } }, icon("more"));
  bar.append(more);
  return bar;
}

async function copy(link) {
  try { await navigator.clipboard.writeText(link); toast(link); } catch { toast(link); }
}

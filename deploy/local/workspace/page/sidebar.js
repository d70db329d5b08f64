// The left side: channels, the app, and who one is.

import { avatar, el, icon } from "./dom.js";
import { lang, t } from "./i18n.js";

/** Draw the sidebar. */
export function drawSidebar(box, app) {
  const world = app.world();
  const look = app.look;
  const print = JSON.stringify([world.channels, world.me, look.channel, look.home, document.documentElement.lang, world.users]);
  if (box.print === print) return;
  box.print = print;
  const rooms = world.channels.filter((channel) => !channel.im);
  const dm = world.channels.find((channel) => channel.im);
  const person = el("select", { data: { testid: "person" }, aria: { label: t("you") },
    on: { change: () => app.become(person.value) } },
  ...Object.entries(world.users).filter(([, user]) => !user.bot).map(([id, user]) =>
    el("option", { value: id, selected: id === world.me }, title(user))));
  const focused = document.activeElement?.dataset?.testid === "person";
  box.replaceChildren(
    el("header", {}, el("span", { class: "team" }, world.team)),
    el("div", { class: "rooms" },
      el("h2", {}, t("channels")),
      ...rooms.map((channel) => row(channel, app, icon(channel.private ? "lock" : "hash"), channel.name,
        !look.home && look.channel === channel.id, () => app.openChannel(channel.id))),
      el("h2", {}, t("apps")),
      dm ? row(dm, app, avatar(world.bot, world.users[world.bot], true), world.users[world.bot].name,
        look.home || look.channel === dm.id, () => app.openHome()) : null),
    el("footer", {}, avatar(world.me, world.users[world.me]),
      el("label", {}, el("span", {}, t("you")), person)));
  if (focused) person.focus();
}

/** Titles are written "中文 / English". */
function title(user) {
  const parts = user.title.split(" / ");
  const own = lang() === "zh" ? parts[0] : parts.at(-1);
  return own ? `${user.name} · ${own}` : user.name;
}

function row(channel, app, sign, name, on, run) {
  const badge = channel.unread
    ? el("span", { class: `count${channel.mentions ? " loud" : ""}`, title: t("unread", channel.unread) }, String(channel.unread)) : null;
  return el("button", { type: "button", class: `room${on ? " on" : ""}${channel.unread ? " unread" : ""}`,
    data: { channel: channel.id }, aria: on ? { current: "page" } : {}, on: { click: run } },
  sign, el("span", { class: "room-name" }, name), badge);
}

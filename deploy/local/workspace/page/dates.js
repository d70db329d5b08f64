// Clock times and days in the reader's zone.

import { lang, t } from "./i18n.js";

const locale = () => (lang() === "zh" ? "zh-CN" : "en-US");
const format = (date, zone, options) => new Intl.DateTimeFormat(locale(), { timeZone: zone, ...options }).format(date);
const dayKey = (date, zone) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(date);

export const clock = (date, zone) => format(date, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
export const fromTs = (ts) => new Date(Number(ts.split(".")[0]) * 1000);

/** "Today", "Yesterday" or the date. */
export function day(date, zone, options = { weekday: "long", month: "long", day: "numeric" }) {
  const now = Date.now();
  const key = dayKey(date, zone);
  if (key === dayKey(new Date(now), zone)) return t("today");
  if (key === dayKey(new Date(now - 86400000), zone)) return t("yesterday");
  if (key === dayKey(new Date(now + 86400000), zone)) return t("tomorrow");
  return format(date, zone, options);
}

/** Slack's <!date^…> tokens. */
export function dateTokens(seconds, pattern, zone) {
  const date = new Date(seconds * 1000);
  const long = { year: "numeric", month: "long", day: "numeric" };
  const short = { year: "numeric", month: "short", day: "numeric" };
  const full = { weekday: "long", ...long };
  const forms = {
    date_num: () => dayKey(date, zone), date: () => format(date, zone, long),
    date_short: () => format(date, zone, short), date_long: () => format(date, zone, full),
    date_pretty: () => day(date, zone, long), date_short_pretty: () => day(date, zone, short),
    date_long_pretty: () => day(date, zone, full), time: () => clock(date, zone),
    time_secs: () => format(date, zone, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
  };
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (forms[name] ? forms[name]() : whole));
}

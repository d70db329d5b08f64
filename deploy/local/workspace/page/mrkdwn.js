// Slack's mrkdwn as DOM nodes.

import { dateTokens } from "./dates.js";
import { el } from "./dom.js";

const EMOJI = {
  white_check_mark: "✅", x: "❌", warning: "⚠️", tada: "🎉", eyes: "👀", "+1": "👍", "-1": "👎", wave: "👋",
  hourglass_flowing_sand: "⏳", lock: "🔒", moneybag: "💰", memo: "📝", heavy_check_mark: "✔️",
};
const WORD = "\\p{L}\\p{N}_";
const mark = (sign) => `(?<![${WORD}${sign}])${sign}(?=\\S)([^${sign}\\n]+?)(?<=\\S)${sign}(?![${WORD}${sign}])`;
const INLINE = new RegExp(
  `\`([^\`\\n]+)\`|<([^<>]+)>|${mark("\\*")}|${mark("_")}|${mark("~")}|:([a-z0-9_+-]+):`, "gu");

export const unescape = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const emoji = (text) => text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => EMOJI[name] ?? whole);

/** plain_text as a string. */
export const plain = (item) => (item ? emoji(unescape(item.text)) : "");

/** A text object as nodes. */
export function text(item, world) {
  if (!item) return [];
  return item.type === "mrkdwn" ? mrkdwn(item.text, world) : lines(plain(item));
}

/** mrkdwn as nodes. */
export function mrkdwn(source, world) {
  const out = [];
  for (const [index, part] of source.split(/```([\s\S]+?)```/).entries()) {
    if (index % 2) out.push(el("pre", {}, unescape(part.replace(/^\n/, ""))));
    else if (part) out.push(...paragraphs(part, world));
  }
  return out;
}

function paragraphs(source, world) {
  const out = [];
  let quote = null;
  for (const line of source.split("\n")) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line);
    const listed = /^(?:•|-|–) (.*)$/.exec(line);
    if (quoted) {
      if (quote) quote.append(el("br"));
      else out.push(quote = el("blockquote"));
      quote.append(...inline(quoted[1], world));
      continue;
    }
    const previous = out.at(-1);
    if (out.length && !quote && !previous?.classList?.contains("item")) out.push(el("br"));
    quote = null;
    if (listed) {
      if (out.at(-1)?.nodeName === "BR") out.pop();
      out.push(el("div", { class: "item" }, ...inline(listed[1], world)));
    } else out.push(...inline(line, world));
  }
  return out;
}

function inline(source, world) {
  const out = [];
  let end = 0;
  for (const found of source.matchAll(INLINE)) {
    if (found.index > end) out.push(unescape(source.slice(end, found.index)));
    const [whole, code, reference, bold, italic, strike, name] = found;
    if (code !== undefined) out.push(el("code", {}, unescape(code)));
    else if (reference !== undefined) out.push(refer(reference, world));
    else if (bold !== undefined) out.push(el("strong", {}, ...inline(bold, world)));
    else if (italic !== undefined) out.push(el("em", {}, ...inline(italic, world)));
    else if (strike !== undefined) out.push(el("s", {}, ...inline(strike, world)));
    else out.push(EMOJI[name] ?? whole);
    end = found.index + whole.length;
  }
  if (end < source.length) out.push(unescape(source.slice(end)));
  return out;
}

const chip = (label, me = false) => el("span", { class: `mention${me ? " me" : ""}` }, label);

function refer(body, world) {
  const [target, ...rest] = body.split("|");
  const label = unescape(rest.join("|"));
  if (target.startsWith("@")) {
    const user = world.users[target.slice(1)];
    return chip(`@${user?.name ?? (label || target.slice(1))}`, target.slice(1) === world.me);
  }
  if (target.startsWith("#")) return chip(`#${world.all_channels[target.slice(1)] ?? label}`);
  if (target.startsWith("!date^")) {
    const [, seconds, pattern, link] = target.split("^");
    const shown = pattern ? dateTokens(Number(seconds), unescape(pattern), world.users[world.me].tz) : label;
    return link ? anchor(link, shown) : el("span", { class: "date", title: new Date(seconds * 1000).toLocaleString() }, shown);
  }
  if (target.startsWith("!subteam^")) return chip(`@${world.groups[target.slice(9)] ?? label}`, true);
  if (target.startsWith("!")) return chip(`@${target.slice(1)}`, true);
  return anchor(unescape(target), label || unescape(target));
}

function anchor(href, label) {
  if (!/^(https?:|mailto:)/.test(href)) return label;
  const own = href.startsWith(`${location.origin}/archives/`);
  return el("a", { href, ...(own ? { class: "own-link" } : { target: "_blank", rel: "noreferrer noopener" }) }, label);
}

/** Text with line breaks. */
export function lines(source) {
  return source.split("\n").flatMap((line, index) => (index ? [el("br"), line] : [line]));
}

/** A rich_text block, simply. */
export function richText(node, world) {
  switch (node.type) {
    case "text": {
      const style = node.style ?? {};
      let shown = lines(node.text);
      for (const [key, tag] of [["code", "code"], ["strike", "s"], ["italic", "em"], ["bold", "strong"]])
        if (style[key]) shown = [el(tag, {}, ...shown)];
      return shown;
    }
    case "link": return [anchor(node.url, node.text ?? node.url)];
    case "user": return [refer(`@${node.user_id}`, world)];
    case "channel": return [refer(`#${node.channel_id}`, world)];
    case "usergroup": return [refer(`!subteam^${node.usergroup_id}`, world)];
    case "broadcast": return [refer(`!${node.range}`, world)];
    case "emoji": return [EMOJI[node.name] ?? `:${node.name}:`];
  }
  const inner = (node.elements ?? []).map((child) => richText(child, world));
  if (node.type === "rich_text_quote") return [el("blockquote", {}, ...inner.flat())];
  if (node.type === "rich_text_preformatted") return [el("pre", {}, ...inner.flat())];
  if (node.type === "rich_text_list")
    return [el(node.style === "ordered" ? "ol" : "ul", {}, ...inner.map((item) => el("li", {}, ...item)))];
  return node.type === "rich_text_section" ? [el("div", {}, ...inner.flat())] : inner.flat();
}

// Keeps the tables fresh without a reload: fetches this page and swaps the parts that have changed.
"use strict";

const PARTS = ["payouts", "notes", "leads", "refunds", "orders"];
const EVERY_MS = 2000;

async function refresh() {
  const answer = await fetch(window.location.href, { cache: "no-store", signal: AbortSignal.timeout(5000) });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of PARTS) {
    const now = document.getElementById(id);
    const then = fresh.getElementById(id);
    const inUse = now.contains(document.activeElement) || window.getSelection().containsNode(now, true);
    if (then && now.innerHTML !== then.innerHTML && !inUse) now.replaceWith(document.importNode(then, true));
  }
}

async function keepFresh() {
  if (!document.hidden) {
    // The service may be restarting; the next round finds it again.
    await refresh().catch((wrong) => console.debug("refresh failed", wrong));
  }
  window.setTimeout(keepFresh, EVERY_MS);
}

window.setTimeout(keepFresh, EVERY_MS);

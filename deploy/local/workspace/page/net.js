// The live socket and the person's actions.

import { t } from "./i18n.js";
import { toast } from "./toast.js";

/** Keep a socket open; `look()` says what is looked at, `draw(snapshot)` gets every picture. */
export function live(look, draw) {
  let socket;
  const tell = () => { if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(look())); };
  const open = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/_ui/live`);
    socket.onopen = () => { banner(false); tell(); };
    socket.onmessage = (event) => draw(JSON.parse(event.data));
    socket.onclose = () => { banner(true); setTimeout(open, 1000); };
  };
  open();
  return tell;
}

function banner(shown) {
  const node = document.getElementById("offline");
  node.hidden = !shown;
  node.textContent = t("offline");
}

/** Do something in the person's name. Returns {ok, result, error}; errors are shown unless `quiet`. */
export async function post(body, quiet = false) {
  try {
    const response = await fetch("/_ui/act", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const answer = response.headers.get("Content-Type")?.includes("json")
      ? await response.json() : { ok: false, error: await response.text() };
    if (!answer.ok && !quiet) toast(answer.error);
    return answer;
  } catch (error) {
    if (!quiet) toast(t("offline"));
    return { ok: false, error: String(error) };
  }
}

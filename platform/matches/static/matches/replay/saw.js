/** The "View" tab for authors: what their bots saw at a step, what they printed and did. */

import { chip, el } from "./dom.js";
import { fill, gettext } from "./i18n.js";

/**
 * Create the tab. Return { panel, show }.
 * `own` are { seat, address, file, source } of the player's data, or { seat, read(game, step) } for games played on
 * this page; `seats()` are in table order. Call show() when the step has changed and when the tab opens; data load only
 * while it is open.
 */
export function createSaw(playhead, { own, playground, seats }) {
  const panel = el("div", { class: "saw-panel stack tight" });
  const known = new Map(); // "game/seat" -> decisions loaded
  let chosen = own[0];
  let requested = "";
  let drawn = null;

  const isOpen = () => panel.parentElement && !panel.parentElement.hidden;
  const key = () => `${playhead.game}/${chosen.seat}`;
  const place = (template, step) => template.replace("{game}", playhead.game).replace("{step}", step);

  const find = () => {
    const found = known.get(key()) ?? [];
    const { step } = playhead;
    return found.find((one) => (one.before === null || one.step <= step) && (one.after === null || step < one.after));
  };

  const load = async () => {
    const { game, step } = playhead;
    const where = key();
    const at = `${where} ${step}`;
    if (requested === at) return;
    requested = at;
    try {
      const found = await (chosen.read ? chosen.read(game, step) : decisionAt(place(chosen.address, step)));
      known.set(where, [...(known.get(where) ?? []), found]);
      show();
    } catch (error) {
      if (requested !== at) return;
      panel.replaceChildren(...choices(), el("p", { class: "muted" }, gettext("What the bot saw could not be loaded.")));
      drawn = null;
      console.warn("replay: no decision", error);
    }
  };

  const show = () => {
    if (!isOpen() || !playhead.frame) return;
    const found = find();
    if (!found) {
      load();
      return;
    }
    requested = "";
    if (found === drawn) return;
    drawn = found;
    panel.replaceChildren(...choices(), ...describe(found));
  };

  const choices = () => {
    if (own.length < 2) return [];
    const button = (one) => {
      const seat = seats().find(({ seat }) => seat === one.seat);
      const click = () => {
        chosen = one;
        show();
      };
      return el("button", { type: "button", class: "button small", "aria-pressed": String(one === chosen), click }, chip(seat), ` ${seat.name}`);
    };
    return [el("div", { class: "cluster" }, ...own.map(button))];
  };

  /** Return JSON with each list of plain values on one line. */
  const text = (view) => JSON.stringify(view, null, 1).replace(/\[\n[^[\]{}]*\]/g, (list) => list.replace(/\s*\n\s*/g, " ").replace("[ ", "[").replace(" ]", "]"));

  const describe = (one) => {
    const go = (to, label) => el("button", { type: "button", class: "button small", disabled: to === null, click: () => playhead.toStep(to) }, label);
    const code = (title, content, open) => el("details", { class: "fold", open }, el("summary", {}, title), el("pre", { tabindex: 0 }, content));
    const failure = chosen.file && place(chosen.file, one.step);
    const query = new URLSearchParams({ failure, version: chosen.source });
    const printed = one.printed === null ? gettext("Its output is no longer stored.") : gettext("It printed nothing.");
    return [
      el("div", { class: "spread" },
        el("b", {}, fill(gettext("Decision %(number)s of %(count)s"), one)),
        el("span", { class: "cluster" }, go(one.before, gettext("Previous")), go(one.after, gettext("Next")))),
      el("p", { class: "small" }, one.stood_in ? gettext("The bot had failed: a house bot chose") : gettext("It chose"), " ", el("code", {}, one.action)),
      Number.isFinite(one.ms) ? el("p", { class: "small muted" }, fill(gettext("%(ms)s ms in this browser"), { ms: one.ms.toFixed(1) })) : null,
      !Number.isFinite(one.slowest_ms) ? null : el("p", { class: "small muted" }, fill(gettext("%(ms)s ms of processor time: its slowest decision of this game"), { ms: one.slowest_ms.toFixed(1) })),
      one.printed ? code(gettext("It printed"), one.printed, true) : el("p", { class: "small muted" }, printed),
      code(gettext("It saw"), text(one.view), true),
      one.stood_in || !failure ? null : el("p", { class: "cluster" },
        playground && el("a", { class: "button small", href: `${playground}?${query}` }, gettext("Open in the playground")),
        el("a", { class: "small", href: failure, download: true }, gettext("Download for peck replay"))),
    ].filter(Boolean);
  };

  return { panel, show };
}

async function decisionAt(address) {
  const answer = await fetch(address);
  if (!answer.ok || answer.redirected) throw new Error(answer.status);
  return answer.json();
}

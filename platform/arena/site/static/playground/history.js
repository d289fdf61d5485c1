/** What a bot was at times: kept in this browser, some of each game, and brought back by a click. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { written } from "../web/when.js";
import { isSame, isWritten, keep, parsed } from "./draft.js";

const MOST = 40;
const CHARACTERS_MOST = 400_000; // of a game
const EVERY_MS = 60_000; // while somebody types

const momentsOf = (game) => {
  const found = parsed(`history.${game}`);
  return Array.isArray(found) ? found : [];
};

/** Keeps what `files` are now, unless they are what was kept last; the oldest go when there is no room. */
export function keepMoment(game, files) {
  const before = momentsOf(game);
  if (!isWritten(files) || (before.length && isSame(before[0].files, files))) return;
  let moments = [{ at: Date.now(), files }, ...before].slice(0, MOST);
  let text = JSON.stringify(moments);
  while (moments.length && (text.length > CHARACTERS_MOST || !keep(`history.${game}`, text))) {
    moments = moments.slice(0, -1);
    text = JSON.stringify(moments);
  }
}

/** The same, once in a while. */
export function keepNowAndThen(game, files) {
  const [last] = momentsOf(game);
  if (!last || Date.now() - last.at > EVERY_MS) keepMoment(game, files);
}

/** Lists in `place`, a <details>, what was kept of `game()`; `files()` are those of now, `restore(files)` brings others back. */
export function createHistory(place, { game, files, restore }) {
  const list = el("ol", { class: "pg-moments" });
  place.append(list);

  const draw = () => {
    const now = files();
    const rows = momentsOf(game()).map((one) => {
      const { more, less } = compared(one.files, now);
      const told = more || less ? fill(gettext("lines since then: +%(more)s −%(less)s"), { more, less }) : gettext("as it is now");
      return el("li", {}, el("button", { type: "button", class: "button small", click: () => back(one.files) }, written(one.at)), el("span", { class: "small muted" }, told));
    });
    list.replaceChildren(...(rows.length ? rows : [el("li", { class: "small muted" }, gettext("Your code is saved here from time to time, and whenever you play."))]));
  };

  const back = (found) => {
    keepMoment(game(), files());
    restore(found);
    draw();
    place.querySelector("summary").focus();
  };

  place.addEventListener("toggle", () => place.open && draw());
  return { show: () => place.open && draw() };
}

/** How many lines came and went from `before` to `now`. */
function compared(before, now) {
  const lines = new Map();
  for (const [files, by] of [[now, 1], [before, -1]]) {
    for (const [name, content] of Object.entries(files)) {
      const all = typeof content === "string" ? content.split("\n") : [content.data];
      for (const line of all) lines.set(`${name}\n${line}`, (lines.get(`${name}\n${line}`) ?? 0) + by);
    }
  }
  const counts = [...lines.values()];
  const sum = (sign) => counts.reduce((total, one) => total + Math.max(0, sign * one), 0);
  return { more: sum(1), less: sum(-1) };
}

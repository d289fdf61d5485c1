/** Snapshots of a bot over time in localStorage, and a list to restore them from. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { written } from "../web/when.js";
import { hasContent, isSame, loadJson, store } from "./draft.js";

const MOST = 40;
const CHARACTERS_MOST = 400_000; // for each game
const EVERY_MS = 60_000; // between snapshots while the author types

const snapshotsOf = (game) => {
  const found = loadJson(`history.${game}`);
  return Array.isArray(found) ? found : [];
};

/** Store a snapshot of `files` unless it equals the newest one. The oldest are dropped when there is no room. */
export function saveSnapshot(game, files) {
  const before = snapshotsOf(game);
  if (!hasContent(files) || (before.length && isSame(before[0].files, files))) return;
  let snapshots = [{ at: Date.now(), files }, ...before].slice(0, MOST);
  let text = JSON.stringify(snapshots);
  while (snapshots.length && (text.length > CHARACTERS_MOST || !store(`history.${game}`, text))) {
    snapshots = snapshots.slice(0, -1);
    text = JSON.stringify(snapshots);
  }
}

/** Store a snapshot if the newest is older than EVERY_MS. */
export function saveSnapshotIfDue(game, files) {
  const [last] = snapshotsOf(game);
  if (!last || Date.now() - last.at > EVERY_MS) saveSnapshot(game, files);
}

/**
 * List the snapshots of `game()` in `place`, a <details>. Return { show }. `files()` returns the current files,
 * `restore(files)` replaces them.
 */
export function createHistory(place, { game, files, restore }) {
  const list = el("ol", { class: "pg-moments" });
  place.append(list);

  const draw = () => {
    const now = files();
    const rows = snapshotsOf(game()).map((one) => {
      const { more, less } = compared(one.files, now);
      const text = more || less ? fill(gettext("lines since then: +%(more)s −%(less)s"), { more, less }) : gettext("as it is now");
      return el("li", {}, el("button", { type: "button", class: "button small", click: () => back(one.files) }, written(one.at)), el("span", { class: "small muted" }, text));
    });
    list.replaceChildren(...(rows.length ? rows : [el("li", { class: "small muted" }, gettext("Your code is saved here from time to time, and whenever you play."))]));
  };

  const back = (found) => {
    saveSnapshot(game(), files());
    restore(found);
    draw();
    place.querySelector("summary").focus();
  };

  place.addEventListener("toggle", () => place.open && draw());
  return { show: () => place.open && draw() };
}

/** Count the lines added and removed between `before` and `now`. */
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

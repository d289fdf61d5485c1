/** The server's time, by which a broadcast goes on: the browser's clock may be an hour off. */

import { written } from "../../web/when.js";
import { el } from "./dom.js";
import { fill, gettext } from "./i18n.js";

const SOON_MS = 24 * 60 * 60 * 1000; // a premiere further away is told by its date alone

/** Milliseconds since 1970 by the server, which wrote `now` into the page; `since` is when the page came in, or, where the
 * browser does not tell, when this is called: at once, please. */
export function serverClock(now, since = performance.getEntriesByType("navigation")[0]?.responseStart ?? performance.now()) {
  return () => now + performance.now() - since;
}

/** The number of the `beat` that is on `elapsed` milliseconds after a game began and how many are `left` of it, null before
 * the game and after its end. `dwells` are those of its beats, 0 for those left out. */
export function beatOn(elapsed, dwells) {
  let left = elapsed;
  if (left < 0) return null;
  for (const [beat, ms] of dwells.entries()) {
    if (left < ms) return { beat, left: ms - left };
    left -= ms;
  }
  return null;
}

const pad = (number) => String(number).padStart(2, "0");

/** Hours, minutes and seconds. */
export function countdown(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`;
}

/** Says how long it is until a premiere, and tells `begun` when it has counted down to it. `wait(airs)` begins that, `wait(false)`
 * ends it. */
export function createPremiere(clock, begun = () => {}) {
  const left = el("span", { class: "number", "aria-hidden": true });
  const words = el("span", { role: "status" });
  const element = el("p", { class: "rp-premiere", hidden: true }, words, " ", left);
  let timer = 0;
  const tick = (airs) => {
    const ms = airs - clock();
    element.hidden = !(ms > 0);
    if (element.hidden) return void begun();
    left.textContent = ms < SOON_MS ? countdown(ms) : "";
    timer = setTimeout(() => tick(airs), ms % 1000 || 1000);
  };
  const wait = (airs) => {
    clearTimeout(timer);
    element.hidden = true;
    if (!airs || airs <= clock()) return;
    // By the browser's zone, and by the distance in time of the server's clock, whatever the browser's own says.
    words.textContent = fill(gettext("The premiere begins on %(when)s."), { when: written(airs) });
    tick(airs);
  };
  return { element, wait };
}

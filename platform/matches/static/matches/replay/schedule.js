/** Broadcasts follow the server's clock: the reader's may be wrong. */

import { written } from "../../web/when.js";
import { el } from "./dom.js";
import { fill, gettext } from "./i18n.js";

const SOON_MS = 24 * 60 * 60 * 1000; // for premieres further away, only the date is shown

/**
 * Return a clock: a function that returns the server's time in milliseconds since 1970. `now` is the server's time in
 * the page, `since` the browser's time at which the page arrived; without it, call this function at once.
 */
export function serverClock(now, since = performance.getEntriesByType("navigation")[0]?.responseStart ?? performance.now()) {
  return () => now + performance.now() - since;
}

/**
 * Return { beat, left }: the index of the beat that is on `elapsed` milliseconds after the start of a game, and its
 * remaining milliseconds. Return null before the game and after its end. `dwells` are the times of the beats, 0 for
 * skipped ones.
 */
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

/** Format milliseconds as hours, minutes and seconds. */
export function countdown(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`;
}

/**
 * Create the countdown to a premiere. Return { element, wait }. wait(airs) starts it, wait(false) stops it; `begun` is
 * called at its end.
 */
export function createPremiere(clock, begun = () => {}) {
  const left = el("span", { class: "number", "aria-hidden": true });
  const text = el("span", { role: "status" });
  const element = el("p", { class: "rp-premiere", hidden: true }, text, " ", left);
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
    // The date is in the browser's time zone; the countdown uses the server's clock.
    text.textContent = fill(gettext("The premiere begins on %(when)s."), { when: written(airs) });
    tick(airs);
  };
  return { element, wait };
}

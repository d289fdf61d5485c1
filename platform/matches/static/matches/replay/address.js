/**
 * The replay's position in the page's address: ?game= &step= &pov= &tempo= &autoplay= &since=. Games count from 1.
 * What the viewer has seen is stored in the history entry, so that it survives a reload and Back, and is not part of a
 * link.
 */

import { isTempo } from "./tempo.js";

const WRITE_EVERY_MS = 1000; // browsers limit the rate of address changes

const whole = (text, least, most) => {
  const number = /^\d{1,6}$/.test(text ?? "") ? Number(text) : NaN;
  return number >= least && number <= most ? number : null;
};

/** Return the values in the query `search`; null for those that are missing or invalid. */
export function readAddress(search, { games, seats }) {
  const query = new URLSearchParams(search);
  const game = whole(query.get("game"), 1, games);
  return {
    game: game === null ? null : game - 1,
    step: whole(query.get("step"), 0, 999_999),
    pov: whole(query.get("pov"), 0, seats),
    tempo: isTempo(query.get("tempo")) ? query.get("tempo") : null,
    since: /^\d{13}$/.test(query.get("since") ?? "") ? Number(query.get("since")) : null,
    autoplay: ["1", "true"].includes(query.get("autoplay")),
  };
}

/** Return `address` with the query parameters of one step. */
export function addressOf(address, { game, step, pov }) {
  const url = new URL(address);
  url.searchParams.delete("autoplay");
  url.searchParams.delete("since");
  url.searchParams.set("game", game + 1);
  url.searchParams.set("step", step);
  setOrDelete(url, "pov", pov, 0);
  return url;
}

function setOrDelete(url, name, value, usual) {
  if (value === usual) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
}

/**
 * Return the address of the current position. At the start of a match, and while following a live one, it names no
 * step.
 */
function addressNow({ live, following, game, step, ...how }) {
  const url = addressOf(location.href, { game, step, ...how });
  if (following || (!live && game === 0 && step === 0)) for (const name of ["game", "step"]) url.searchParams.delete(name);
  return url;
}

/** Return what the viewer had seen when this history entry was written (Playhead.seen), or null. */
export const readSeen = () => history.state?.replay ?? null;

/** Return a function that writes the playhead's address: write(true) at once, otherwise within WRITE_EVERY_MS. */
export function addressWriter(playhead) {
  let timer = 0;
  const write = () => {
    timer = 0;
    history.replaceState({ ...history.state, replay: playhead.seen }, "", addressNow(playhead));
  };
  return (now) => {
    if (now) {
      clearTimeout(timer);
      write();
    } else timer ||= setTimeout(write, WRITE_EVERY_MS);
  };
}

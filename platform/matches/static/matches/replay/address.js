/** The replay's place in the page's address: ?game= &step= &pov= &tempo= &autoplay= &since=. Games count from 1. What the viewer has
 * seen is in the state of the entry in the browser's history: a reload and Back have it, whoever opens the address has not.
 */

import { isTempo } from "./tempo.js";

const WRITE_EVERY_MS = 1000; // browsers refuse an address that changes all the time

const whole = (text, least, most) => {
  const number = /^\d{1,6}$/.test(text ?? "") ? Number(text) : NaN;
  return number >= least && number <= most ? number : null;
};

/** What the address asks for; null for what it does not say, or says wrongly. */
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

/** The address of one step, with the rest of `address` kept. */
export function addressOf(address, { game, step, pov }) {
  const url = new URL(address);
  url.searchParams.delete("autoplay");
  url.searchParams.delete("since");
  url.searchParams.set("game", game + 1);
  url.searchParams.set("step", step);
  keep(url, "pov", pov, 0);
  return url;
}

function keep(url, name, value, usual) {
  if (value === usual) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
}

/** The address of what a page shows by itself, the beginning or whatever is live, names no step: it may be read again. */
function addressNow({ live, following, game, step, ...how }) {
  const url = addressOf(location.href, { game, step, ...how });
  if (following || (!live && game === 0 && step === 0)) for (const name of ["game", "step"]) url.searchParams.delete(name);
  return url;
}

/** What this viewer had seen when the address was written, see `seen` of the playhead; null for an address from elsewhere. */
export const readSeen = () => history.state?.replay ?? null;

/** Writes the address of the playhead, at once if `now`, else when a second has passed. */
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

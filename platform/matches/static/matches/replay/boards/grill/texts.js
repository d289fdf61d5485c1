/** Texts about dice and the ends of turns, shared by both games at the grill. */

import { fill, gettext } from "../../i18n.js";
import { wormsOn } from "./pieces.js";

export const faceName = (face) => (face === "W" ? gettext("worm") : face);

/** Return a sentence about the dice kept and their sum. */
export function keeps(name, face, sum) {
  if (face === "W") return fill(gettext("%(name)s keeps the worms: %(sum)s."), { name, sum });
  return fill(gettext("%(name)s keeps the %(face)ss: %(sum)s."), { name, face, sum });
}

/** Return the values for sentences about the end of a turn. */
export const valuesOf = (last, seats) => ({
  name: seats[last.seat].name,
  tile: last.tile,
  worms: last.tile && wormsOn(last.tile),
  other: last.from === null ? "" : seats[last.from].name,
  returned: last.returned,
  flipped: [last.flipped ?? []].flat().join(", "),
});

/** Return the reason for a failed turn. */
export function why(code) {
  if (code === "no_face") return gettext("%(name)s fails: nothing new was rolled.");
  if (code === "no_worm") return gettext("%(name)s fails: no worm was kept.");
  if (code === "declined") return gettext("%(name)s fails: a player who declines to steal gets nothing.");
  return gettext("%(name)s fails: no tile matches that total.");
}

/** Return the end of a turn as a short note beside the dice. */
export function note({ event, tile, from, why: code }, seats) {
  if (event === "take") return fill(gettext("takes %(tile)s"), { tile });
  if (event === "steal") return fill(gettext("steals %(tile)s from %(other)s"), { tile, other: seats[from].name });
  if (code === "no_face") return gettext("bust: nothing new");
  if (code === "declined") return gettext("bust: nothing stolen");
  return code === "no_worm" ? gettext("bust: no worm") : gettext("bust: no tile for it");
}

/** Return the position as text for screen readers. `grill` lists the tiles; { now, near } is the result of reach(). */
export function summary(view, seats, grill, { now, near }) {
  const worms = seats.map((seat, position) => `${seat.name} ${view.worms[position]}`).join(", ");
  const parts = [fill(gettext("On the grill: %(grill)s. Worms: %(worms)s."), { grill: grill || "–", worms })];
  if (now) parts.push(fill(gettext("Available now: tile %(tile)s."), { tile: now }));
  if (near.length) parts.push(fill(gettext("Within reach: %(tiles)s."), { tiles: near.join(", ") }));
  return parts.join(" ");
}

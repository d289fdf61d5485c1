/** What is said of dice and of how a turn ended, the same in both games at the grill. */

import { fill, gettext } from "../../i18n.js";
import { wormsOn } from "./pieces.js";

export const faceName = (face) => (face === "W" ? gettext("worm") : face);

/** Which dice were kept, and what it makes in all. */
export function keeps(name, face, sum) {
  if (face === "W") return fill(gettext("%(name)s keeps the worms: %(sum)s."), { name, sum });
  return fill(gettext("%(name)s keeps the %(face)ss: %(sum)s."), { name, face, sum });
}

/** What the sentences about the end of a turn fill in. */
export const valuesOf = (last, seats) => ({
  name: seats[last.seat].name,
  tile: last.tile,
  worms: last.tile && wormsOn(last.tile),
  other: last.from === null ? "" : seats[last.from].name,
  returned: last.returned,
  flipped: [last.flipped ?? []].flat().join(", "),
});

/** Why a turn failed. */
export function why(code) {
  if (code === "no_face") return gettext("%(name)s fails: nothing new was rolled.");
  if (code === "no_worm") return gettext("%(name)s fails: no worm was kept.");
  if (code === "declined") return gettext("%(name)s fails: a player who declines to steal gets nothing.");
  return gettext("%(name)s fails: no tile matches that total.");
}

/** The end of a turn in as few words as there is room for beside the dice. */
export function note({ event, tile, from, why: code }, seats) {
  if (event === "take") return fill(gettext("takes %(tile)s"), { tile });
  if (event === "steal") return fill(gettext("steals %(tile)s from %(other)s"), { tile, other: seats[from].name });
  if (code === "no_face") return gettext("bust: nothing new");
  if (code === "declined") return gettext("bust: nothing stolen");
  return code === "no_worm" ? gettext("bust: no worm") : gettext("bust: no tile for it");
}

/** The position in words, for those who do not see it; `grill` says what lies there, `reached` is what `reach` says. */
export function summary(view, seats, grill, { now, near }) {
  const worms = seats.map((seat, position) => `${seat.name} ${view.worms[position]}`).join(", ");
  const said = [fill(gettext("On the grill: %(grill)s. Worms: %(worms)s."), { grill: grill || "–", worms })];
  if (now) said.push(fill(gettext("Available now: tile %(tile)s."), { tile: now }));
  if (near.length) said.push(fill(gettext("Within reach: %(tiles)s."), { tiles: near.join(", ") }));
  return said.join(" ");
}

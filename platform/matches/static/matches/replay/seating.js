/** Who sits where: from game to game everyone moves on by one place, so that luck and order cancel out. */

import { el } from "./dom.js";

const LETTERS = "ABCDEFG";
const SHORT_MOST = 14; // characters

/** The seats of the match, [{seat, letter, name, named()}], in its own order. */
export const matchSeats = (data) =>
  data.seats.map(({ name, version }, seat) => ({ seat, letter: LETTERS[seat], name, version, named: () => named(name) }));

/** The same in table order of game `game`: the position that frames speak of. */
export const tableSeats = (seats, game) => seats.map((_, position) => seats[(position + game) % seats.length]);

/** A name of which the last word, or the number at its end, stays where there is no room for all of it: it tells bots of
 * one author apart. On boards long names have two lines, see place.css. */
function named(name) {
  const at = name.includes(" ") ? Math.max(name.lastIndexOf(" ") + 1, name.length - 8) : name.search(/\d{0,8}$/);
  return el("span", { class: "rp-name", "data-long": name.length > SHORT_MOST }, el("span", {}, name.slice(0, at)), name.slice(at));
}

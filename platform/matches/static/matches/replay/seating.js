/** Seats: in each game, everyone moves on by one place, so that luck and order cancel out. */

import { el } from "./dom.js";

const LETTERS = "ABCDEFG";
const SHORT_MOST = 14; // characters

/** Return the seats of the match, [{seat, letter, name, version, named()}], in match order. */
export const matchSeats = (data) =>
  data.seats.map(({ name, version }, seat) => ({ seat, letter: LETTERS[seat], name, version, named: () => named(name) }));

/** Return the seats in table order of `game`, the positions that frames use. */
export const tableSeats = (seats, game) => seats.map((_, position) => seats[(position + game) % seats.length]);

/**
 * Return an element with the name. If there is little room, the last word or the number at its end remains: it tells
 * the bots of one author apart. Boards give long names two lines (place.css).
 */
function named(name) {
  const at = name.includes(" ") ? Math.max(name.lastIndexOf(" ") + 1, name.length - 8) : name.search(/\d{0,8}$/);
  return el("span", { class: "rp-name", "data-long": name.length > SHORT_MOST }, el("span", {}, name.slice(0, at)), name.slice(at));
}

/** Why the winner won, in the games at the grill. */

import { fill, gettext } from "../../i18n.js";
import { flows, wonMore } from "../table/flows.js";
import { scores } from "./scores.js";

/** In one sentence from the facts of a game that is over; `winner` and `second` are table positions. */
export function because(film, { winner, second }, seats) {
  const sums = flows(film, scores);
  const [best, next] = [sums[winner], sums[second]];
  const values = { name: seats[winner].name, other: seats[second].name, won: best.won, less: next.won, lost: best.lost, more: next.lost };
  if (wonMore(best, next)) return fill(gettext("Worms won in all: %(name)s %(won)s, %(other)s %(less)s."), values);
  return fill(gettext("Worms lost again to thieves and failed turns: %(other)s %(more)s, %(name)s %(lost)s."), values);
}

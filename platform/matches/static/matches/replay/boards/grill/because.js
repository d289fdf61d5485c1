/** Why the winner won, in the games at the grill. */

import { fill, gettext } from "../../i18n.js";
import { flows, wonMore } from "../table/flows.js";
import { scores } from "./scores.js";

/** In one sentence from the facts of a game that is over; `winner` and `second` are table positions. */
export function because(film, { winner, second }, seats) {
  const sums = flows(film, scores);
  const [best, next] = [sums[winner], sums[second]];
  const values = { name: seats[winner].name, other: seats[second].name, won: best.won, less: next.won, lost: best.lost, more: next.lost };
  if (wonMore(best, next)) return fill(gettext("%(name)s won %(won)s worms in all, %(other)s %(less)s."), values);
  return fill(gettext("%(other)s lost %(more)s worms again to thieves and failed turns, %(name)s only %(lost)s."), values);
}

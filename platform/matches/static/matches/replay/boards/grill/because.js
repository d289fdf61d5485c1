/** Why the winner won, in the games at the grill. */

import { flows, wonAndLost } from "../table/flows.js";
import { scores } from "./scores.js";

/** In one sentence from the facts of a game that is over; `winner` and `second` are table positions. */
export function because(film, { winner, second }, seats) {
  const sums = flows(film, scores);
  return wonAndLost(seats[winner].name, sums[winner], seats[second].name, sums[second]);
}

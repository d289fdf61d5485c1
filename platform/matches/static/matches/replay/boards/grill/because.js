/** The explanation of a win, in the games at the grill. */

import { flows, wonAndLost } from "../table/flows.js";
import { scores } from "./scores.js";

/** Return one sentence about a finished game; `winner` and `second` are table positions. */
export function because(recording, { winner, second }, seats) {
  const sums = flows(recording, scores);
  return wonAndLost(seats[winner].name, sums[winner], seats[second].name, sums[second]);
}

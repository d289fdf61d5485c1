/** Texts for finished games of In cammino tra i laghetti. */

import { fill, gettext } from "../../i18n.js";
import { wonMore } from "../table/flows.js";

/** Return the number of the round: a turn is only a single play. */
export const round = (view) => view.round;

/** Return one sentence that explains a win by the score sheet; `winner` and `second` are table positions. */
export function because(recording, { winner, second }, seats) {
  const { sheet } = recording.frames.at(-1).view;
  const [best, next] = [winner, second].map((position) => bidsOf(sheet, position));
  const values = { name: seats[winner].name, other: seats[second].name, rounds: sheet.length, kept: best.kept, won: best.won, fewer: next.kept, less: next.won, lost: best.lost, more: next.lost };
  if (wonMore(best, next)) return fill(gettext("Bids kept of %(rounds)s: %(name)s %(kept)s, which brought %(won)s; %(other)s %(fewer)s, which brought %(less)s."), values);
  return fill(gettext("What missed bids cost: %(other)s %(more)s, %(name)s %(lost)s."), values);
}

/** Return how many bids a seat made, what they won, and what missed bids cost. */
function bidsOf(sheet, position) {
  const points = sheet.map((round) => round.points[position]);
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const good = points.filter((one) => one > 0);
  return { kept: good.length, won: sum(good), lost: -sum(points.filter((one) => one < 0)) };
}

/** Return the card that an action plays, for "play 12 Q". */
export function marked(action) {
  const [verb, card] = action.split(" ");
  return verb === "play" ? `card ${card}` : undefined;
}

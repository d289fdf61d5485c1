/** Why the winner of a game of In cammino tra i laghetti won. */

import { fill, gettext } from "../../i18n.js";
import { wonMore } from "../table/flows.js";

/** A game is counted by its rounds: its turns are single plays. */
export const round = (view) => view.round;

/** In one sentence from the score sheet of a game that is over; `winner` and `second` are table positions. */
export function because(film, { winner, second }, seats) {
  const { sheet } = film.frames.at(-1).view;
  const [best, next] = [winner, second].map((position) => kept(sheet, position));
  const values = { name: seats[winner].name, other: seats[second].name, rounds: sheet.length, kept: best.kept, won: best.won, fewer: next.kept, less: next.won, lost: best.lost, more: next.lost };
  if (wonMore(best, next)) return fill(gettext("Bids kept of %(rounds)s: %(name)s %(kept)s, which brought %(won)s; %(other)s %(fewer)s, which brought %(less)s."), values);
  return fill(gettext("What missed bids cost: %(other)s %(more)s, %(name)s %(lost)s."), values);
}

/** How many bids a seat kept, what they brought, and what the others cost. */
function kept(sheet, position) {
  const points = sheet.map((round) => round.points[position]);
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const good = points.filter((one) => one > 0);
  return { kept: good.length, won: sum(good), lost: -sum(points.filter((one) => one < 0)) };
}

/** The card that an action plays: "play 12 Q". */
export function marked(action) {
  const [verb, card] = action.split(" ");
  return verb === "play" ? `card ${card}` : undefined;
}

/** What seats won and lost again over a game, where a score goes up and down. */

import { fill, gettext } from "../../i18n.js";

/** From `scores(view)` of each frame of a film: [{ won, lost }] by table position, both from 0 up. */
export function flows(film, scores) {
  const sums = scores(film.frames[0].view).map(() => ({ won: 0, lost: 0 }));
  film.frames.slice(1).forEach(({ view }, before) => {
    const was = scores(film.frames[before].view);
    scores(view).forEach((score, position) => {
      if (score > was[position]) sums[position].won += score - was[position];
      else sums[position].lost += was[position] - score;
    });
  });
  return sums;
}

/** Whether the winner is ahead of the second by what it won rather than by what it did not lose. */
export const wonMore = (winner, second) => winner.won - second.won >= second.lost - winner.lost;

/** The two sums in one sentence: what was won, less what was lost, is the score. */
export const wonAndLost = (name, best, other, next) =>
  fill(gettext("Worms won and lost again: %(name)s %(won)s − %(lost)s, %(other)s %(less)s − %(more)s."), {
    name, won: best.won, lost: best.lost, other, less: next.won, more: next.lost,
  });

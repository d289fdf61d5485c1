/** Points won and lost over a game, where scores go up and down. */

import { fill, gettext } from "../../i18n.js";

/**
 * Return [{ won, lost }] by table position, from `scores(view)` of each frame of a recording. Both are sums of positive
 * numbers.
 */
export function flows(recording, scores) {
  const sums = scores(recording.frames[0].view).map(() => ({ won: 0, lost: 0 }));
  recording.frames.slice(1).forEach(({ view }, before) => {
    const was = scores(recording.frames[before].view);
    scores(view).forEach((score, position) => {
      if (score > was[position]) sums[position].won += score - was[position];
      else sums[position].lost += was[position] - score;
    });
  });
  return sums;
}

/** Return whether the winner is ahead of the second by points won, rather than by fewer points lost. */
export const wonMore = (winner, second) => winner.won - second.won >= second.lost - winner.lost;

/** Return one sentence with both sums: points won minus points lost is the score. */
export const wonAndLost = (name, best, other, next) =>
  fill(gettext("Worms won and lost again: %(name)s %(won)s − %(lost)s, %(other)s %(less)s − %(more)s."), {
    name, won: best.won, lost: best.lost, other, less: next.won, more: next.lost,
  });

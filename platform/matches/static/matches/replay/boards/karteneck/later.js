/** Texts for finished games of Heckmeck am Karteneck. */

import { fill, gettext, ngettext } from "../../i18n.js";
import { flows, wonAndLost, wonMore } from "../table/flows.js";

/** Return the number of the round: a turn is only a single play. */
export const round = (view) => view.round;

/** Return one sentence that explains a win; `winner` and `second` are table positions. */
export function because(recording, { winner, second }, seats) {
  const [best, next] = [winner, second].map((position) => ({ ...flows(recording, ({ worms }) => worms)[position], ...passes(recording, position) }));
  const values = { name: seats[winner].name, other: seats[second].name };
  const say = (text, mine, theirs) => fill(text, { ...values, mine, theirs });
  const ahead = wonMore(best, next);
  if (ahead && best.first > next.first) {
    const text = ngettext("%(name)s got the best portion of a menu once, %(other)s %(theirs)s times.", "%(name)s got the best portion of %(mine)s menus, %(other)s of %(theirs)s.", best.first);
    return say(text, best.first, next.first);
  }
  if (ahead && next.failed > best.failed) return say(gettext("Passed without a worm: %(name)s %(mine)s×, %(other)s %(theirs)s×."), best.failed, next.failed);
  return wonAndLost(values.name, best, values.other, next);
}

/** Return how often a seat got the best portion of a menu (`first`), and passed without a worm (`failed`). */
function passes(recording, seat) {
  const ends = recording.frames.filter(({ key }) => key).map(({ view }) => view.last);
  const failed = ends.filter((last) => last.event === "bust" && last.seat === seat).length;
  return { first: ends.filter(({ menu }) => menu[0]?.seat === seat).length, failed };
}

/** Return the card that an action plays, for "play 2x5" or "also W3". */
export function marked(action) {
  const [, kind] = /^(?:play|also) (?:\dx)?(\S+)$/.exec(action) ?? [];
  return kind && `card ${kind}`;
}

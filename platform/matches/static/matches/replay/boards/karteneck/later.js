/** Why the winner of a game of Heckmeck am Karteneck won. */

import { fill, gettext, ngettext } from "../../i18n.js";
import { flows, wonAndLost, wonMore } from "../table/flows.js";

/** A game is counted by its rounds: its turns are single plays. */
export const round = (view) => view.round;

/** In one sentence from the facts of a game that is over; `winner` and `second` are table positions. */
export function because(film, { winner, second }, seats) {
  const [best, next] = [winner, second].map((position) => ({ ...flows(film, ({ worms }) => worms)[position], ...passes(film, position) }));
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

/** How often a seat had the best portion of a menu, and passed without a worm. */
function passes(film, seat) {
  const ends = film.frames.filter(({ key }) => key).map(({ view }) => view.last);
  const failed = ends.filter((last) => last.event === "bust" && last.seat === seat).length;
  return { first: ends.filter(({ menu }) => menu[0]?.seat === seat).length, failed };
}

/** The cards that an action plays: "play 2x5", "also W3". */
export function marked(action) {
  const [, kind] = /^(?:play|also) (?:\dx)?(\S+)$/.exec(action) ?? [];
  return kind && `card ${kind}`;
}

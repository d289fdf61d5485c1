/** How a turn ends, for the eye: who is robbed or fails shakes, and the tile that is turned over turns. */

import { fill, gettext, ngettext } from "../../i18n.js";
import { shake, turnOver } from "../../motion.js";
import { LANDED_MS } from "./tumble.js";

const isRoll = ({ action, actor }) => actor < 0 && action.startsWith("roll ");

/** What a roll decided waits until the dice lie. */
export const hold = (kind, piece, passed) => (passed.some(isRoll) ? LANDED_MS : 0);

/** What is said while the dice fly; `before` is the frame before those that `passed`. */
export function suspense(passed, before, seats) {
  const roll = passed.find(isRoll);
  if (!roll) return null;
  const { key, view } = roll;
  const name = seats[key ? view.last.seat : view.actor].name;
  const dice = roll.action.split(" ").length - 1;
  const sum = before?.key ? 0 : before?.view.sum;
  const text = sum ? ngettext("%(name)s has %(sum)s and rolls one die …", "%(name)s has %(sum)s and rolls %(dice)s dice …", dice) : gettext("%(name)s rolls …");
  return { text: fill(text, { name, sum, dice }), ms: LANDED_MS };
}

/** `passed` are the frames since what was shown before, `pace` below 1 is quicker. */
export function endTurn({ passed, pace }, grill, players) {
  const last = passed.find(({ key }) => key)?.view.last;
  if (!last) return;
  const delay = hold("", "", passed);
  if (last.event === "steal") shake(players.place(last.from), { delay: delay + 150, pace });
  if (last.event === "bust") {
    shake(players.place(last.seat), { delay, pace });
    for (const tile of [last.flipped ?? []].flat()) turnOver(grill.places.get(tile), { delay: delay + 350, pace });
  }
}

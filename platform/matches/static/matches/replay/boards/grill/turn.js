/** How a turn ends, for the eye: who is robbed or fails shakes, and the tile that is turned over turns. */

import { fill, gettext, ngettext, percent } from "../../i18n.js";
import { shake, turnOver } from "../../motion.js";
import { reach } from "./reach.js";
import { FACES, LANDED_MS } from "./tumble.js";

const HELD_MS = 600;

const isRoll = ({ action, actor }) => actor < 0 && action.startsWith("roll ");

/** What a roll decided waits until the dice lie; a tile that is lost by it a moment more, so that one sees why. */
export const hold = (kind, piece, passed) => (passed.some(isRoll) ? LANDED_MS : 0) + (kind === "tile" ? drama(passed) : 0);

/** How many milliseconds longer than others a failed turn takes to be seen. */
export const drama = (passed) => (passed.some(({ key, view }) => key && view.last.event === "bust") ? HELD_MS : 0);

/** What the whole table should notice: { text, kind }, or null. */
export function toast({ key, view }, seats) {
  if (!key || key === "end") return null;
  const { event, from, seat, tile } = view.last;
  if (event === "bust") return { kind: "bust", text: fill(gettext("Bust! %(name)s"), { name: seats[seat].name }) };
  if (event !== "steal" || !tile) return null;
  return { kind: "steal", text: fill(gettext("%(name)s steals %(tile)s from %(other)s"), { name: seats[seat].name, tile, other: seats[from].name }) };
}

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

/** For newcomers: what the turn still needs and how likely it fails at the next roll, [{ text, risk }]. */
export function situation(frame) {
  const { actor, key, view } = frame;
  if (key || Math.max(actor, view.actor) < 0 || view.phase === "over") return [];
  const { near, now } = reach(frame);
  const needs = now ? fill(gettext("Stopping wins %(tile)s"), { tile: now }) : near.length ? fill(gettext("Needs %(tile)s or more"), { tile: near[0] }) : view.sum ? gettext("Nothing within reach") : "";
  const risk = view.rolled.length || !view.sum ? null : failing(view);
  return [
    ...(needs ? [{ text: needs }] : []),
    ...(view.sum && !view.aside.W ? [{ text: gettext("Needs a worm") }] : []),
    ...(risk === null || risk < 0.005 ? [] : [{ text: fill(gettext("%(risk)s bust"), { risk: percent(risk) }), risk }]),
  ];
}

/** The chance that a roll of the dice that are left shows no face that may be kept; null where something saves the turn. */
function failing({ aside, dice_left: dice, weasel_ready: again }) {
  if (!dice || again) return null;
  return (FACES.filter((face) => aside[face]).length / FACES.length) ** dice;
}

/** `passed` are the frames since what was shown before, `pace` below 1 is quicker. */
export function endTurn({ passed, pace }, grill, players) {
  const last = passed.find(({ key }) => key)?.view.last;
  if (!last) return;
  const delay = hold("", "", passed);
  if (last.event === "steal") shake(players.place(last.from), { delay: delay + 150, pace });
  if (last.event === "bust") {
    shake(players.place(last.seat), { delay, pace });
    for (const tile of [last.flipped ?? []].flat()) turnOver(grill.places.get(tile), { delay: delay + HELD_MS + 350, pace });
  }
}

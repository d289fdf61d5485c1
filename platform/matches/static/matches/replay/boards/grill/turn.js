/** The end of a turn: players who are robbed or fail shake, and a tile that is turned over flips. */

import { fill, gettext, ngettext, percent } from "../../i18n.js";
import { shake, turnOver } from "../../motion.js";
import { reach } from "./reach.js";
import { FACES, LANDED_MS } from "./tumble.js";

const HELD_MS = 600;

const isRoll = ({ action, actor }) => actor < 0 && action.startsWith("roll ");

/**
 * Return how many milliseconds a piece waits: changes wait until the dice have landed; a lost tile waits longer, so
 * that viewers see the reason.
 */
export const hold = (kind, piece, passed) => (passed.some(isRoll) ? LANDED_MS : 0) + (kind === "tile" ? drama(passed) : 0);

/** Return the extra milliseconds that a failed turn is shown. */
export const drama = (passed) => (passed.some(({ key, view }) => key && view.last.event === "bust") ? HELD_MS : 0);

/** Return the announcement for this frame, { text, kind }, or null. */
export function toast({ key, view }, seats) {
  if (!key || key === "end") return null;
  const { event, from, seat, tile } = view.last;
  if (event === "bust") return { kind: "bust", text: fill(gettext("Bust! %(name)s"), { name: seats[seat].name }) };
  if (event !== "steal" || !tile) return null;
  return { kind: "steal", text: fill(gettext("%(name)s steals %(tile)s from %(other)s"), { name: seats[seat].name, tile, other: seats[from].name }) };
}

/** Return the text during a roll, { text, ms }, or null; `before` is the frame before those that `passed`. */
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

/** Return hints for newcomers, [{ text, risk }]: what the turn still needs, and the chance that the next roll fails. */
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

/**
 * Return the chance that no face of the next roll may be kept; null if there is no roll, or the weasel can save the
 * turn.
 */
function failing({ aside, dice_left: dice, weasel_ready: again }) {
  if (!dice || again) return null;
  return (FACES.filter((face) => aside[face]).length / FACES.length) ** dice;
}

/** Animate the end of a turn. `passed` are the frames since the one shown before; a `pace` below 1 is faster. */
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

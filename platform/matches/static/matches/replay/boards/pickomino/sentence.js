/** Sentences about frames. */

import { fill, gettext, ngettext } from "../../i18n.js";
import { faceName, keeps, valuesOf, why } from "../grill/texts.js";

/**
 * Return what happened in a frame. `before` is the previous frame, undefined at the start; `seats` are in table order.
 */
export function sentence(frame, before, seats) {
  const parts = [deed(frame, before, seats)];
  if (frame.key) parts.push(headline(frame, seats));
  if (frame.cause) parts.push(gettext("The bot failed: a house bot takes over."));
  return parts.filter(Boolean).join(" ");
}

/** Return how a turn ended, and the game if it did; for frames with a key. */
export function headline(frame, seats) {
  const end = ending(frame.view.last, seats);
  return frame.key === "end" ? `${end} ${gettext("The game is over.")}` : end;
}

function deed(frame, before, seats) {
  const { action, actor, view } = frame;
  if (!before) return gettext("The game begins with sixteen tiles on the grill.");
  const name = seats[actor < 0 ? roller(frame) : actor]?.name;
  const values = { name, dice: view.dice_left, sum: view.sum };
  if (actor < 0) {
    if (!action.startsWith("roll ")) return gettext("The start player is drawn by lot.");
    return fill(gettext("%(name)s rolls %(dice)s."), { name, dice: action.slice(5).split(" ").map(faceName).join(", ") });
  }
  if (action === "roll") {
    return fill(ngettext("%(name)s rolls on with one die.", "%(name)s rolls on with %(dice)s dice.", view.dice_left), values);
  }
  if (action === "stop" && frame.key) return ""; // the headline has it
  if (action === "stop") return fill(gettext("%(name)s stops."), values);
  if (action === "decline") return fill(gettext("%(name)s steals nothing."), values);
  if (action.startsWith("take ")) {
    const sum = frame.key ? view.last.total : view.sum;
    return keeps(name, action.slice(5), sum);
  }
  return "";
}

/** Chance frames have no actor: the player has rolled, or failed by the roll. */
const roller = ({ key, view }) => (key ? view.last.seat : view.actor);

function ending(last, seats) {
  const values = valuesOf(last, seats);
  if (last.event === "take") {
    return fill(ngettext("%(name)s takes tile %(tile)s with one worm.", "%(name)s takes tile %(tile)s with %(worms)s worms.", values.worms), values);
  }
  if (last.event === "steal") return fill(gettext("%(name)s steals tile %(tile)s from %(other)s."), values);
  const parts = [fill(why(last.why), values)];
  if (last.returned) parts.push(fill(gettext("Tile %(returned)s goes back to the grill."), values));
  if (last.flipped.length) parts.push(fill(gettext("Tile %(flipped)s is turned over."), values));
  return parts.join(" ");
}

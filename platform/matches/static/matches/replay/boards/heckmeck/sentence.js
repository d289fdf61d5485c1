/** Sentences about frames. */

import { fill, gettext, ngettext } from "../../i18n.js";
import { faceName, keeps, valuesOf, why } from "../grill/texts.js";
import { nameOf } from "./specialists.js";

/**
 * Return what happened in a frame. `before` is the previous frame, undefined at the start; `seats` are in table order.
 */
export function sentence(frame, before, seats) {
  const parts = [deed(frame, before, seats)];
  if (frame.key) parts.push(headline(frame, seats));
  parts.push(gift(frame, before, seats));
  if (frame.cause) parts.push(gettext("The bot failed: a house bot takes over."));
  return parts.filter(Boolean).join(" ");
}

/** Return how a turn ended, and the game if it did; for frames with a key. */
export function headline(frame, seats) {
  const parts = ending(frame.view.last, seats);
  if (frame.key === "end") parts.push(gettext("The game is over."));
  return parts.join(" ");
}

function deed(frame, before, seats) {
  const { action, actor, view, key } = frame;
  if (!before) return gettext("The game begins with eighteen tiles and six specialists on the grill.");
  const [verb, what] = action.split(" ");
  const roller = key ? view.last.seat : view.actor; // chance frames have no actor: the next player to choose has rolled
  const name = seats[actor < 0 ? roller : actor]?.name;
  if (verb === "start") return gettext("The start player is drawn by lot.");
  if (actor < 0) return fill(gettext("%(name)s rolls %(dice)s."), { name, dice: action.slice(5).split(" ").map(dieName).join(", ") });
  if (verb === "take") {
    const sum = key ? view.last.total : view.sum;
    return keeps(name, what, sum);
  }
  if (verb === "roll") {
    const values = { name, dice: view.dice_left };
    return fill(ngettext("%(name)s rolls on with one die.", "%(name)s rolls on with %(dice)s dice.", view.dice_left), values);
  }
  if (verb === "stop") return key ? "" : fill(gettext("%(name)s stops."), { name }); // the headline has it
  if (verb === "decline") return fill(gettext("%(name)s steals nothing."), { name });
  if (verb === "keep") return fill(gettext("%(name)s has two specialists and keeps the %(specialist)s."), { name, specialist: nameOf(what) });
  return DECISIONS[action] ? fill(DECISIONS[action](), { name }) : "";
}

const DECISIONS = {
  "use golden_die": () => gettext("%(name)s throws the golden die too."),
  "leave golden_die": () => gettext("%(name)s leaves the golden die out."),
  "use weasel": () => gettext("%(name)s has the weasel throw these dice again."),
  "leave weasel": () => gettext("%(name)s does not use the weasel."),
  "use canned_worm": () => gettext("%(name)s opens the canned worm."),
  "leave canned_worm": () => gettext("%(name)s leaves the can shut."),
};

const dieName = (die) =>
  die.startsWith("+") ? fill(gettext("golden %(face)s"), { face: faceName(die.slice(1)) }) : faceName(die);

/** Return a sentence about a bratworm that a player received, from the supply or from another player. */
function gift({ view }, before, seats) {
  if (!before) return "";
  const gained = view.bratworms.map((count, seat) => count - before.view.bratworms[seat]);
  const [to, from] = [gained.indexOf(1), gained.indexOf(-1)];
  if (to < 0) return "";
  const values = { name: seats[to].name, other: seats[from]?.name };
  return fill(from < 0 ? gettext("%(name)s gets a bratworm.") : gettext("%(name)s gets a bratworm of %(other)s."), values);
}

function ending(last, seats) {
  const values = valuesOf(last, seats);
  const parts = [];
  if (last.event === "take") {
    parts.push(ngettext("%(name)s takes tile %(tile)s with one worm.", "%(name)s takes tile %(tile)s with %(worms)s worms.", values.worms));
  } else if (last.event === "steal" && last.tile) parts.push(gettext("%(name)s steals tile %(tile)s from %(other)s."));
  else if (last.event === "steal") parts.push(gettext("%(name)s wins the hen that guards the tile of %(other)s."));
  else parts.push(why(last.why));
  if (last.returned) parts.push(gettext("Tile %(returned)s goes back to the grill."));
  if (last.flipped) parts.push(gettext("Tile %(flipped)s is turned over."));
  return [...parts.map((part) => fill(part, values)), ...last.moved.map((move) => moving(move, seats))];
}

function moving({ specialist, to }, seats) {
  const [kind, number] = to.split(" ");
  const values = { specialist: nameOf(specialist), tile: number, name: seats[kind === "seat" ? Number(number) : 0].name };
  if (kind === "seat") return fill(gettext("The %(specialist)s goes to %(name)s."), values);
  if (kind === "tile") return fill(gettext("The %(specialist)s goes to tile %(tile)s."), values);
  return fill(gettext("The %(specialist)s leaves the game."), values);
}

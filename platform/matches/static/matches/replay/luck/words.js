/** What the analysis of a game says, in words and figures. Shares are whole numbers of 1e-9. */

import { fill, gettext } from "../i18n.js";

const UNIT = 1e9;
const MILLION = 1e6;

/** The positions at the table in the order of the match's seats. */
export const inOrder = (seats) => seats.map((_, at) => at).sort((a, b) => seats[a].seat - seats[b].seat);

/** A share as a per cent figure, "54". */
export const percent = (share) => String(Math.round((100 * Math.min(Math.max(share, 0), UNIT)) / UNIT));

/** What the shares are of. */
export const chanceTitle = (seats) => (seats.length > 2 ? gettext("Expected score") : gettext("Chance to win"));

/** Points of a hundred, "3.1"; `signed` ones have a + or a minus sign. */
export function points(share, signed = false) {
  const value = (100 * share) / UNIT;
  const shown = Math.abs(value).toLocaleString(document.documentElement.lang || "en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  if (!signed) return shown;
  return Math.abs(value) < 0.05 ? shown : `${value < 0 ? "−" : "+"}${shown}`;
}

/** How a decision was: a word for what it lost. */
export function verdict(decision) {
  const lost = points(decision.lost);
  if (decision.stand_in) return gettext("A stand-in decided: this does not count.");
  if (decision.options.length < 2) return gettext("There was no choice.");
  const text = {
    blunder: gettext("Blunder: %(lost)s points of win chance lost"),
    mistake: gettext("Mistake: %(lost)s points of win chance lost"),
    slip: gettext("Slip: %(lost)s points of win chance lost"),
  }[decision.mark];
  if (text) return fill(text, { lost });
  return decision.action === decision.best ? gettext("The best choice") : fill(gettext("%(lost)s points less than the best choice"), { lost });
}

const SPECIALISTS = {
  "use golden_die": () => gettext("roll the golden die too"),
  "leave golden_die": () => gettext("leave the golden die out"),
  "use weasel": () => gettext("throw these dice again"),
  "leave weasel": () => gettext("do not throw again: a failed turn"),
  "use canned_worm": () => gettext("open the canned worm"),
  "leave canned_worm": () => gettext("leave the canned worm shut: a failed turn"),
  "keep canned_worm": () => gettext("keep the canned worm"),
  "keep hen": () => gettext("keep the hen"),
  "keep weasel": () => gettext("keep the weasel"),
  "keep golden_die": () => gettext("keep the golden die"),
  "keep apple": () => gettext("keep the apple"),
};

/** An alternative: what it is. `seats` in table order. */
export function label(kind, { action, left, tile, total }, seats) {
  const rest = action.split(" ")[1];
  if (SPECIALISTS[action]) return SPECIALISTS[action]();
  if (kind === "bratworm") return fill(gettext("a bratworm of %(name)s"), { name: seats[Number(rest)].name });
  if (kind === "face") return rest === "W" ? gettext("keep the worms") : fill(gettext("keep the %(face)ss"), { face: rest });
  if (action === "roll") return fill(gettext("roll %(left)s dice"), { left });
  if (action === "stop" && tile === undefined) return fill(gettext("stop with %(total)s"), { total });
  if (action === "stop") return tile ? fill(gettext("stop with %(total)s: tile %(tile)s"), { total, tile }) : fill(gettext("stop with %(total)s: a failed turn"), { total });
  if (action === "decline" && !tile) return gettext("do not steal: a failed turn");
  if (action === "steal" && !tile) return gettext("steal the hen");
  if (action === "steal") return fill(gettext("steal tile %(tile)s"), { tile });
  return fill(gettext("take tile %(tile)s"), { tile });
}

/** What follows from an alternative, or "". */
export function detail(kind, { action, bust, tile, total }) {
  const risk = bust === undefined ? "" : fill(gettext("%(bust)s bust if it rolls on"), { bust: risky(bust) });
  if (kind === "go_on") return action === "roll" ? risk : "";
  if (kind !== "face") return "";
  const now = tile ? fill(gettext("%(total)s now, enough for tile %(tile)s"), { total, tile }) : fill(gettext("%(total)s now"), { total });
  return risk ? `${now}; ${risk}` : now;
}

function risky(bust) {
  const value = (100 * bust) / MILLION;
  return value > 0 && value < 1 ? "< 1 %" : `${Math.round(value)} %`;
}

/** Why there is no analysis. */
export function missing({ state, code }) {
  const why = {
    no_value: gettext("No exact analysis for this game: luck and skill cannot be told apart."),
    too_little: gettext("The luck of the draw explains next to nothing of a result here. Luck isn't shown for this game."),
    options: gettext("This game was played by options that its analysis does not know."),
    turn_cap: gettext("This game was ended after too many turns: it is not analysed."),
  };
  return state === "none" ? (why[code] ?? gettext("This game cannot be analysed.")) : gettext("The analysis could not be loaded. Reload the page to try again.");
}

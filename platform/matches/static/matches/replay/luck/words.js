/** What the analysis of a game says, in words and figures. Shares are whole numbers of 1e-9. */

import { fill, gettext, percent as inPercent } from "../i18n.js";

const UNIT = 1e9;

/** The positions at the table in the order of the match's seats. */
export const inOrder = (seats) => seats.map((_, at) => at).sort((a, b) => seats[a].seat - seats[b].seat);

/** A share as a percentage. */
export const percent = (share) => inPercent(Math.min(Math.max(share / UNIT, 0), 1));

/** What the shares are of: among more than two they add up to more than a hundred, and the title says why. */
export const chanceTitle = (seats) => (seats.length > 2 ? gettext("Opponents beaten") : gettext("Chance to win"));

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

/**
 * An alternative in words, `{ label, detail }`: by `option` of its game, see boards/<game>/later.js; without that, or where
 * it knows none, as the action is written.
 */
export const worded = (option, kind, one, seats) => option?.(kind, one, seats) ?? { label: one.action, detail: "" };

/** Why there is no analysis. */
export function missing({ state, code }) {
  const why = {
    options: gettext("This game was played with options that its analysis does not know."),
    turn_cap: gettext("This game was ended after too many turns: it is not analysed."),
  };
  return state === "none" ? (why[code] ?? gettext("This game cannot be analysed.")) : gettext("The analysis could not be loaded. Reload the page to try again.");
}

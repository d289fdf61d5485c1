/** Texts and figures of analyses. Shares are integers in units of 1e-9. */

import { fill, gettext, percent as inPercent } from "../i18n.js";

const UNIT = 1e9;

/** Return table positions in the order of the match's seats. */
export const inOrder = (seats) => seats.map((_, at) => at).sort((a, b) => seats[a].seat - seats[b].seat);

/** Format a share as a percentage. */
export const percent = (share) => inPercent(Math.min(Math.max(share / UNIT, 0), 1));

/** Return the title of the shares: with more than two players they add up to more than 100 %, so the title differs. */
export const chanceTitle = (seats) => (seats.length > 2 ? gettext("Opponents beaten") : gettext("Chance to win"));

/** Format a share as points of a hundred, "3.1"; with `signed`, with a plus or minus sign. */
export function points(share, signed = false) {
  const value = (100 * share) / UNIT;
  const shown = Math.abs(value).toLocaleString(document.documentElement.lang || "en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  if (!signed) return shown;
  return Math.abs(value) < 0.05 ? shown : `${value < 0 ? "−" : "+"}${shown}`;
}

/** Return a sentence about a decision and what it cost. */
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
 * Return { label, detail } of an alternative: from the game's `option` (boards/<game>/later.js), or else the action
 * itself.
 */
export const worded = (option, kind, one, seats) => option?.(kind, one, seats) ?? { label: one.action, detail: "" };

/** Return the reason why there is no analysis. */
export function missing({ state, code }) {
  const why = {
    options: gettext("This game was played with options that its analysis does not know."),
    turn_cap: gettext("This game was ended after too many turns: it is not analysed."),
  };
  return state === "none" ? (why[code] ?? gettext("This game cannot be analysed.")) : gettext("The analysis could not be loaded. Reload the page to try again.");
}

/** The review of a finished game: the luck of the player at this seat, and what each decision cost. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext, ngettext } from "../matches/replay/i18n.js";
import { missing, points, worded } from "../matches/replay/luck/format.js";

const POINT = 1e6; // one point in luck of dealt cards

/** Reasons why a game has no analysis. Its replays have no "Luck" tab. */
const NEVER = {
  no_value: () => gettext("No exact analysis for this game: luck and skill cannot be separated."),
  too_little: () => gettext("The luck of the draw hardly affects a result here. Luck isn't shown for this game."),
};

/**
 * Return the elements of the review. `found` is the analysis, `seat` the player's; `go(step)` shows a step, `option` is
 * that of worded() in luck/format.js.
 */
export function reviewed(found, { seat, names, go, option }) {
  const head = el("h2", {}, gettext("Your game, reviewed"));
  if (found.state === "dealt") {
    const cards = fill(gettext("Your cards were worth %(points)s points more or less than the mean of all deals."), { points: signed(found.luck[seat] / POINT) });
    return [head, el("p", {}, cards), el("p", { class: "muted" }, gettext("The cost of a decision is not known: there is no analysis of the positions of this game."))];
  }
  if (found.state !== "ready") return [head, el("p", {}, NEVER[found.code]?.() ?? missing(found))];
  const seats = names.map((name, at) => ({ name, seat: at }));
  const own = found.decisions.filter((one) => one.seat === seat && one.options.length > 1);
  const lost = own.reduce((sum, one) => sum + one.lost, 0);
  const sum = fill(gettext("The dice were worth %(luck)s points of win chance to you; your decisions lost %(lost)s."), { luck: points(found.luck[seat], true), lost: points(lost) });
  const line = (one) => row(one, { go, label: (action) => worded(option, one.kind, one.options.find((other) => other.action === action), seats).label });
  const all = el("ol", { class: "pg-decisions" }, ...own.map(line));
  const costly = own.filter(({ mark }) => mark);
  const count = costly.length ? fill(ngettext("One decision of %(all)s cost 2 points or more.", "%(count)s decisions of %(all)s cost 2 points or more.", costly.length), { count: costly.length, all: own.length }) : fill(gettext("None of your %(all)s decisions cost 2 points or more."), { all: own.length });
  return [
    head,
    el("p", {}, sum, " ", count),
    costly.length ? el("ol", { class: "pg-decisions" }, ...costly.map(line)) : null,
    el("details", { class: "fold" }, el("summary", {}, gettext("All your decisions")), all),
    el("p", { class: "small muted" }, gettext("From the exact chances of every position. None of it changes the result.")),
  ].filter(Boolean);
}

function row({ action, best, lost, mark, step }, { go, label }) {
  const message = lost ? fill(gettext("%(played)s; better: %(best)s"), { played: label(action), best: label(best) }) : label(action);
  const title = fill(gettext("Step %(step)s"), { step });
  return el(
    "li",
    { "data-mark": mark || false },
    el("button", { type: "button", class: "button small", click: () => go(step) }, title),
    el("span", {}, message),
    el("b", { class: "number" }, lost ? points(-lost, true) : gettext("best")),
  );
}

function signed(value) {
  const shown = Math.abs(value).toLocaleString(document.documentElement.lang || "en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return `${value < 0 ? "\u2212" : "+"}${shown}`;
}

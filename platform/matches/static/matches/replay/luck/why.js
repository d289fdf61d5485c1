/** The value of a step: the luck of a roll, or the choice made beside its alternatives. */

import { chip, el } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { chanceTitle, inOrder, percent, points, verdict, worded } from "./format.js";

/** Return elements about the step `step` of an analysis; `seats` are in table order, `option` as for worded(). */
export function why(found, step, seats, option) {
  const decision = found.decisions.find((one) => one.step === step);
  const roll = found.rolls.find((one) => one.step === step);
  return [chances(found, step, seats), ...(seats.length > 2 ? [el("p", { class: "lk-note" }, sums(seats.length))] : []), ...(decision ? choice(decision, seats, option) : []), ...(roll ? [lucky(roll, seats)] : [])];
}

function chances(found, step, seats) {
  const shares = found.shares[Math.min(step, found.shares.length - 1)];
  const of = (at) => el("span", { class: "lk-chance" }, chip(seats[at]), el("b", { class: "number" }, percent(shares[at])));
  return el("p", { class: "lk-chances" }, el("span", {}, chanceTitle(seats)), ...inOrder(seats).map(of));
}

/** Explain the shares, and why they add up to more than 100 %. */
const sums = (count) =>
  fill(gettext("The share of its opponents that a bot can expect to beat. Together that is %(sum)s, for each of %(count)s bots beats half of the others on average."), { count, sum: `${50 * count}\u00a0%` });

function choice(decision, seats, option) {
  const head = el("p", { class: "lk-verdict", "data-mark": decision.mark || undefined }, chip(seats[decision.seat]), el("span", {}, verdict(decision)));
  if (decision.options.length < 2) return [head];
  const best = decision.options[0].value;
  const rows = decision.options.map((one) => {
    const played = one.action === decision.action;
    const less = best - one.value;
    const { label, detail } = worded(option, decision.kind, one, seats);
    return el(
      "li",
      { class: "lk-option", "aria-current": played && "true" },
      el("span", {}, el("b", {}, label), played ? ` ${gettext("(played)")}` : "", el("small", {}, detail)),
      el("span", { class: "number", title: fill(gettext("%(share)s in all"), { share: percent(one.value) }) }, less ? points(-less, true) : gettext("best")),
    );
  });
  return [head, el("ol", { class: "lk-options" }, ...rows)];
}

function lucky({ luck, seat }, seats) {
  if (seat < 0) return el("p", { class: "lk-verdict" }, gettext("Who begins is drawn by lot."));
  const text = fill(gettext("Luck of this roll: %(points)s points"), { points: points(luck[seat], true) });
  return el("p", { class: "lk-verdict" }, chip(seats[seat]), el("span", {}, text));
}

/**
 * Luck in the cards of a round: what one fixed bot in every seat would make of them. It is for information, and no
 * score subtracts it.
 */

import { chip, el } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { inOrder } from "./format.js";

const POINT = 1e6;

/** Return elements about the last deal until `step`; with `whole`, also about the whole game. */
export function cards(found, step, whole, seats) {
  const deals = found.deals.filter((deal) => deal.step <= step);
  const last = deals.at(-1);
  if (!last) return [el("p", { class: "lk-note" }, gettext("The cards are being dealt."))];
  const round = fill(gettext("Cards dealt in round %(round)s"), { round: deals.length });
  return [
    pointsRow(round, last.luck, seats),
    ...(whole ? [pointsRow(gettext("Cards dealt in the whole game"), found.luck, seats)] : []),
    el("p", { class: "lk-note" }, gettext("In points: what one fixed bot in every seat would make of these cards, minus the mean of all deals. It cancels out when the seats rotate, so the result is not adjusted.")),
  ];
}

function pointsRow(title, luck, seats) {
  const of = (at) => el("span", { class: "lk-chance" }, chip(seats[at]), el("b", { class: "number" }, signed(luck[at] / POINT)));
  return el("p", { class: "lk-chances" }, el("span", { class: "lk-whose" }, title), ...inOrder(seats).map(of));
}

function signed(points) {
  const shown = Math.abs(points).toLocaleString(document.documentElement.lang || "en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return Math.abs(points) < 0.05 ? shown : `${points < 0 ? "\u2212" : "+"}${shown}`;
}

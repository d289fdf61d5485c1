/** The score sheet: the bid and the points of each round. */

import { chip, el } from "../../dom.js";
import { gettext } from "../../i18n.js";
import { signed } from "./players.js";

export function createSheet(seats) {
  const table = el("table", { class: "lg-sheet" });
  const element = el("div", { class: "lg-paper", tabindex: 0, role: "region", "aria-label": gettext("Score sheet") }, table);
  let shown = null;

  const show = (view) => {
    const state = `${view.round} ${view.sheet.length} ${view.bids}`;
    if (state === shown) return;
    shown = state;
    table.replaceChildren(head(view), el("tbody", {}, ...seats.map((seat, position) => row(view, seat, position))));
    const now = table.querySelector("[aria-current]");
    // scrollIntoView() might scroll the page. After the game, the last rounds are shown.
    element.scrollLeft = now ? now.offsetLeft - element.clientWidth / 2 : element.scrollWidth;
  };
  return { element, show };
}

function head(view) {
  const cells = view.schedule.map((cards, round) =>
    el("th", { scope: "col", "aria-current": round === view.round - 1 && view.phase !== "over" && "true" }, String(cards)),
  );
  return el("thead", {}, el("tr", {}, el("th", { scope: "row" }, gettext("Cards")), ...cells, el("th", { scope: "col" }, gettext("Points"))));
}

function row(view, seat, position) {
  const cells = view.schedule.map((_, round) => {
    const done = view.sheet[round];
    if (!done) return el("td", {}, round === view.round - 1 ? `${view.bids[position] ?? ""}` : "");
    const points = done.points[position];
    const kind = points > 0 ? "made" : "missed";
    return el("td", { "data-state": kind }, el("span", { class: "lg-bid" }, String(done.bids[position])), el("b", {}, signed(points)));
  });
  return el("tr", { "data-seat": seat.seat }, el("th", { scope: "row" }, chip(seat)), ...cells, el("td", { class: "lg-sum" }, signed(view.scores[position])));
}

/** The shore of the lake: a hut for each trick bid, lit when it is won, and the balance of bids and tricks. */

import { chip, el, svg } from "../../dom.js";
import { fill, gettext, ngettext } from "../../i18n.js";
import { animate } from "../../motion.js";

const STEEP = 5; // degrees for each trick too many or too few
const STEEPEST = 20;

const HUT = "M1.5 9 8 2.5 14.5 9H13v5.5H3V9z";
const CROSS = "M3.5 3.5l9 9M12.5 3.5l-9 9";

/** Return a hut for each trick of a bid, lit if won; tricks beyond the bid are crosses. */
export function huts(bid, won) {
  const marks = Array.from({ length: Math.max(bid, won) }, (_, n) => {
    const kind = n >= bid ? "over" : n < won ? "won" : "open";
    return svg("svg", { class: "lg-hut", viewBox: "0 0 16 16", "data-kind": kind }, svg("path", { d: kind === "over" ? CROSS : HUT }));
  });
  return el("span", { class: "lg-huts", "aria-hidden": "true" }, ...marks);
}

/** Return the elements shown before the first card: the number of cards, and the bids so far. */
export function bidsAshore(view, seats) {
  const cards = fill(ngettext("%(count)s card each", "%(count)s cards each", view.cards_each), { count: view.cards_each });
  const bids = seats.map((seat, position) => {
    const bid = view.bids[position];
    return el("span", { class: "lg-bid-of", "data-seat": seat.seat }, chip(seat), el("b", {}, bid === null ? "?" : String(bid)), huts(bid ?? 0, 0));
  });
  return [el("span", { class: "lg-words" }, cards), ...bids];
}

/** Create a balance with bids and tricks in its pans; it tilts to the side with too many. Return { element, show }. */
export function createBalance() {
  const text = el("span");
  const beam = svg("g", {}, svg("path", { d: "M3 6H29M3 6 0.5 12h5zM29 6l-2.5 6h5z" }));
  const drawing = svg("svg", { class: "lg-balance", viewBox: "0 0 32 18", "aria-hidden": "true" }, svg("path", { d: "M16 6V16.5M11 16.5H21" }), beam);
  const element = el("span", { class: "lg-bids" }, drawing, text);
  let tilt = 0;

  const show = (view, pace) => {
    const made = view.bids.filter((bid) => bid !== null);
    const sum = made.reduce((all, bid) => all + bid, 0);
    const values = { sum, cards: view.cards_each };
    text.textContent = made.length ? fill(gettext("bids %(sum)s of %(cards)s"), values) : "";
    const before = tilt;
    tilt = made.length ? Math.max(-STEEPEST, Math.min(STEEPEST, STEEP * (view.cards_each - sum))) : 0;
    beam.style.transform = `rotate(${tilt}deg)`;
    drawing.toggleAttribute("hidden", !made.length);
    if (tilt !== before) animate(beam, [{ transform: `rotate(${before}deg)` }, { transform: `rotate(${tilt}deg)` }], { pace });
  };
  return { element, show };
}

/** The players' places: name and points, bid and tricks, and the visible part of the hand. */

import { chip, el } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { animate } from "../../motion.js";
import { back, card } from "./pieces.js";
import { huts } from "./shore.js";

export function createPlayers(seats) {
  const places = seats.map(createPlace);
  const element = el("ol", { class: "bd-places lg-players", "data-count": seats.length }, ...places.map((place) => place.element));

  const show = ({ view }, pov) => {
    places.forEach((place, position) => {
      const own = seats[position].seat === pov;
      place.element.toggleAttribute("data-active", position === view.actor);
      place.element.toggleAttribute("data-pov", own);
      place.show(view, position, pov < 0 || own);
    });
  };
  const place = (position) => places[position]?.element;
  const fan = (pace) => {
    for (const { element: one } of places) {
      one.querySelectorAll(".lg-hand > *").forEach((card, at) =>
        animate(card, [{ transform: "translate(-120%, -60%) rotate(-25deg)", opacity: 0 }, { transform: "none" }], { ms: 350, delay: 35 * at, pace }),
      );
    }
  };
  return { element, show, place, fan };
}

function createPlace(seat) {
  const dealer = el("span", { class: "lg-dealer" }, gettext("dealer"));
  const points = el("output", { class: "lg-points" });
  const who = el("div", { class: "lg-who" }, chip(seat), el("span", { class: "bd-name" }, seat.named()), dealer, points);
  const tally = el("div", { class: "lg-tally" });
  const hand = el("div", { class: "lg-hand", "aria-hidden": "true" });
  const element = el("li", { class: "bd-place lg-player", "data-seat": seat.seat }, who, tally, hand);

  const show = (view, position, open) => {
    const round = shownRound(view, position);
    points.textContent = String(view.scores[position]).replace("-", "−");
    points.title = fill(gettext("Points: %(points)s"), { points: view.scores[position] });
    dealer.hidden = view.dealer !== position;
    tally.dataset.state = round.state;
    tally.replaceChildren(...tallyOf(round));
    hand.replaceChildren(
      ...(open ? view.hands[position].map((one) => card(view.options.deck[one], { id: one })) : Array.from({ length: view.hand_sizes[position] }, back)),
    );
  };
  return { element, show };
}

/** Return whether a round is over and the next one is not dealt yet. */
export const isBetween = ({ phase, sheet, hand_sizes }) =>
  phase === "over" || (phase === "deal" && sheet.length > 0 && !hand_sizes.some(Boolean));

/** Return the bid and the tricks of the round; those of a finished round until cards are dealt again. */
function shownRound(view, position) {
  if (isBetween(view)) {
    const { bids, won, points } = view.sheet.at(-1);
    const made = points[position] > 0;
    return { bid: bids[position], won: won[position], gain: points[position], state: made ? "made" : "missed" };
  }
  const [bid, won] = [view.bids[position], view.won[position]];
  return { bid, won, gain: null, state: bid !== null && won > bid ? "missed" : "" };
}

/** Return the bid and the tricks as text and as huts, and the points gained. */
function tallyOf({ bid, won, gain }) {
  if (bid === null) return [el("span", { class: "lg-words muted" }, gettext("no bid yet"))];
  const text = fill(gettext("bid %(bid)s · won %(won)s"), { won, bid });
  const gained = gain === null ? [] : [el("b", { class: "lg-gain" }, signed(gain))];
  return [el("span", { class: "lg-words" }, text), huts(bid, won), ...gained];
}

export const signed = (points) => (points > 0 ? `+${points}` : String(points).replace("-", "−"));

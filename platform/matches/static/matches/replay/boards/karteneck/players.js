/**
 * The players' places: name and worms, the display with its total, the hand, and the stack, of which only the top can
 * be stolen.
 */

import { chip, el, svg } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { worm } from "../grill/pieces.js";
import { back, card, portion, wormsOn } from "./pieces.js";

export function createPlayers(seats) {
  const places = seats.map(createPlace);
  const element = el("ol", { class: "bd-places kk-players", "data-count": seats.length }, ...places.map((place) => place.element));

  const show = (frame, pov, passed) => {
    const played = passed.find(({ actor }) => actor >= 0);
    const { key, view } = frame;
    const active = key ? view.last.seat : frame.actor >= 0 ? frame.actor : (view.drawing ?? view.actor);
    places.forEach((place, position) => {
      const own = seats[position].seat === pov;
      place.element.toggleAttribute("data-active", position === active);
      place.element.toggleAttribute("data-pov", own);
      place.show(frame, position, pov < 0 || own, played?.actor === position ? played : null);
    });
  };
  const place = (position) => places[position]?.element;
  return { element, show, place };
}

function createPlace(seat) {
  const row = (name) => el("div", { class: name, "aria-hidden": "true" });
  const [display, hand, stack] = ["kk-display", "kk-hand", "kk-stack"].map(row);
  display.dataset.empty = gettext("nothing played");
  display.dataset.label = gettext("played");
  hand.dataset.label = gettext("hand");
  stack.dataset.label = gettext("won: the top can be stolen");
  const total = el("output", { class: "kk-total" });
  const note = el("span", { class: "kk-note" });
  const number = el("span");
  const worms = el("span", { class: "bd-worms" }, number, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, worm()));
  const who = el("div", { class: "kk-who" }, chip(seat), el("span", { class: "bd-name" }, seat.named()), worms);
  const sum = el("div", { class: "kk-sum", "data-label": gettext("total"), "aria-hidden": "true" }, total, note);
  const element = el("li", { class: "bd-place kk-player", "data-seat": seat.seat }, who, stack, display, sum, hand);

  const show = (frame, position, open, played) => {
    const { view } = frame;
    const lies = shownBy(frame, position);
    number.textContent = view.worms[position];
    worms.title = fill(gettext("Worms: %(worms)s"), { worms: view.worms[position] });
    element.dataset.status = lies.status;
    total.textContent = lies.cards.length ? lies.total : "";
    note.textContent = lies.note;
    display.replaceChildren(...grouped(lies.cards, played && !frame.key ? typeOf(played.action) : ""));
    hand.replaceChildren(...(open ? view.hands[position].map((name, at, held) => card(name, isCovered(name, held[at + 1]) ? "covered" : "")) : Array.from({ length: view.hand_sizes[position] }, back)));
    stack.replaceChildren(...view.stacks[position].map((value) => portion(value, wormsOn(view, value))));
    stack.lastElementChild?.classList.toggle("gained", lies.gained);
  };
  return { element, show };
}

/** Return the display of a seat. If a pass or the menu has just cleared it, the view has it in `last`. */
function shownBy({ key, view }, position) {
  const cards = view.displays[position];
  const status = view.passed[position];
  const lies = { cards, total: view.totals[position], status, note: status === "valid" ? gettext("has passed") : "", gained: false };
  if (status === "invalid") lies.note = gettext("passed without a worm");
  if (!key) return lies;
  const { last } = view;
  const share = last.menu.find(({ seat }) => seat === position);
  if (share) return { cards: share.display, total: share.total, status: "valid", note: fill(gettext("gets %(portion)s"), share), gained: true };
  if (last.seat !== position) return lies;
  if (last.event === "bust") {
    return { cards: last.display, total: last.total, status: "invalid", note: fill(gettext("no worm: takes %(portion)s"), last), gained: true };
  }
  return last.event === "steal" ? { ...lies, note: fill(gettext("steals %(portion)s"), last), gained: true } : lies;
}

/** Return cards grouped by type; those of the type just played are marked as fresh. */
function grouped(cards, fresh) {
  return cards.map((name, at) => card(name, `${isCovered(name, cards[at + 1]) ? "covered " : ""}${name[0] === fresh ? "fresh" : ""}`));
}

const isCovered = (name, next) => name[0] === next?.[0];

/** Return the type that "play 2x3", "play W7" or "also W9" plays. */
const typeOf = (action) => (action.includes("W") ? "W" : action.startsWith("play ") ? action.at(-1) : "");

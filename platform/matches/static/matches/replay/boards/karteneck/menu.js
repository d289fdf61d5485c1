/** The menu: who would get which portion, and all totals on one ruler. */

import { chip, el } from "../../dom.js";

const LONGEST = 42; // the highest portion; the ruler grows with higher totals
const APART = 7; // percent of the ruler, the space of a chip with its number

const tagOf = (cards) => Math.max(0, ...cards.filter((name) => name[0] === "W").map((name) => Number(name.slice(1))));

/** Return the display of each seat, [{ cards, total }], including those of a round that has just been shared out. */
export function lying({ key, view }) {
  return view.displays.map((cards, seat) => {
    const share = key && view.last.menu.find((one) => one.seat === seat);
    return share ? { cards: share.display, total: share.total } : { cards, total: view.totals[seat] };
  });
}

/**
 * Return a map from portions to the seats that would get them if the round ended now: by total, then by worm number.
 */
export function shares(frame) {
  const { passed, grill } = frame.view;
  const last = frame.key && frame.view.last.menu.length ? frame.view.last.menu : null;
  if (last) return new Map(last.map(({ portion, seat }) => [portion, seat]));
  const claims = lying(frame)
    .map(({ cards, total }, seat) => ({ seat, total, tag: tagOf(cards) }))
    .filter(({ seat, tag }) => tag && passed[seat] !== "invalid")
    .sort((one, other) => other.total - one.total || other.tag - one.tag);
  return new Map([...grill].sort((one, other) => other - one).slice(0, claims.length).map((value, at) => [value, claims[at].seat]));
}

/**
 * Create the ruler, with a chip at each total and a mark where the top of a stack could be stolen. Return { element,
 * show }.
 */
export function createRuler(seats) {
  const numbers = seats.map(() => el("b", { class: "number" }));
  const chips = seats.map((seat, at) => el("span", { class: "kk-at", "data-claim": `ruler ${seat.seat}` }, chip(seat), numbers[at]));
  const marks = seats.map((seat) => el("span", { class: "kk-mark", "data-seat": seat.seat }));
  const element = el("div", { class: "kk-ruler" }, ...marks, ...chips);

  const show = (frame) => {
    const totals = lying(frame).map(({ cards, total }) => (cards.length ? total : null));
    const longest = Math.max(LONGEST, ...totals.filter((total) => total !== null));
    const places = apart(totals.map((total) => (total === null ? null : (100 * total) / longest)));
    chips.forEach((one, position) => {
      one.hidden = totals[position] === null;
      numbers[position].textContent = totals[position] ?? "";
      one.style.insetInlineStart = `${places[position] ?? 0}%`;
    });
    marks.forEach((one, position) => {
      const top = frame.view.stacks[position].at(-1);
      one.hidden = !top;
      one.style.insetInlineStart = `${(100 * (top ?? 0)) / longest}%`;
    });
  };
  return { element, show };
}

/** Move places apart where chips would overlap, without passing the end. */
function apart(places) {
  const order = places.map((_, at) => at).filter((at) => places[at] !== null).sort((one, other) => places[one] - places[other]);
  const moved = [...places];
  order.forEach((at, rank) => {
    if (rank) moved[at] = Math.max(moved[at], moved[order[rank - 1]] + APART);
  });
  const over = Math.max(0, ...order.map((at) => moved[at] - 100));
  return moved.map((place) => place && Math.max(place - over, 0));
}

/** The board: the trick in the middle and the players' places around. The score sheet is beside the board. */

import { chip, el } from "../../dom.js";
import { fill, gettext, ngettext } from "../../i18n.js";
import { card, featureName, FEATURES, sign, valueCard } from "./pieces.js";
import { createPlayers, isBetween } from "./players.js";
import { createSheet } from "./sheet.js";
import { bidsAshore, createBalance } from "./shore.js";

export function createBoard(seats) {
  const lake = createLake(seats);
  const players = createPlayers(seats);
  const sheet = createSheet(seats);
  const element = el("div", { class: "bd-board lg-board", role: "group" }, lake.element, players.element);

  const show = (frame, { pov, passed, pace }) => {
    element.setAttribute("aria-label", summary(frame.view, seats));
    lake.show(frame, pov, pace);
    players.show(frame, pov);
    if (passed.some(({ action }) => action.startsWith("draw "))) players.fan(pace);
    sheet.show(frame.view);
  };
  // A trick flies to its winner when the next one begins.
  const whither = (kind, piece, view) => {
    const won = view.tricks.findLast(({ cards }) => cards.map(String).includes(piece)) ?? view.last_trick;
    return kind === "card" && won?.cards.map(String).includes(piece) ? players.place(won.winner) : null;
  };
  return { element, show, whither, beside: sheet.element };
}

/** Return hints for newcomers, [{ text }]: the tricks that the player to act still needs. */
export function situation({ view }) {
  const { actor, bids, phase, won } = view;
  if (actor < 0 || phase === "bid") return [];
  const left = bids[actor] - won[actor];
  if (left > 0) return [{ text: fill(ngettext("Needs one more trick", "Needs %(left)s more tricks", left), { left }) }];
  return [{ text: left ? gettext("Over its bid") : gettext("Needs no more tricks") }];
}

function createLake(seats) {
  const round = el("span", { class: "lg-round" });
  const balance = createBalance();
  const feature = el("span", { class: "lg-feature" });
  const trick = el("div", { class: "lg-trick", "data-count": seats.length });
  const head = el("div", { class: "lg-head" }, round, balance.element);
  const shore = el("div", { class: "lg-shore" });
  const water = el("div", { class: "lg-water" }, feature, trick, shore);
  const legend = createLegend();
  const aim = el("p", { class: "lg-aim" }, gettext("The feature that is led counts: its highest value wins the trick. Points only for exactly as many tricks as bid."));
  const element = el("div", { class: "lg-lake", "aria-hidden": "true" }, head, water, legend.element, aim);

  const show = ({ view }, pov, pace) => {
    round.textContent = roundOf(view);
    balance.show(view, pace);
    const lies = lyingTrick(view);
    feature.replaceChildren(...(lies ? [sign(lies.feature), featureName(lies.feature)] : []));
    const places = lies ? lies.cards.map((_, place) => laid(lies, place, view, seats, pov)) : [];
    trick.toggleAttribute("data-done", Boolean(lies) && lies.winner !== null);
    trick.replaceChildren(...places);
    legend.show(lies?.feature ?? "");
    feature.hidden = trick.hidden = !lies;
    shore.replaceChildren(...(lies ? [] : bidsAshore(view, seats)));
    shore.hidden = Boolean(lies);
  };
  return { element, show };
}

/** Create the legend of the four values of a card; it marks the one that counts now. */
function createLegend() {
  const names = [...FEATURES].map((one) => el("li", { class: "lg-value", "data-feature": one }, sign(one), featureName(one)));
  const show = (named) => names.forEach((one) => one.toggleAttribute("data-named", one.dataset.feature === named));
  return { element: el("ul", { class: "lg-legend" }, ...names), show };
}

/** Return the current trick, or the previous one until the next begins. */
function lyingTrick(view) {
  if (view.trick) return view.trick;
  if (isBetween(view)) return view.last_trick;
  return view.phase === "lead" ? view.tricks.at(-1) : null;
}

/** Return the number of the round; a finished round counts until the next one is dealt. */
function roundOf(view) {
  const values = { round: isBetween(view) ? view.sheet.length : view.round, rounds: view.schedule.length };
  return fill(gettext("Round %(round)s of %(rounds)s"), values);
}

function laid(trick, place, view, seats, pov) {
  const position = (trick.leader + place) % view.players;
  const seat = seats[position];
  const secret = view.options.reveal === "value" && pov >= 0 && pov !== seat.seat;
  const values = view.options.deck[trick.cards[place]];
  const face = secret ? valueCard(trick.feature, trick.values[place]) : card(values, { named: trick.feature, id: trick.cards[place] });
  const best = trick.values[place] === Math.max(...trick.values);
  return el("span", { class: "lg-laid", "data-seat": seat.seat, "data-best": best }, face, chip(seat));
}

/** Return the position as text for screen readers. */
function summary(view, seats) {
  const players = seats.map((seat, position) =>
    fill(gettext("%(name)s: bid %(bid)s, tricks %(won)s, points %(points)s"), {
      name: seat.name,
      bid: view.bids[position] ?? "–",
      won: view.won[position],
      points: view.scores[position],
    }),
  );
  return `${roundOf(view)}. ${players.join("; ")}.`;
}

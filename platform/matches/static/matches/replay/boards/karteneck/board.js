/** The table: the grill, deck and discards in the middle, everybody's place around. Built once per game, then told what to show. */

import { el } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { back, card, portion, wormsOn } from "./pieces.js";
import { createPlayers } from "./players.js";

const SERVED_MS = 280;

export function createBoard(seats) {
  const middle = createMiddle();
  const players = createPlayers(seats);
  const element = el("div", { class: "bd-board iron-board kk-board", role: "group" }, middle.element, players.element);

  const show = (frame, { pov, passed }) => {
    element.setAttribute("aria-label", summary(frame.view, seats));
    middle.show(frame, passed);
    players.show(frame, pov, passed);
  };
  // The menu is served one by one, from the best.
  const hold = (kind, piece, passed) => {
    const menu = kind === "portion" ? passed.findLast(({ view }) => view.last?.menu.length)?.view.last.menu : null;
    return SERVED_MS * Math.max(menu?.findIndex(({ portion }) => String(portion) === piece) ?? 0, 0);
  };
  return { element, show, hold };
}

function createMiddle() {
  const round = el("span", { class: "kk-round" });
  const grill = el("div", { class: "kk-grill" });
  const deck = createPile(gettext("deck"), back());
  const discard = createPile(gettext("discards"));
  const element = el("div", { class: "iron kk-middle", "aria-hidden": "true" }, round, grill, deck.element, discard.element);

  const show = ({ view }, passed) => {
    round.textContent = fill(gettext("Round %(round)s of %(rounds)s"), view);
    grill.replaceChildren(...view.grill.map((value) => portion(value, wormsOn(view, value))));
    for (const { action } of passed) {
      const at = action.startsWith("reveal ") ? view.grill.indexOf(Number(action.slice(7))) : -1;
      grill.children[at]?.classList.add("fresh");
    }
    deck.show(view.deck);
    discard.show(view.discard.length, view.discard);
  };
  return { element, show };
}

/** A pile and how many cards it has; `cover` lies on top, or else one of the cards, since a pile has no order. */
function createPile(name, cover) {
  const top = el("span", { class: "kk-top" });
  const count = el("span", { class: "kk-cards number" });
  const element = el("div", { class: "kk-pile" }, top, el("span", { class: "kk-label" }, name), count);

  const show = (size, cards = []) => {
    count.textContent = size;
    element.toggleAttribute("data-empty", !size);
    top.replaceChildren(...(size ? [cover ?? card(cards.at(-1))] : []));
  };
  return { element, show };
}

/** The position in words, for those who do not see it. */
function summary(view, seats) {
  const players = seats.map((seat, position) =>
    fill(gettext("%(name)s: total %(total)s, worms %(worms)s, cards in hand %(cards)s"), {
      name: seat.name,
      total: view.totals[position],
      worms: view.worms[position],
      cards: view.hand_sizes[position],
    }),
  );
  return fill(gettext("On the grill: %(grill)s. %(players)s."), { grill: view.grill.join(" ") || "–", players: players.join("; ") });
}

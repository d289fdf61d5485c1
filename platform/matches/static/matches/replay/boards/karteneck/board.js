/** The board: the grill, deck and discards in the middle, and the players' places around. */

import { chip, el } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { shake } from "../../motion.js";
import { createRuler, shares } from "./menu.js";
import { back, card, portion, wormsOn } from "./pieces.js";
import { createPlayers } from "./players.js";

const SERVED_MS = 280;
const TRAVEL_MS = 450;
const ROBBED_MS = 150;

export function createBoard(seats) {
  const middle = createMiddle(seats);
  const players = createPlayers(seats);
  const element = el("div", { class: "bd-board iron-board kk-board", role: "group" }, middle.element, players.element);

  const show = (frame, { pov, passed, pace }) => {
    const gets = shares(frame);
    element.setAttribute("aria-label", summary(frame.view, seats, gets));
    middle.show(frame, passed, gets);
    players.show(frame, pov, passed);
    const robbed = passed.findLast(({ key }) => key)?.view.last;
    if (robbed?.event === "steal") shake(players.place(robbed.from), { delay: ROBBED_MS, pace });
  };
  const hold = (kind, piece, passed) => {
    const menu = kind === "portion" ? served(passed) : null;
    return SERVED_MS * Math.max(menu?.findIndex(({ portion }) => String(portion) === piece) ?? 0, 0);
  };
  return { element, show, hold };
}

/** Return the menu shared out in these frames. Portions are served one by one, the best first. */
const served = (passed) => passed.findLast(({ key, view }) => key && view.last.menu.length)?.view.last.menu;

/** Return the text while the menu is served, { text, ms }, or null. */
export function suspense(passed) {
  const menu = served(passed);
  return menu ? { text: gettext("The menu is served …"), ms: SERVED_MS * (menu.length - 1) + TRAVEL_MS } : null;
}

/** Return hints for newcomers, [{ text }]: what the player to act would get if the round ended now. */
export function situation(frame) {
  const { actor, displays, phase, totals } = frame.view;
  if (frame.key || phase !== "turn" || actor < 0 || !displays[actor].length) return [];
  const portion = [...shares(frame)].find(([, seat]) => seat === actor)?.[0];
  if (!displays[actor].some((name) => name[0] === "W")) return [{ text: gettext("Needs a worm to pass") }];
  return [{ text: portion === undefined ? fill(gettext("%(total)s gets no portion yet"), { total: totals[actor] }) : fill(gettext("%(total)s would get %(portion)s"), { total: totals[actor], portion }) }];
}

/** Return the announcement for this frame, { text, kind }, or null. */
export function toast({ key, view }, seats) {
  if (!key || key === "end") return null;
  const { event, from, portion, seat } = view.last;
  if (event === "bust") return { kind: "bust", text: fill(gettext("No worm! %(name)s"), { name: seats[seat].name }) };
  if (event !== "steal") return null;
  return { kind: "steal", text: fill(gettext("%(name)s steals %(tile)s from %(other)s"), { name: seats[seat].name, tile: portion, other: seats[from].name }) };
}

function createMiddle(seats) {
  const round = el("span", { class: "kk-round" });
  const grill = el("div", { class: "kk-grill" });
  const deck = createPile(gettext("deck"), back());
  const discard = createPile(gettext("discards"));
  const ruler = createRuler(seats);
  const aim = el("p", { class: "kk-aim" }, gettext("The highest total with a worm gets the best portion."));
  const legend = el("p", { class: "kk-aim kk-legend" }, gettext("Of equal totals the higher worm number. On the line: everyone's total, and ▮ what could be stolen."));
  const element = el("div", { class: "iron kk-middle", "data-count": seats.length, "aria-hidden": "true" }, grill, el("div", { class: "kk-say" }, round, aim, legend), ruler.element, deck.element, discard.element);

  const show = (frame, passed, gets) => {
    const { view } = frame;
    round.textContent = fill(gettext("Round %(round)s of %(rounds)s"), view);
    grill.replaceChildren(...view.grill.map((value) => claimed(portion(value, wormsOn(view, value)), seats[gets.get(value)])));
    ruler.show(frame);
    for (const { action } of passed) {
      const at = action.startsWith("reveal ") ? view.grill.indexOf(Number(action.slice(7))) : -1;
      grill.children[at]?.classList.add("fresh");
    }
    deck.show(view.deck);
    discard.show(view.discard.length, view.discard);
  };
  return { element, show };
}

/** Add to a portion the chip of the seat that would get it, if any. */
function claimed(plate, seat) {
  if (seat) plate.append(el("span", { class: "kk-claim", "data-claim": `portion ${seat.seat}` }, chip(seat)));
  return plate;
}

/**
 * Create a pile with its number of cards. `cover` is the picture on top; without it, one of the cards is shown,
 * because piles have no order.
 */
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

/** Return the position as text for screen readers. */
function summary(view, seats, gets) {
  const players = seats.map((seat, position) =>
    fill(gettext("%(name)s: total %(total)s, worms %(worms)s, cards in hand %(cards)s"), {
      name: seat.name,
      total: view.totals[position],
      worms: view.worms[position],
      cards: view.hand_sizes[position],
    }),
  );
  const text = fill(gettext("On the grill: %(grill)s. %(players)s."), { grill: view.grill.join(" ") || "–", players: players.join("; ") });
  const shared = [...gets].filter(([value]) => view.grill.includes(value)).map(([value, seat]) => `${seats[seat].name} ${value}`);
  return shared.length ? `${text} ${fill(gettext("As it stands: %(shares)s."), { shares: shared.join(", ") })}` : text;
}

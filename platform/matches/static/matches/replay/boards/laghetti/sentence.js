/** Sentences about frames. */

import { fill, gettext, ngettext } from "../../i18n.js";
import { FEATURES, featureName } from "./pieces.js";
import { signed } from "./players.js";

/**
 * Return what happened in a frame. `before` is the previous frame, undefined at the start; `pov` is a match seat, or -1
 * for all.
 */
export function sentence(frame, before, seats, pov = -1) {
  const parts = [deed(frame, before, seats, pov)];
  if (frame.key) parts.push(headline(frame, seats));
  if (frame.cause) parts.push(gettext("The bot failed: a house bot takes over."));
  return parts.filter(Boolean).join(" ");
}

/** Return the points of a round, and the end of the game; for frames with a key. */
export function headline(frame, seats) {
  const { sheet } = frame.view;
  const { points } = sheet.at(-1);
  const gains = seats.map(({ letter }, position) => `${letter} ${signed(points[position])}`);
  const parts = [fill(gettext("Round %(round)s: %(gains)s."), { round: sheet.length, gains: gains.join(", ") })];
  if (frame.key === "end") parts.push(gettext("The game is over."));
  return parts.join(" ");
}

function deed(frame, before, seats, pov) {
  const { action, actor, view } = frame;
  if (!before) return fill(gettext("The game begins: %(rounds)s rounds, 24 lakes."), { rounds: view.schedule.length });
  const [verb, what] = action.split(" ");
  if (verb === "draw") return dealt(Number(what), before.view, view, seats, pov);
  if (actor < 0) return gettext("The first dealer is drawn by lot.");
  const { name } = seats[actor];
  if (verb === "bid") return bid(Number(what), name, view);
  return played(frame, before.view, name, seats);
}

/** Name the card only for viewers who may see it. */
function dealt(card, before, view, seats, pov) {
  const seat = seats[view.hand_sizes.findIndex((size, position) => size !== before.hand_sizes[position])];
  if (pov >= 0 && seat.seat !== pov) return fill(gettext("%(name)s is dealt a card."), seat);
  const values = view.options.deck[card];
  const lake = [...FEATURES].map((feature, at) => `${featureName(feature)} ${values[at]}`).join(", ");
  return fill(gettext("%(name)s is dealt %(lake)s."), { name: seat.name, lake });
}

function bid(tricks, name, view) {
  const text = ngettext("%(name)s bids one trick.", "%(name)s bids %(tricks)s tricks.", tricks);
  const bidText = fill(text, { name, tricks });
  if (view.phase === "bid") return bidText;
  const sum = view.bids.reduce((total, one) => total + one, 0);
  const values = { sum, cards: view.cards_each };
  const stand = sum > view.cards_each ? gettext("Together %(sum)s, but there are only %(cards)s.") : gettext("Together %(sum)s, and there are %(cards)s.");
  return `${bidText} ${fill(stand, values)}`;
}

function played({ view }, before, name, seats) {
  const trick = view.trick ?? view.last_trick;
  const values = { name, value: trick.values.at(-1), feature: featureName(trick.feature) };
  const text = before.trick ? gettext("%(name)s plays %(feature)s %(value)s.") : gettext("%(name)s leads with %(feature)s %(value)s.");
  if (view.trick) return fill(text, values);
  const won = fill(gettext("%(winner)s wins the trick with %(high)s."), { winner: seats[trick.winner].name, high: Math.max(...trick.values) });
  return `${fill(text, values)} ${won}`;
}

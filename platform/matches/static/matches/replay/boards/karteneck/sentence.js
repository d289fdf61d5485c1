/** Sentences about frames. */

import { fill, gettext, ngettext } from "../../i18n.js";

/**
 * Return what happened in a frame. `before` is the previous frame, undefined at the start; `pov` is a match seat, or -1
 * for all.
 */
export function sentence(frame, before, seats, pov = -1) {
  const parts = [frame.key ? headline(frame, seats) : deed(frame, before, seats, pov)];
  if (frame.cause) parts.push(gettext("The bot failed: a house bot takes over."));
  return parts.filter(Boolean).join(" ");
}

/** Return how a seat passed, the portions shared out, and the end of the game; for frames with a key. */
export function headline(frame, seats) {
  const { last } = frame.view;
  const parts = [passing(last, seats)];
  if (last.menu.length) {
    const shares = last.menu.map(({ seat, portion, total }) => fill(gettext("%(name)s with %(total)s takes %(portion)s"), { name: seats[seat].name, portion, total }));
    parts.push(fill(gettext("Portions shared out: %(shares)s."), { shares: shares.join(", ") }));
  } else if (frame.key === "menu") parts.push(gettext("There is nothing left to share out."));
  if (frame.key === "end") parts.push(gettext("The game is over."));
  return parts.join(" ");
}

function passing(last, seats) {
  const values = { ...last, name: seats[last.seat].name, other: last.from === null ? "" : seats[last.from].name };
  if (last.event === "steal") return fill(gettext("%(name)s passes with %(total)s and steals portion %(portion)s from %(other)s."), values);
  if (last.event === "bust") return fill(gettext("%(name)s passes without a worm and takes the lowest portion, %(portion)s."), values);
  return fill(gettext("%(name)s passes with %(total)s."), values);
}

function deed(frame, before, seats, pov) {
  const { action, actor, view } = frame;
  if (!before) return gettext("The game begins: 110 cards and the portions are shuffled.");
  const [verb, what] = action.split(" ");
  if (verb === "draw") return draw(what, frame, before, seats, pov);
  if (verb === "reveal") return fill(gettext("Portion %(portion)s comes onto the grill."), { portion: what });
  if (actor < 0) return gettext("The start player is drawn by lot.");
  const values = { name: seats[actor].name, total: view.totals[actor] };
  if (verb === "pass") return passing(view.last, seats);
  if (verb === "done") return fill(gettext("%(name)s plays no more worms."), values);
  if (what[0] === "W") return fill(gettext("%(name)s plays worm number %(tag)s and has %(total)s."), { ...values, tag: what.slice(1) });
  const [count, face] = what.split("x");
  const text = ngettext("%(name)s plays one %(face)s and has %(total)s.", "%(name)s plays %(count)s cards of %(face)s and has %(total)s.", Number(count));
  return fill(text, { ...values, count, face });
}

/** Name the card only for viewers who may see it. */
function draw(what, frame, before, seats, pov) {
  const seat = seats[before.view.drawing];
  const hidden = pov >= 0 && seat.seat !== pov;
  const values = { name: seat.name, face: what, tag: what.slice(1) };
  if (hidden) return fill(gettext("%(name)s draws a card."), values);
  if (what[0] === "W") return fill(gettext("%(name)s draws worm number %(tag)s."), values);
  return fill(gettext("%(name)s draws a %(face)s."), values);
}

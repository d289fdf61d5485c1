/** Labels and places of a player's actions in Laghetti. */

import { FEATURES, featureName } from "./pieces.js";
import { fill, gettext, ngettext } from "../../i18n.js";

export { yours } from "./yours.js";

const lake = (values) => [...FEATURES].map((feature, at) => `${featureName(feature)} ${values[at]}`).join(", ");

export function label(action, view) {
  const [verb, what, feature] = action.split(" ");
  const number = Number(what);
  if (verb === "bid") return fill(ngettext("Bid one trick", "Bid %(tricks)s tricks", number), { tricks: number });
  const values = view.options.deck[number];
  const named = feature ?? view.trick.feature;
  const text = feature ? gettext("Lead with %(feature)s %(value)s") : gettext("Play %(feature)s %(value)s");
  return fill(text, { feature: featureName(named), value: values[FEATURES.indexOf(named)] });
}

/** Return the card that an action plays; actions of one card are grouped. */
export function group(action, view) {
  const [verb, what] = action.split(" ");
  return verb === "play" ? lake(view.options.deck[Number(what)]) : "";
}

/** Return the selector of the card in the player's hand. */
export function spot(action) {
  const [verb, what] = action.split(" ");
  return verb === "play" ? `.lg-player[data-pov] .lg-hand > [data-card="${what}"]` : undefined;
}

/** Return the place and text of a bid: bids are made on the water, before cards lie there. */
export function chip(action) {
  const [verb, what] = action.split(" ");
  return verb === "bid" ? { at: ".lg-lake", text: what } : undefined;
}

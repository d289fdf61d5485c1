/** The cards: a lake with its altitude, area, hut and trail. */

import { el, svg } from "../../dom.js";
import { gettext } from "../../i18n.js";

export const FEATURES = "QSCT";

export const featureName = (feature) =>
  ({ Q: gettext("altitude"), S: gettext("area"), C: gettext("hut"), T: gettext("trail") })[feature];

const SIGNS = {
  Q: () => svg("path", { d: "M1 14 6 4l3 5 2-3 4 8z" }),
  S: () => svg("path", { class: "lg-stroke", d: "M1 6q2-3 4.7 0t4.6 0T15 6M1 11.5q2-3 4.7 0t4.6 0 4.7 0" }),
  C: () => svg("path", { d: "M1 8.5 8 2l7 6.5h-1.5V14h-4v-4h-3v4h-4V8.5z" }),
  T: () => svg("path", { class: "lg-stroke lg-dots", d: "M3 14.5C3 10 12 11 12 7S6 6 6 2" }),
};

/** Return the icon of a feature. Show its name beside it where it matters. */
export const sign = (feature) =>
  svg("svg", { class: "lg-sign", viewBox: "0 0 16 16", "data-feature": feature, "aria-hidden": "true" }, SIGNS[feature]());

/** Return a card with its four values; `named` is the feature that counts now, or "". */
export function card(values, { named = "", id } = {}) {
  const cells = [...FEATURES].map((feature, at) =>
    el(
      "span",
      { class: "lg-value", "data-feature": feature, "data-named": feature === named, "data-strength": strength(values[at]) },
      sign(feature),
      el("b", {}, String(values[at])),
    ),
  );
  const text = [...FEATURES].map((feature, at) => `${featureName(feature)} ${values[at]}`).join(", ");
  return el("span", { class: "lg-card", "data-card": id, title: text }, ...cells);
}

/** Return a card of which only the value of the named feature is known. */
export function valueCard(feature, value) {
  const cell = el("span", { class: "lg-value", "data-feature": feature, "data-named": true }, sign(feature), el("b", {}, String(value)));
  return el("span", { class: "lg-card lg-told" }, cell);
}

export const back = () => el("span", { class: "lg-card lg-back" });

const strength = (value) => (value > 20 ? "high" : value < 7 ? "low" : "");

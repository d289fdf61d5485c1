/** The names and figures of the six specialists, and the bratworm. */

import { el, svg } from "../../dom.js";
import { gettext } from "../../i18n.js";
import { worm } from "../grill/pieces.js";

const NAMES = {
  canned_worm: () => gettext("canned worm"),
  hen: () => gettext("hen"),
  raven: () => gettext("raven"),
  weasel: () => gettext("weasel"),
  golden_die: () => gettext("golden die"),
  apple: () => gettext("apple"),
};

export const SPECIALISTS = Object.keys(NAMES);

export const nameOf = (specialist) => NAMES[specialist]();

const path = (part, d) => svg("path", { class: `hk-${part}`, d });
const dot = (part, cx, cy, r) => svg("circle", { class: `hk-${part}`, cx, cy, r });

// Each in a box of 24 by 24, standing on its lower edge.
const SHAPES = {
  canned_worm: () => [
    path("tin", "M5 11 H19 V21.5 Q12 24 5 21.5 Z"),
    svg("ellipse", { class: "hk-lid", cx: 12, cy: 11, rx: 7, ry: 2.2 }),
    path("label", "M5 14.5 Q12 17 19 14.5 V19 Q12 21.5 5 19 Z"),
    svg("svg", { x: 6, y: -0.5, width: 13, height: 13, viewBox: "0 0 24 24" }, worm()),
  ],
  hen: () => [
    path("feather", "M3 9 Q7 12 9.5 11.5 Q12 10.5 12.3 7.5 Q12.8 3.5 16 3.5 Q19.3 3.5 19.3 8 Q19.3 15 15.5 19 H8 Q3 16 3 9 Z"),
    path("wing", "M7.5 14 Q10.5 17 14 13.5"),
    path("comb", "M13.6 3.9 Q13 1 14.9 1.9 Q15.6 -0.2 16.9 1.6 Q18.7 1 18.2 3.8 Z"),
    path("beak", "M19.1 6 L22.4 7.5 L19 8.8 Z"),
    dot("eye", 16.6, 6.6, 0.95),
    path("nest", "M3 19 H20 L18 23.5 H5 Z"),
  ],
  raven: () => [
    path("black", "M2 19.5 L8.5 13 Q8 7 12 4.5 Q15 2.8 17.4 5 Q18.6 6.4 18 9.5 Q17.2 17 10.5 18 Z"),
    path("beak", "M17.6 5.6 L23 8.2 L18 8.8 Z"),
    dot("white", 15.4, 6.6, 1),
    path("leg", "M10.5 17.5 V23 M13.5 16.5 V23 M9 23 H15.5"),
  ],
  weasel: () => [
    path("fur", "M4.5 23.5 Q2 15 6.2 11.5 Q9 9 9.2 5.2 Q9.6 1.8 13 1.8 Q17.6 1.8 20 6.6 Q19.4 8.8 15.8 8.8 Q17.6 14 16 23.5 Z"),
    path("belly", "M10.8 23.5 Q10 14.5 13.6 9 Q16.2 14 14.4 23.5 Z"),
    dot("fur", 11.2, 2.4, 1.6),
    dot("eye", 14.8, 5, 0.9),
    dot("eye", 19.6, 6.6, 0.8),
  ],
  golden_die: () => [
    svg("rect", { class: "hk-gold", x: 3, y: 5, width: 18, height: 18, rx: 4 }),
    dot("eye", 12, 14, 2.2),
    path("glint", "M6 9.5 Q6.4 8 8 7.8"),
  ],
  apple: () => [
    path("apple", "M12 8.2 Q16.5 5 19.6 8.4 Q22 12 19.4 17.8 Q16.4 23.8 12 22.4 Q7.6 23.8 4.6 17.8 Q2 12 4.4 8.4 Q7.5 5 12 8.2 Z"),
    path("stalk", "M12 8.4 Q11.8 5 14 2.6"),
    path("leaf", "M13.2 5.4 Q15.6 1.8 19.2 3.4 Q17.2 6.8 13.2 5.4 Z"),
    path("glint", "M6.4 12 Q6.8 9.8 8.8 9.6"),
  ],
};

export function figure(specialist) {
  const name = nameOf(specialist);
  return svg(
    "svg",
    { class: "hk-figure", viewBox: "-1 -1 26 26", "data-specialist": specialist, "aria-hidden": "true" },
    svg("title", {}, name),
    ...SHAPES[specialist](),
  );
}

export function bratworm() {
  return el(
    "span",
    { class: "hk-bratworm" },
    svg(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("circle", { class: "hk-plate", cx: 12, cy: 12, r: 11 }),
      svg("svg", { x: 3.5, y: 2.5, width: 17, height: 17, viewBox: "0 0 24 24" }, worm()),
    ),
  );
}

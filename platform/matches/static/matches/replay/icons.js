/** The icons of the buttons, on a grid of 24 by 24. */

import { svg } from "./dom.js";

const PATHS = {
  play: "M8 5.5 V18.5 L18.5 12 Z",
  pause: "M7 5.5 H10.2 V18.5 H7 Z M13.8 5.5 H17 V18.5 H13.8 Z",
  back: "M15.5 6 V18 L7 12 Z",
  on: "M8.5 6 V18 L17 12 Z",
  turnBack: "M12 6.5 V17.5 L5 12 Z M19 6.5 V17.5 L12 12 Z",
  turnOn: "M12 6.5 V17.5 L19 12 Z M5 6.5 V17.5 L12 12 Z",
  start: "M17.5 6.5 V17.5 L9.5 12 Z M6.5 6.5 H8.7 V17.5 H6.5 Z",
  end: "M6.5 6.5 V17.5 L14.5 12 Z M15.3 6.5 H17.5 V17.5 H15.3 Z",
  full: "M5 9.5 V5 H9.5 M14.5 5 H19 V9.5 M19 14.5 V19 H14.5 M9.5 19 H5 V14.5",
  more: "M5 7 H19 M5 12 H19 M5 17 H13",
  link: "M10.6 13.4 a3.6 3.6 0 0 0 5.1 0 l3-3 a3.6 3.6 0 0 0 -5.1 -5.1 l-1.2 1.2 M13.4 10.6 a3.6 3.6 0 0 0 -5.1 0 l-3 3 a3.6 3.6 0 0 0 5.1 5.1 l1.2 -1.2",
};

const LINES = ["link", "full", "more"];

export const icon = (name) =>
  svg("svg", { class: `rp-icon${LINES.includes(name) ? " line" : ""}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));

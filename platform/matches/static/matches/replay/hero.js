/** Over the scrubber: how the game went. Points by seat, until the chance to win is there (see luck/ribbon.js); never beyond
 * what was watched. A click goes there. */

import { chip, el, stepPath, svg } from "./dom.js";
import { lastStep } from "./film.js";

const WIDTH = 1000;
const HEIGHT = 100;
const EDGE = 6; // above and below the lines

/** `scores(view)` gives points by table position; `seats()` the seats in table order; `title` is what points are called. */
export function createHero(playhead, { title, scores, seats, ribbon }) {
  const lines = svg("svg", { class: "rp-points", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const now = el("span", { class: "rp-hero-now" });
  const legend = el("p", { class: "rp-legend", "aria-hidden": "true" });
  const element = el("div", { class: "rp-hero", "aria-hidden": "true", click: (event) => seek(event) }, lines, ribbon, now);
  let drawn = {};

  const seek = ({ clientX }) => {
    const { left, width } = element.getBoundingClientRect();
    playhead.toStep(Math.round(((clientX - left) / width) * lastStep(playhead.film)));
  };

  const draw = (film, horizon) => {
    const values = film.frames.slice(0, horizon + 1).map(({ view }) => scores(view));
    const [least, most] = [Math.min(0, ...values.flat()), Math.max(4, ...values.flat())];
    const y = (points) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (points - least)) / (most - least);
    const x = (step) => (WIDTH * step) / Math.max(lastStep(film), 1);
    const line = ({ seat }, at) => svg("path", { class: "rp-line-of", "data-seat": seat, d: stepPath(values.map((value) => value[at]), x, y) });
    lines.replaceChildren(svg("line", { class: "rp-guide", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }), ...seats().map(line));
  };

  /** What the graph is of, and what it says at the step that is shown: `values` are words by table position. */
  const say = (words, values) => {
    const order = seats().map((seat, at) => ({ seat, at })).sort((one, other) => one.seat.seat - other.seat.seat);
    const of = ({ seat, at }) => el("span", { class: "rp-legend-of" }, chip(seat), el("b", { class: "number" }, values[at]));
    legend.replaceChildren(el("span", {}, words), ...order.map(of));
  };

  const show = () => {
    const { film, frame, horizon, step } = playhead;
    now.style.insetInlineStart = `${(100 * step) / Math.max(lastStep(film), 1)}%`;
    say(title, scores(frame.view).map((points) => String(points).replace("-", "−")));
    if (drawn.film === film && drawn.horizon === horizon) return;
    drawn = { film, horizon };
    draw(film, horizon);
  };
  return { element, legend, show, say };
}

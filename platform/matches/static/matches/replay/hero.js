/**
 * The graph over the scrubber: points by seat, and win chances once they have loaded (luck/ribbon.js), up to the
 * furthest step watched. A click leads to that step.
 */

import { chip, el, stepPath, svg } from "./dom.js";
import { lastStep } from "./recording.js";

const WIDTH = 1000;
const HEIGHT = 100;
const EDGE = 6; // above and below the lines

/**
 * Create the graph. Return { element, legend, show, say }. `scores(view)` returns points by table position, `seats()`
 * the seats in table order; `title` names the points; `ribbon` is the element for win chances.
 */
export function createHero(playhead, { title, scores, seats, ribbon }) {
  const lines = svg("svg", { class: "rp-points", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const now = el("span", { class: "rp-hero-now" });
  const legend = el("p", { class: "rp-legend", "aria-hidden": "true" });
  const element = el("div", { class: "rp-hero", "aria-hidden": "true", click: (event) => seek(event) }, lines, ribbon, now);
  let drawn = {};

  const seek = ({ clientX }) => {
    const { left, width } = element.getBoundingClientRect();
    playhead.toStep(Math.round(((clientX - left) / width) * lastStep(playhead.recording)));
  };

  const draw = (recording, horizon) => {
    const values = recording.frames.slice(0, horizon + 1).map(({ view }) => scores(view));
    const [least, most] = [Math.min(0, ...values.flat()), Math.max(4, ...values.flat())];
    const y = (points) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (points - least)) / (most - least);
    const x = (step) => (WIDTH * step) / Math.max(lastStep(recording), 1);
    const line = ({ seat }, at) => svg("path", { class: "rp-line-of", "data-seat": seat, d: stepPath(values.map((value) => value[at]), x, y) });
    lines.replaceChildren(svg("line", { class: "rp-guide", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }), ...seats().map(line));
  };

  /** Write the legend: the title of the graph, and the values at this step, as texts by table position. */
  const say = (text, values) => {
    const order = seats().map((seat, at) => ({ seat, at })).sort((one, other) => one.seat.seat - other.seat.seat);
    const of = ({ seat, at }) => el("span", { class: "rp-legend-of" }, chip(seat), el("b", { class: "number" }, values[at]));
    legend.replaceChildren(el("span", {}, text), ...order.map(of));
  };

  const show = () => {
    const { recording, frame, horizon, step } = playhead;
    now.style.insetInlineStart = `${(100 * step) / Math.max(lastStep(recording), 1)}%`;
    say(title, scores(frame.view).map((points) => String(points).replace("-", "−")));
    if (drawn.recording === recording && drawn.horizon === horizon) return;
    drawn = { recording, horizon };
    draw(recording, horizon);
  };
  return { element, legend, show, say };
}

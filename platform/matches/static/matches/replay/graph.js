/** The graph of points over time, a line for each seat. A click leads to that step. */

import { el, stepPath, svg } from "./dom.js";
import { lastStep } from "./recording.js";
import { fill, gettext } from "./i18n.js";

const WIDTH = 400;
const HEIGHT = 300;
const LEFT = 32;
const RIGHT = 24;
const TOP = 28;
const BOTTOM = 28;

/**
 * Create the graph. Return { element, show }. `scores(view)` returns points by table position, `seats()` the seats in
 * table order.
 */
export function createGraph(playhead, { title, scores, seats }) {
  const drawing = svg("svg", { class: "rp-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", click: (event) => seek(event) });
  const mark = svg("line", { class: "rp-now", y1: TOP, y2: HEIGHT - BOTTOM });
  // The arrow keys move this slider because they move the player (keys.js).
  const element = el("div", { class: "rp-curve", role: "slider", tabindex: 0, "aria-label": title, title: gettext("A click on the graph goes there.") }, drawing);
  let shown = {};

  const x = (step, last) => LEFT + ((WIDTH - LEFT - RIGHT) * step) / Math.max(last, 1);

  const seek = (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    playhead.toStep(Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * lastStep(playhead.recording)));
  };

  const draw = (recording, horizon) => {
    const last = lastStep(recording);
    const values = recording.frames.slice(0, horizon + 1).map(({ view }) => scores(view));
    const most = Math.max(4, ...values.flat());
    const least = Math.min(0, ...values.flat());
    const y = (points) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (points - least)) / (most - least);
    const guides = [...new Set([least, 0, Math.round(most / 2), most])].flatMap((points) => [
      svg("line", { class: "rp-guide", x1: LEFT, x2: WIDTH - RIGHT, y1: y(points), y2: y(points) }),
      svg("text", { class: "rp-scale", x: LEFT - 5, y: y(points) + 4, "text-anchor": "end" }, String(points)),
    ]);
    const ends = spread((values.at(-1) ?? []).map(y));
    const lines = seats().slice(0, ends.length).flatMap((seat, position) => {
      const points = values.map((value) => value[position]);
      return [
        svg("path", { class: "rp-line-of", "data-seat": seat.seat, d: stepPath(points, (n) => x(n, last), y) }),
        svg("text", { class: "rp-letter", "data-seat": seat.seat, x: x(values.length - 1, last) + 5, y: ends[position] + 4 }, seat.letter),
      ];
    });
    const labels = [
      svg("text", { class: "rp-scale", x: 0, y: 14 }, title),
      svg("text", { class: "rp-scale", x: WIDTH - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }, fill(gettext("Step %(step)s"), { step: last })),
      svg("text", { class: "rp-scale", x: LEFT, y: HEIGHT - 8 }, "0"),
    ];
    drawing.replaceChildren(...guides, ...labels, ...lines, mark);
  };

  const show = () => {
    const { recording, frame, horizon, step } = playhead;
    if (recording !== shown.recording || horizon !== shown.horizon) {
      shown = { recording, horizon };
      draw(recording, horizon);
    }
    const values = frame ? scores(frame.view).map((points, position) => `${seats()[position].name} ${points}`) : [];
    const state = { valuemin: 0, valuemax: lastStep(recording), valuenow: step, valuetext: `${step}: ${values.join(", ")}` };
    for (const [name, value] of Object.entries(state)) element.setAttribute(`aria-${name}`, value);
    const at = x(step, lastStep(recording));
    mark.setAttribute("x1", at);
    mark.setAttribute("x2", at);
  };
  return { element, show };
}

/** Move letters at line ends apart where they would overlap. */
function spread(heights) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((i, rank) => {
    if (rank) placed[i] = Math.max(placed[i], placed[order[rank - 1]] + 12);
  });
  const over = Math.max(0, Math.max(...placed) - (HEIGHT - BOTTOM));
  return placed.map((height) => height - over);
}

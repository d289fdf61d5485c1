/** Points over time, a line for each seat; a click goes there. */

import { el, svg } from "./dom.js";
import { lastStep } from "./film.js";
import { gettext } from "./i18n.js";

const WIDTH = 400;
const HEIGHT = 130;
const LEFT = 22;
const RIGHT = 20;
const TOP = 10;
const BOTTOM = 12;

/** `scores(view)` gives points by table position; `seats()` the seats in table order. */
export function createGraph(playhead, { title, scores, seats }) {
  const drawing = svg("svg", { class: "rp-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, click: (event) => seek(event) });
  const mark = svg("line", { class: "rp-now", y1: TOP, y2: HEIGHT - BOTTOM });
  const element = el("section", { class: "rp-side" }, el("h3", {}, title), drawing);
  let shown = null;

  const x = (step, last) => LEFT + ((WIDTH - LEFT - RIGHT) * step) / Math.max(last, 1);

  const seek = (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    playhead.toStep(Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * lastStep(playhead.film)));
  };

  const draw = (film) => {
    const last = lastStep(film);
    const most = Math.max(4, ...film.frames.map(({ view }) => Math.max(...scores(view))));
    const least = Math.min(0, ...film.frames.map(({ view }) => Math.min(...scores(view))));
    const y = (points) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (points - least)) / (most - least);
    const guides = [...new Set([least, 0, Math.round(most / 2), most])].flatMap((points) => [
      svg("line", { class: "rp-guide", x1: LEFT, x2: WIDTH - RIGHT, y1: y(points), y2: y(points) }),
      svg("text", { class: "rp-scale", x: LEFT - 5, y: y(points) + 4, "text-anchor": "end" }, String(points)),
    ]);
    const ends = film.frames.length ? spread(scores(film.frames.at(-1).view).map(y)) : [];
    const lines = seats().flatMap((seat, position) => {
      const points = film.frames.map(({ view }) => scores(view)[position]);
      return [
        svg("path", { class: "rp-line", "data-seat": seat.seat, d: path(points, (n) => x(n, last), y) }),
        svg("text", { class: "rp-letter", "data-seat": seat.seat, x: WIDTH - RIGHT + 5, y: ends[position] + 4 }, seat.letter),
      ];
    });
    drawing.replaceChildren(svg("title", {}, gettext("A click on the graph goes there.")), ...guides, ...lines, mark);
  };

  const show = () => {
    const { film, step } = playhead;
    if (film !== shown) {
      shown = film;
      draw(film);
    }
    const at = x(step, lastStep(film));
    mark.setAttribute("x1", at);
    mark.setAttribute("x2", at);
  };
  return { element, show };
}

/** A step line with a corner only where the points change. */
function path(points, x, y) {
  if (!points.length) return "";
  let d = `M${x(0).toFixed(1)} ${y(points[0]).toFixed(1)}`;
  for (let n = 1; n < points.length; n += 1) {
    if (points[n] !== points[n - 1]) d += `H${x(n).toFixed(1)}V${y(points[n]).toFixed(1)}`;
  }
  return `${d}H${x(points.length - 1).toFixed(1)}`;
}

/** Letters at the line's ends, moved apart where they would cover each other. */
function spread(heights) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((i, rank) => {
    if (rank) placed[i] = Math.max(placed[i], placed[order[rank - 1]] + 12);
  });
  const over = Math.max(0, Math.max(...placed) - (HEIGHT - BOTTOM));
  return placed.map((height) => height - over);
}

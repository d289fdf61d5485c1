/** The win chances over the scrubber, with marks on costly decisions, up to the furthest step watched. */

import { svg } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { inOrder, points } from "./format.js";

const WIDTH = 1000;
const HEIGHT = 100;
const SIZES = { blunder: 5, mistake: 4, slip: 3 };
const NAMED_MOST = 4;
const APART = 0.22; // of the width, the distance between two names

/**
 * Create the ribbon. Return { element, show }. `analysis()` returns the current game's, or null; `seats()` are in table
 * order.
 */
export function createRibbon(playhead, { analysis, seats }) {
  const areas = svg("svg", { class: "lk-areas", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const marks = svg("svg", { class: "lk-marks" });
  const element = svg("svg", { class: "lk-ribbon", role: "img", hidden: true }, svg("title", {}, gettext("Win chance")), areas, marks);
  let drawn = {};

  const show = () => {
    const found = analysis();
    const horizon = playhead.horizon ?? playhead.step;
    const ready = found?.state === "ready";
    element.toggleAttribute("hidden", !ready);
    if (!ready || (drawn.found === found && drawn.horizon === horizon)) return;
    drawn = { found, horizon };
    const last = Math.max(found.shares.length - 1, 1);
    const x = (step) => (WIDTH * step) / last;
    const table = seats();
    const order = inOrder(table);
    const levels = found.shares.slice(0, horizon + 1).map((shares) => stacked(order.map((at) => shares[at])));
    areas.replaceChildren(
      ...order.map((at, place) => svg("path", { class: "lk-area", "data-seat": table[at].seat, d: band(levels, place, x) })),
      svg("line", { class: "lk-half", x1: 0, x2: x(Math.max(levels.length - 1, 0)), y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    );
    const seen = found.decisions.filter(({ mark, step }) => mark && step <= horizon);
    const names = named(seen, last);
    marks.replaceChildren(...seen.map((one) => marked(one, table[one.seat], last, names.includes(one))));
  };
  return { element, show };
}

/** Return the edges between seats at one step, from 0 to HEIGHT. */
function stacked(shares) {
  const whole = shares.reduce((sum, share) => sum + Math.max(share, 0), 0) || 1;
  let sum = 0;
  return [0, ...shares.map((share) => ((sum += Math.max(share, 0)) / whole) * HEIGHT)];
}

/** Return the area between two edges, in steps: chances change only at a roll or a decision. */
function band(levels, at, x) {
  const upper = levels.map((edges, n) => `${n ? `H${x(n).toFixed(1)}V` : `M0 `}${edges[at].toFixed(1)}`).join("");
  const lower = levels
    .map((edges, n) => [edges[at + 1], n])
    .reverse()
    .map(([edge, n], first) => `${first ? "V" : `L${x(n).toFixed(1)} `}${edge.toFixed(1)}H${x(n).toFixed(1)}`)
    .join("");
  return levels.length ? `${upper}${lower}Z` : "";
}

/** Return the worst blunders whose names fit side by side. */
function named(seen, last) {
  const worst = seen.filter(({ mark }) => mark === "blunder").sort((one, other) => other.lost - one.lost);
  const chosen = [];
  for (const one of worst) {
    const middle = middleOfName(one.step / last);
    if (chosen.length < NAMED_MOST && chosen.every(({ step }) => Math.abs(middleOfName(step / last) - middle) > APART)) chosen.push(one);
  }
  return chosen;
}

const ANCHORS = { start: APART / 2, middle: 0, end: -APART / 2 };
const anchorOf = (at) => (at < APART / 2 ? "start" : at > 1 - APART / 2 ? "end" : "middle");
const middleOfName = (at) => at + ANCHORS[anchorOf(at)];

function marked({ lost, mark, step }, seat, last, isNamed) {
  const size = SIZES[mark];
  const title = fill(gettext("%(letter)s lost %(lost)s points"), { letter: seat.letter, lost: points(lost) });
  const at = step / last;
  const name = fill(gettext("%(letter)s blunders: −%(lost)s"), { letter: seat.letter, lost: points(lost) });
  return svg(
    "svg",
    { x: `${100 * at}%`, y: "100%", overflow: "visible" },
    isNamed && svg("text", { class: "lk-name", y: -2 * size - 4, "text-anchor": anchorOf(at) }, name),
    svg("path", { class: "lk-mark", "data-seat": seat.seat, "data-mark": mark, d: `M0 ${-2 * size} L${size} 0 H${-size} Z` }, svg("title", {}, title)),
  );
}

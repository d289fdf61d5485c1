/** What a bot says of its moves: its words below the sentence, marks on the board, and what it believed beside the chance it had. */

import { chip, el, svg } from "./dom.js";
import { beatAt } from "./film.js";
import { fill, gettext } from "./i18n.js";
import { PIECES } from "./motion.js";

const WIDTH = 1000;
const HEIGHT = 100;
const UNIT = 1e9;
const NAMED = { ...PIECES, die: "data-face" };

const percent = (share) => `${Math.round(100 * Math.min(Math.max(share, 0), 1))} %`;

/**
 * `address` as the player's data have it; `seats()` in table order. The notes stand below the `stage`; the line of what was believed
 * lies over the graph `hero`, which says what is known of the game, see luck/index.js.
 */
export function createNotes(playhead, { address, seats, stage, hero }) {
  const element = el("p", { class: "nt-note", tabindex: 0 });
  const lines = svg("svg", { class: "nt-lines", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const belief = el("div", { class: "nt-belief", hidden: true }, lines, el("span", { class: "nt-legend" }, gettext("what the bot believed")));
  const known = new Map(); // game -> its notes
  let analysis; // of the game that is shown
  let drawn = {};
  hero.append(belief);
  stage.parentElement.append(element);

  const load = async (game) => {
    known.set(game, []);
    try {
      const answer = await fetch(address.replace("{game}", game));
      if (answer.ok) known.set(game, (await answer.json()).notes);
    } catch (error) {
      console.warn("replay: no notes", error);
    }
    show();
  };

  const show = () => {
    const { film, game, step } = playhead;
    if (!known.has(game)) load(game);
    const notes = known.get(game);
    const from = film.beats[beatAt(film, step)]?.first ?? 0;
    const said = notes.findLast((one) => one.step >= from && one.step <= step);
    element.hidden = !notes.length;
    element.replaceChildren(...(said ? tell(said) : []));
    mark(stage, said?.marks ?? []);
    draw(notes, analysis);
  };

  const tell = ({ note, seat, step, value }) => {
    const at = seats().findIndex((one) => one.seat === seat);
    const had = analysis?.shares?.[step]?.[at];
    const values = { believed: percent(value), had: percent(had / UNIT) };
    const text = had === undefined ? gettext("It believed %(believed)s.") : gettext("It believed %(believed)s, it had %(had)s.");
    return [chip(seats()[at]), note && el("q", {}, note), value !== null && el("span", { class: "nt-value" }, fill(text, values))].filter(Boolean);
  };

  const draw = (notes, found) => {
    const horizon = playhead.horizon ?? playhead.step;
    if (drawn.notes === notes && drawn.found === found && drawn.horizon === horizon) return;
    drawn = { notes, found, horizon };
    const believed = notes.filter(({ step, value }) => value !== null && step <= horizon);
    belief.hidden = found?.state !== "ready" || !believed.length;
    if (belief.hidden) return;
    const order = [...seats()].sort((one, other) => one.seat - other.seat);
    const places = order.map(({ seat }) => seats().findIndex((one) => one.seat === seat));
    lines.replaceChildren(...order.flatMap(({ seat }, place) => {
      const own = believed.filter((one) => one.seat === seat);
      const d = way(own, found.shares, places, place, horizon);
      return own.length ? [svg("path", { class: "nt-under", d }), svg("path", { class: "nt-line", "data-seat": seat, d })] : [];
    }));
  };
  hero.addEventListener("analysis", ({ detail }) => {
    if (detail === analysis) return;
    analysis = detail;
    show();
  });
  show();
  return { show };
}

/** Where the edge of a seat's part of the graph would be if its bot were right: each belief holds until its next one. */
function way(own, shares, places, place, horizon) {
  const last = Math.max(shares.length - 1, 1);
  const isLowest = place === places.length - 1;
  const above = (step) => places.slice(0, place).reduce((sum, at) => sum + Math.max(shares[step][at], 0) / UNIT, 0);
  const y = ({ step, value }) => HEIGHT * Math.min(isLowest ? 1 - value : above(Math.min(step, last)) + value, 1);
  return own
    .map((one, n) => {
      const until = Math.min(own[n + 1]?.step ?? horizon, horizon);
      const [from, to] = [one.step, until].map((step) => ((WIDTH * step) / last).toFixed(1));
      return `${n ? "V" : `M${from} `}${y(one).toFixed(1)}H${to}`;
    })
    .join("");
}

/** Marks the pieces with these names, "tile 25"; a board has them by the attributes of motion.js. */
function mark(stage, names) {
  for (const piece of stage.querySelectorAll("[data-noted]")) piece.removeAttribute("data-noted");
  for (const name of names) {
    const [kind, ...piece] = name.split(" ");
    if (!Object.hasOwn(NAMED, kind)) continue;
    for (const one of stage.querySelectorAll(`[${NAMED[kind]}="${CSS.escape(piece.join(" "))}"]`)) one.setAttribute("data-noted", "");
  }
}

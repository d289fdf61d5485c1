/** What a bot says of its moves: its words below the sentence, marks on the board, and what it believed beside the chance it had. */

import { chip, el, svg } from "./dom.js";
import { beatAt } from "./film.js";
import { fill, gettext, percent } from "./i18n.js";
import { PIECES } from "./motion.js";

const WIDTH = 1000;
const HEIGHT = 100;
const UNIT = 1e9;
const NAMED = { ...PIECES, die: "data-face" };
const SEAT = "seat"; // a player's place, counted from 0 as in views

/**
 * `source` is where the notes of a {game} are, as the player's data have it, or a function of the game that returns them; `seats()`
 * in table order. The notes stand below the `stage`; the line of what was believed lies over the graph `hero`, which says what is
 * known of the game, see luck/index.js. `marked(action)`, of the game's own later.js, is the name of the piece that an action is about.
 */
export function createNotes(playhead, { source, seats, stage, hero, marked }) {
  const element = el("p", { class: "nt-note", tabindex: 0 });
  const lines = svg("svg", { class: "nt-lines", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const believers = el("span", { class: "nt-believers" });
  const legend = el("span", { class: "nt-legend" }, believers, gettext("what the bot believed"));
  const belief = el("div", { class: "nt-belief", hidden: true }, lines, legend);
  const known = new Map(); // game -> its notes
  let pointed = {};
  let analysis; // of the game that is shown
  let drawn = {};
  hero.append(belief);
  stage.parentElement.append(element);

  const load = async (game) => {
    known.set(game, []);
    try {
      known.set(game, await (typeof source === "function" ? source(game) : notesAt(source.replace("{game}", game))));
    } catch (error) {
      console.warn("replay: no notes", error);
    }
    show();
  };

  const show = () => {
    const { film, game, step } = playhead;
    if (!known.has(game)) load(game);
    const notes = known.get(game);
    const points = pointsOf(notes, film);
    const from = film.beats[beatAt(film, step)]?.first ?? 0;
    const said = points.get(step) ?? notes.findLast((one) => one.step >= from && one.step <= step);
    element.hidden = !notes.length;
    element.replaceChildren(...(said ? tell(said) : []));
    mark(stage, (said?.marks ?? []).map((name) => marked?.(name) ?? name));
    draw(notes, analysis);
  };

  /** The notes with marks by the step inside a move at which they are shown: pieces are marked where the bot saw them. */
  const pointsOf = (notes, film) => {
    if (pointed.notes !== notes || pointed.film !== film) {
      const points = new Map(notes.filter(({ marks }) => marks.length).map((one) => [seenAt(one.step, film), one]));
      pointed = { notes, film, points };
      playhead.stops = [...points.keys()];
    }
    return pointed.points;
  };

  const tell = ({ marks, note, seat, step, value }) => {
    if (step > playhead.step) value = null; // what it believed is compared with the chance after its move
    const at = seats().findIndex((one) => one.seat === seat);
    const had = analysis?.shares?.[step]?.[at];
    const values = { believed: percent(value), had: percent(had / UNIT) };
    const text = had === undefined ? gettext("It believed %(believed)s.") : gettext("It believed %(believed)s, it had %(had)s.");
    const pieces = marks.length > 0 && el("span", { class: "visually-hidden" }, fill(gettext("It marks: %(pieces)s."), { pieces: marks.join(", ") }));
    return [chip(seats()[at]), note && el("q", {}, note), value !== null && el("span", { class: "nt-value" }, fill(text, values)), pieces].filter(Boolean);
  };

  const draw = (notes, found) => {
    const horizon = playhead.horizon ?? playhead.step;
    if (drawn.notes === notes && drawn.found === found && drawn.horizon === horizon) return;
    drawn = { notes, found, horizon };
    const believed = notes.filter(({ step, value }) => value !== null && step <= horizon);
    belief.hidden = found?.state !== "ready" || !believed.length;
    if (belief.hidden) return;
    const order = [...seats()].sort((one, other) => one.seat - other.seat);
    believers.replaceChildren(...seats().filter((one) => believed.some(({ seat }) => seat === one.seat)).map(chip));
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

/** The step at which a bot saw what it decided that led to `step`, where the same move shows it: the roll before it keeps dice. */
function seenAt(step, { beats, frames }) {
  const first = beats[beatAt({ beats }, step)]?.first ?? 0;
  return step > first && frames[step - 1]?.actor < 0 ? step - 1 : step;
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

/** Marks what has one of these names, "tile 25"; a board has its pieces by the attributes of motion.js, and a place for each seat. */
function mark(stage, names) {
  for (const piece of stage.querySelectorAll("[data-noted]")) piece.removeAttribute("data-noted");
  for (const one of names.flatMap((name) => found(stage, name))) one.setAttribute("data-noted", "");
}

function found(stage, name) {
  const [kind, ...rest] = name.split(" ");
  const piece = rest.join(" ");
  if (kind === SEAT) return [stage.querySelectorAll(".bd-place")[/^\d$/.test(piece) ? piece : -1]].filter(Boolean);
  return Object.hasOwn(NAMED, kind) ? [...stage.querySelectorAll(`[${NAMED[kind]}="${CSS.escape(piece)}"]`)] : [];
}

async function notesAt(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  return (await answer.json()).notes;
}

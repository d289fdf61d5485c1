/**
 * What bots report about their moves: a note below the sentence, marks on pieces, and the win chance they believed in.
 */

import { select } from "./controls.js";
import { chip, el, stepPath, svg } from "./dom.js";
import { beatAt } from "./recording.js";
import { fill, gettext, percent } from "./i18n.js";
import { PIECES } from "./motion.js";

const WIDTH = 1000;
const HEIGHT = 100;
const EDGE = 3; // above and below the lines
const UNIT = 1e9;
const [ALL, NONE] = ["all", "none"];
const NAMED = { ...PIECES, die: "data-face" };
const SEAT = "seat"; // a player's place, counted from 0 as in views

/**
 * Create the notes. Return { show }.
 * `source` is the address of a game's notes, with {game}, or a function that returns them; `seats()` are in table
 * order. Notes appear below `stage`, with a choice of the bot whose beliefs the graph `hero` shows; the first of the
 * seats `own` that has beliefs is preselected. `hero` emits "analysis" (luck/index.js). `marked(action)`, from the
 * game's module, returns the name of the piece that an action is about.
 */
export function createNotes(playhead, { source, seats, own, stage, hero, marked }) {
  const element = el("p", { class: "nt-note", tabindex: 0 });
  const lines = svg("svg", { class: "nt-lines", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const letters = svg("svg", { class: "nt-letters" });
  const edges = [0, 1].map(() => el("span", { class: "nt-edge" }));
  const belief = el("div", { class: "nt-belief", hidden: true }, lines, letters, ...edges);
  const choice = select(gettext("What the bot believed"), [], (value) => ((chosen = value), draw()));
  choice.label.classList.add("nt-choice");
  const known = new Map(); // game -> its notes
  let pointed = {};
  let analysis; // of the current game
  let offered = null; // the notes that the choice was built from
  let chosen = null; // by the viewer
  let drawn = {};
  hero.append(belief);
  stage.parentElement.append(element, choice.label);

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
    const { recording, game, step } = playhead;
    if (!known.has(game)) load(game);
    const notes = known.get(game);
    const points = pointsOf(notes, recording);
    const from = recording.beats[beatAt(recording, step)]?.first ?? 0;
    const current = points.get(step) ?? notes.findLast((one) => one.step >= from && one.step <= step);
    element.hidden = !notes.length;
    element.replaceChildren(...(current ? describe(current) : []));
    mark(stage, (current?.marks ?? []).map((name) => marked?.(name) ?? name));
    offer(notes);
    draw();
  };

  /**
   * Return a map from steps inside moves to the notes whose marks are shown there: pieces are marked where the bot saw
   * them.
   */
  const pointsOf = (notes, recording) => {
    if (pointed.notes !== notes || pointed.recording !== recording) {
      const points = new Map(notes.filter(({ marks }) => marks.length).map((one) => [seenAt(one.step, recording), one]));
      pointed = { notes, recording, points };
      playhead.stops = [...points.keys()];
    }
    return pointed.points;
  };

  const describe = ({ marks, note, seat, step, value }) => {
    if (step > playhead.step) value = null; // beliefs are compared with the chance after the move
    const at = seats().findIndex((one) => one.seat === seat);
    const had = analysis?.shares?.[step]?.[at];
    const values = { believed: percent(value), had: percent(had / UNIT) };
    const text = had === undefined ? gettext("It believed %(believed)s.") : gettext("It believed %(believed)s, it had %(had)s.");
    const pieces = marks.length > 0 && el("span", { class: "visually-hidden" }, fill(gettext("It marks: %(pieces)s."), { pieces: marks.join(", ") }));
    return [chip(seats()[at]), note && el("q", {}, note), value !== null && el("span", { class: "nt-value" }, sample(seat), fill(text, values)), pieces].filter(Boolean);
  };

  /** Offer the bots that report beliefs. The choice is the same in all games. */
  const offer = (notes) => {
    if (offered === notes) return;
    offered = notes;
    const believers = inOrder(seats()).filter(({ seat }) => notes.some((one) => one.seat === seat && one.value !== null));
    const found = believers.map(({ seat, letter, name }) => [String(seat), `${letter} ${name}`]);
    const all = [...found, ...(found.length > 1 ? [[ALL, gettext("All")]] : []), [NONE, gettext("None")]];
    choice.field.replaceChildren(...all.map(([value, text]) => el("option", { value }, text)));
    choice.field.value = [chosen, ...own.map(String), ...all.map(([value]) => value)].find((one) => all.some(([value]) => value === one));
  };

  const draw = () => {
    const horizon = playhead.horizon ?? playhead.step;
    const { value } = choice.field;
    if (drawn.notes === offered && drawn.analysis === analysis && drawn.horizon === horizon && drawn.value === value) return;
    drawn = { notes: offered, analysis, horizon, value };
    const believed = offered.filter((one) => one.value !== null && one.step <= horizon);
    choice.label.hidden = analysis?.state !== "ready" || !offered.some((one) => one.value !== null);
    const shown = inOrder(seats()).filter(({ seat }) => (value === ALL || value === String(seat)) && believed.some((one) => one.seat === seat));
    belief.hidden = choice.label.hidden || !shown.length;
    choice.label.firstChild.replaceChildren(...shown.map(({ seat }) => sample(seat)), gettext("What the bot believed"));
    if (belief.hidden) return;
    const { shares } = analysis;
    const last = Math.max(shares.length - 1, 1);
    const x = (step) => (WIDTH * step) / last;
    const watched = shares.slice(0, horizon + 1);
    const parts = shown.map(({ seat, letter }) => {
      const at = seats().findIndex((one) => one.seat === seat);
      const had = stepPath(watched.map((all) => all[at] / UNIT), x, y);
      const values = believed.filter((one) => one.seat === seat);
      const d = way(values, x, Math.min(horizon, last));
      return {
        areas: [shown.length < 2 && svg("path", { class: "nt-area", "data-seat": seat, d: `${had}V${HEIGHT}H0Z` }), svg("path", { class: "nt-had", "data-seat": seat, d: had })],
        beliefs: [svg("path", { class: "nt-under", d }), svg("path", { class: "nt-line", "data-seat": seat, d })],
        letter: lettered(letter, seat, Math.min(horizon, last) / last, y(values.at(-1).value)),
      };
    });
    const half = svg("line", { class: "lk-half", x1: 0, x2: x(watched.length - 1), y1: y(0.5), y2: y(0.5) });
    lines.replaceChildren(...parts.flatMap(({ areas }) => areas.filter(Boolean)), half, ...parts.flatMap(({ beliefs }) => beliefs));
    letters.replaceChildren(...parts.map((one) => one.letter));
    const ends = edgesOf(shown, seats());
    edges.forEach((edge, at) => (edge.textContent = ends[at]));
  };
  hero.addEventListener("analysis", ({ detail }) => {
    if (detail === analysis) return;
    analysis = detail;
    show();
  });
  show();
  return { show };
}

/**
 * Return the step that shows what the bot saw before it acted at `step`: the roll before it takes dice, if both are in
 * one move.
 */
function seenAt(step, { beats, frames }) {
  const first = beats[beatAt({ beats }, step)]?.first ?? 0;
  return step > first && frames[step - 1]?.actor < 0 ? step - 1 : step;
}

const inOrder = (seats) => [...seats].sort((one, other) => one.seat - other.seat);

const y = (share) => HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * Math.min(Math.max(share, 0), 1);

/** A belief holds until the next one; the last holds until step `until`. */
const way = (values, x, until) => values.map(({ step, value }, n) => `${n ? "V" : `M${x(step).toFixed(1)} `}${y(value).toFixed(1)}H${x(Math.max(values[n + 1]?.step ?? until, step)).toFixed(1)}`).join("");

/** Return the letter of a bot at the end of its line. */
const lettered = (letter, seat, at, height) => svg("text", { class: "nt-letter", "data-seat": seat, x: `${100 * at}%`, y: `${height}%`, dx: at > 0.95 ? -3 : 3, dy: height < 25 ? 13 : -4, "text-anchor": at > 0.95 ? "end" : "start" }, letter);

/** Return the meanings of the graph's upper and lower edge. */
function edgesOf(shown, seats) {
  if (seats.length > 2 || shown.length > 1) return [percent(1), percent(0)];
  const [one] = shown;
  return [one, seats.find(({ seat }) => seat !== one.seat)].map(({ name }) => fill(gettext("%(name)s wins"), { name }));
}

/** Return a short piece of a seat's line, for legends. */
const sample = (seat) => svg("svg", { class: "nt-sample", viewBox: "0 0 24 4", "aria-hidden": "true" }, svg("path", { "data-seat": seat, d: "M0 2H24" }));

/**
 * Mark the pieces with these names, such as "tile 25". The attributes are those of motion.js; "seat 0" marks a place.
 */
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

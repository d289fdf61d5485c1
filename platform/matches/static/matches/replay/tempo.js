/**
 * The tempo of a replay: highlights (about one minute), normal (two and a half), or every move; as in games/beats.py.
 */

import { KEY } from "./recording.js";
import { gettext } from "./i18n.js";
import { loadSetting, saveSetting } from "./settings.js";

export const TEMPOS = [
  ["highlights", () => gettext("Highlights")],
  ["story", () => gettext("Normal")],
  ["every", () => gettext("Every move")],
];

const NAMES = TEMPOS.map(([name]) => name);
const [MOVE, TURNING] = [1, 3];
const TARGETS_MS = { highlights: 60_000, story: 150_000 };
const CHOICES = { highlights: [[KEY, 1], [KEY, 0], [TURNING, 1], [TURNING, 0]], story: [[MOVE, 0], [KEY, 1], [KEY, 0], [TURNING, 1]] };
const FASTEST = 0.6;
const SLOWEST = { highlights: 1.5, story: 1 };
const SHORTEST_MS = 300;

export const isTempo = (name) => NAMES.includes(name);

/** Return the tempo that the viewer chose last. */
export const savedTempo = () => (isTempo(loadSetting("tempo")) ? loadSetting("tempo") : "story");

export const saveTempo = (name) => saveSetting("tempo", name);

export const nextTempo = (name, direction) => NAMES[Math.min(Math.max(NAMES.indexOf(name) + direction, 0), NAMES.length - 1)];

/** Return the milliseconds for which each beat is shown, 0 for skipped ones. */
export function dwells(beats, tempo) {
  if (tempo === "every") return beats.map(({ ms }) => ms);
  let shown = [];
  let total = 0;
  for (const [weight, lead] of CHOICES[tempo]) {
    shown = beats.map((_, at) => at === beats.length - 1 || beats.slice(at, at + lead + 1).some((beat) => beat.weight >= weight));
    total = beats.reduce((sum, { ms }, at) => sum + (shown[at] ? ms : 0), 0);
    if (total * FASTEST <= TARGETS_MS[tempo]) break;
  }
  const factor = Math.min(SLOWEST[tempo], Math.max(FASTEST, TARGETS_MS[tempo] / Math.max(total, 1)));
  return beats.map(({ ms }, at) => (shown[at] ? Math.max(SHORTEST_MS, Math.round(ms * factor)) : 0));
}

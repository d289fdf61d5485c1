/** Which tiles a turn may still win, as far as the dice that are left can carry it. */

import { hold } from "../../motion.js";

const OWN_ONLY = 21; // what is lower is nobody's next lower tile, and cannot be stolen
const CANNED = 5;
const GLOWS = { near: "var(--near-glow)", now: "var(--now-glow)" };

const valueOf = (face) => (face === "W" ? 5 : Number(face));

/**
 * While a turn is under way: { now, near }, the number of the tile that a stop would win or null, and those that need more.
 * Tiles on the grill and on top of what the others have; nothing between turns.
 */
export function reach({ actor, key, view }) {
  const seat = view.actor >= 0 ? view.actor : actor;
  if (key || seat < 0 || view.phase === "over") return { now: null, near: [] };
  const canned = view.specialists?.canned_worm === `seat ${seat}`;
  const tops = view.stacks.filter((_, other) => other !== seat).map((stack) => stack.at(-1));
  const stealable = tops.filter((tile) => tile >= OWN_ONLY);
  const won = view.aside.W ? view.sum : canned ? view.sum + CANNED : 0;
  const exact = [...view.grill, ...stealable].includes(won);
  const lower = view.grill.filter((tile) => tile >= OWN_ONLY && tile < won).at(-1) ?? null;
  const most = ceiling(view, canned);
  const near = [...view.grill, ...stealable].filter((tile) => tile > won && tile > view.sum && tile <= most);
  return { now: view.rolled.length || !won ? null : exact ? won : lower, near: near.sort((a, b) => a - b) };
}

/** The highest total with a worm that the dice not yet aside can lead to; 0 where none can. */
function ceiling({ aside, dice_left: left, rolled, sum, weasel_ready: again }, canned) {
  const free = "12345W".split("").filter((face) => !aside[face]);
  const further = (points, faces, dice) => {
    const most = (kept) => dice * Math.max(0, ...kept.map(valueOf));
    if (!faces.includes("W")) return points + most(faces);
    const without = canned ? points + most(faces.filter((face) => face !== "W")) + CANNED : 0;
    return Math.max(without, dice ? points + most(faces) : 0);
  };
  const kept = (face) => {
    const dice = rolled.filter((one) => one === face).length;
    return further(sum + dice * valueOf(face), free.filter((one) => one !== face), left - dice);
  };
  const choices = free.filter((face) => rolled.includes(face)).map(kept);
  return Math.max(0, ...choices, ...(rolled.length && !again ? [] : [further(sum, free, left)]));
}

/** Has a tile glow: as the one that a stop would win, as one within reach, or not. What a roll changes waits `hold`. */
export function glow(tile, number, { now, near }, { hold: wait = 0, pace = 1 } = {}) {
  const reached = number === now ? "now" : near.includes(number) ? "near" : undefined;
  if (tile.dataset.reach === reached) return;
  const before = GLOWS[tile.dataset.reach] ?? "none";
  if (reached) tile.dataset.reach = reached;
  else delete tile.dataset.reach;
  if (wait) hold(tile, { boxShadow: before }, { ms: wait, pace });
}

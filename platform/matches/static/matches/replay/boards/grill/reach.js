/** The tiles that a turn may still win with the dice that are left. */

import { hold } from "../../motion.js";

const OWN_ONLY = 21; // lower tiles cannot be stolen, and cannot be taken in place of a higher one
const CANNED = 5;
const GLOWS = { near: "var(--near-glow)", now: "var(--now-glow)" };

const valueOf = (face) => (face === "W" ? 5 : Number(face));

/**
 * Return { now, near } during a turn: the tile that a stop would win, or null, and the tiles that need a higher sum,
 * both on the grill and on the stacks of others. Return { now: null, near: [] } between turns.
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

/** Return the highest total with a worm that is still possible, or 0. */
function ceiling({ aside, dice_left: left, rolled, sum, weasel_ready: again }, canned) {
  const free = "12345W".split("").filter((face) => !aside[face]);
  const further = (points, faces, dice) => {
    const most = (faces) => dice * Math.max(0, ...faces.map(valueOf));
    if (!faces.includes("W")) return points + most(faces);
    const without = canned ? points + most(faces.filter((face) => face !== "W")) + CANNED : 0;
    return Math.max(without, dice ? points + most(faces) : 0);
  };
  const ifKept = (face) => {
    const dice = rolled.filter((one) => one === face).length;
    return further(sum + dice * valueOf(face), free.filter((one) => one !== face), left - dice);
  };
  const choices = free.filter((face) => rolled.includes(face)).map(ifKept);
  return Math.max(0, ...choices, ...(rolled.length && !again ? [] : [further(sum, free, left)]));
}

/** Set the glow of a tile: "now", "near" or none. A change waits `hold` milliseconds. */
export function glow(tile, number, { now, near }, { hold: wait = 0, pace = 1 } = {}) {
  const reached = number === now ? "now" : near.includes(number) ? "near" : undefined;
  if (tile.dataset.reach === reached) return;
  const before = GLOWS[tile.dataset.reach] ?? "none";
  if (reached) tile.dataset.reach = reached;
  else delete tile.dataset.reach;
  if (wait) hold(tile, { boxShadow: before }, { ms: wait, pace });
}

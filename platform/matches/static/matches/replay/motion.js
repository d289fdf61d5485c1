/**
 * Animations of pieces with the Web Animations API. Boards always show each state completely at once; animations only
 * lead the eye, so viewers who skip or disable them miss nothing.
 */

import { el } from "./dom.js";

const TRAVEL_MS = 450;
export const TRAVEL = "cubic-bezier(0.3, 0.1, 0.2, 1)";
const NEAR_PX = 3;
const ARC_PX = 90; // longer flights rise on their way
export const PIECES = { tile: "data-tile", portion: "data-portion", specialist: "data-specialist", card: "data-card", claim: "data-claim" };
const SELECTOR = Object.values(PIECES).map((name) => `[${name}]`).join();

const still = matchMedia("(prefers-reduced-motion: reduce)");

export const isStill = () => still.matches;

/**
 * Play `keyframes` on `element`, unless motion is reduced; return the Animation or null. A `pace` below 1 is faster.
 */
export function animate(element, keyframes, { ms = TRAVEL_MS, delay = 0, pace = 1, easing = TRAVEL } = {}) {
  if (still.matches || !element) return null;
  return element.animate(keyframes, { duration: ms * pace, delay: delay * pace, easing, fill: "backwards" });
}

/**
 * Show `element` with `style` for `ms` milliseconds. This is the delay of a minimal animation, because browsers do not
 * redraw during delays.
 */
export const hold = (element, style, { ms, pace }) => animate(element, [style, style], { ms: 1, delay: ms, pace });

/**
 * Call `change()`, and animate every piece below `root` from its old place to its new one.
 * Pieces that are gone fly to the element that `whither(kind, piece)` returns, if any. A piece starts after `hold(kind,
 * piece)` milliseconds.
 */
export function travel(root, change, { pace = 1, whither = () => null, hold: waits = () => 0 } = {}) {
  if (still.matches) {
    change();
    return;
  }
  const before = seen(root);
  const ghosts = [...before.values()].map(({ element }) => element);
  change();
  const after = seen(root);
  const moves = [];
  for (const [key, { element, box, kind, piece }] of after) {
    const from = before.get(key)?.box;
    if (!from || !far(from, box)) continue;
    moves.push([element, kind === "tile" ? arc(from, box) : [{ transform: between(from, box) }, { transform: "none" }], waits(kind, piece)]);
  }
  for (const [element, way, delay] of moves) lift(element, animate(element, way, { pace, delay }));
  let n = 0;
  for (const [key, { box, kind, piece }] of before) {
    const target = !after.has(key) && whither(kind, piece);
    if (target) flyAway(root, ghosts[n], box, target.getBoundingClientRect(), pace);
    n += 1;
  }
}

/** Raise the element above others while it travels. */
function lift(element, travelling) {
  element.classList.add("rp-travels");
  const down = () => element.classList.remove("rp-travels");
  travelling.finished.then(down, down);
}

/** Animate a copy of `piece` from box to box over the board, and remove it. */
function flyAway(root, piece, from, to, pace) {
  const home = root.getBoundingClientRect();
  const ghost = el("div", { class: `rp-ghost ${piece.parentElement?.className ?? ""}`, "aria-hidden": "true" }, piece.cloneNode(true));
  (root.firstElementChild ?? root).append(ghost); // the board's styles define colours and sizes
  const own = ghost.getBoundingClientRect(); // its parent may have changed its size
  const size = from.width / (own.width || 1);
  const at = (box, scale, opacity) => ({
    transform: `translate(${box.left + box.width / 2 - own.width / 2 - home.left}px, ${box.top + box.height / 2 - own.height / 2 - home.top}px) scale(${scale * size})`,
    opacity,
  });
  animate(ghost, [at(from, 1, 1), { ...at(to, 0.5, 1), offset: 0.85 }, at(to, 0.4, 0)], { ms: 1.3 * TRAVEL_MS, pace }).finished.then(
    () => ghost.remove(),
    () => ghost.remove(),
  );
}

/** Return the boxes of all visible pieces by key. Equal pieces in one place are numbered. */
function seen(root) {
  const found = new Map();
  const alike = new Map();
  for (const element of root.querySelectorAll(SELECTOR)) {
    const [kind, name] = Object.entries(PIECES).find(([, attribute]) => element.hasAttribute(attribute));
    if (element.closest(".rp-ghost") || getComputedStyle(element).visibility === "hidden") continue;
    const box = (element.querySelector(":scope > svg") ?? element).getBoundingClientRect();
    if (!box.width) continue; // not rendered
    const piece = element.getAttribute(name);
    const whose = kind === "card" ? (element.closest("[data-seat]")?.dataset.seat ?? "") : "";
    const count = alike.get(kind + piece + whose) ?? 0;
    alike.set(kind + piece + whose, count + 1);
    found.set(`${kind} ${piece} ${whose} ${count}`, { element, kind, piece, box });
  }
  return found;
}

const far = (one, other) => Math.abs(one.left - other.left) > NEAR_PX || Math.abs(one.top - other.top) > NEAR_PX;

const between = (from, to) =>
  `translate(${from.left - to.left + (from.width - to.width) / 2}px, ${from.top - to.top + (from.height - to.height) / 2}px) scale(${from.width / (to.width || 1)})`;

/** Return keyframes from box to box; long ways rise in an arc. */
function arc(from, to) {
  const way = [{ transform: between(from, to) }, { transform: "none" }];
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.hypot(x, y) < ARC_PX) return way;
  const top = `translate(${x / 2}px, ${y / 2 - ARC_PX / 2}px) scale(${(1 + from.width / (to.width || 1)) / 2 + 0.2}) rotate(${x < 0 ? 6 : -6}deg)`;
  return [way[0], { transform: top, offset: 0.5 }, way[1]];
}

export const shake = (element, options) =>
  animate(element, [0, -5, 5, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` })), { ms: 420, easing: "linear", ...options });

export const turnOver = (element, options) =>
  animate(element, [{ transform: "rotateY(180deg)" }, { transform: "rotateY(90deg)" }, { transform: "none" }], { ms: 500, ...options });

/**
 * Return a number from 0 up to, but excluding, `most` that depends only on `seeds`, so that every replay is the same.
 */
export function drawn(most, ...seeds) {
  let hash = 2166136261;
  for (const seed of seeds) for (const sign of String(seed)) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  return ((hash ^ (hash >>> 13)) >>> 0) % most;
}

/** The animation of a roll: dice fly in from the active seat and turn, and the kept ones slide into the tray. */

import { el } from "../../dom.js";
import { animate, drawn, hold, isStill, TRAVEL } from "../../motion.js";
import { die } from "./pieces.js";

const FLIGHT_MS = 600;
const STAGGER_MS = 25; // between two dice
const LOOK_MS = 250; // the roll rests before dice are taken
const SLIDE_MS = 350;

export const LANDED_MS = FLIGHT_MS + LOOK_MS;

export const FACES = ["1", "2", "3", "4", "5", "W"];

/**
 * Animate the roll of frame `roll` over the element `row`, and return a function that ends the animation.
 * `fresh` are the dice of the tray that come from this roll, `stay` those in the row; `total` is the element of the
 * sum; `failed` are dice kept in a failed turn; `from` is the place of the player who rolls. The faces shown on the way
 * depend only on the record.
 */
export function tumble({ row, roll, faces, fresh, stay, total, from, pace, kindOf, failed }) {
  if (isStill()) return () => {};
  const dice = faces.map((face, at) => el("span", { class: "pk-flying" }, turns(face, at, roll, kindOf(at), pace)));
  const throwing = el("div", { class: "pk-throw", "aria-hidden": "true" }, ...dice);
  row.append(throwing);
  const home = throwing.getBoundingClientRect();
  const seat = from.getBoundingClientRect();
  const lying = dice.map((one) => one.getBoundingClientRect());
  const waiting = [...fresh];
  const places = waiting.map((one) => one.getBoundingClientRect());
  hold(total, { opacity: 0 }, { ms: LANDED_MS, pace });
  for (const one of failed) hold(one, { opacity: 1 }, { ms: LANDED_MS, pace }); // grey after the roll has landed
  for (const blank of row.querySelectorAll(".waiting")) hold(blank, { opacity: 0 }, { ms: LANDED_MS + SLIDE_MS, pace });
  let last = null;
  dice.forEach((one, at) => {
    const spin = 180 + drawn(360, roll.n, at, "spin");
    const start = { transform: `translate(${seat.left - home.left}px, ${seat.top - home.top}px) rotate(-${spin}deg)`, opacity: 0 };
    const delay = STAGGER_MS * at;
    // One animation for all: the compositor cannot run two on the same property. All dice end together, because each
    // end costs a frame.
    const leaves = (stay.length && !failed.length ? FLIGHT_MS + STAGGER_MS * (faces.length - 1) : LANDED_MS) - delay;
    const gone = leaves + (stay.length ? 1 : SLIDE_MS);
    const ways = [
      { ...start, easing: TRAVEL },
      { opacity: 1, offset: (0.2 * FLIGHT_MS) / gone },
      { transform: "none", offset: FLIGHT_MS / gone },
      { opacity: 1, offset: leaves / gone },
      { opacity: 0, transform: "none" },
    ];
    last = animate(one, ways, { ms: gone, delay, pace, easing: "linear" });
    last.effect.updateTiming({ fill: "both" });
    hold(stay[at], { opacity: 0 }, { ms: delay + leaves, pace });
    const target = waiting.length && waiting[0].dataset.face === faces[at] ? waiting.shift() : null;
    if (!target) return;
    const [now, then] = [lying[at], places.shift()];
    const way = { transform: `translate(${now.left - then.left}px, ${now.top - then.top}px)`, opacity: 1 };
    animate(target, [{ ...way, opacity: 0 }, { ...way, offset: 0.01 }, { transform: "none" }], { ms: SLIDE_MS, delay: LANDED_MS, pace });
  });
  const end = () => throwing.remove();
  last?.finished.then(end, () => {});
  return end;
}

/** Return a window on a strip of four faces: three that pass, and the final one. */
function turns(face, at, roll, kind, pace) {
  const others = [1, 2, 3].map((n) => die(FACES[drawn(FACES.length, roll.n, at, n)], kind));
  const strip = el("span", { class: "pk-faces" }, ...others, die(face, kind));
  const there = { transform: "translateY(-75%)" };
  const jumps = [{ transform: "none", easing: "steps(3)" }, { ...there, offset: (0.75 * FLIGHT_MS) / LANDED_MS }, there];
  animate(strip, jumps, { ms: LANDED_MS, delay: STAGGER_MS * at, easing: "linear", pace });
  return el("span", { class: "pk-window" }, strip);
}

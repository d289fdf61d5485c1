/** A roll: dice fly in from the active seat, turn through some faces, and those that are kept slide into the tray. */

import { el } from "../../dom.js";
import { animate, drawn, isStill } from "../../motion.js";
import { die } from "./pieces.js";

const FLIGHT_MS = 600;
const LOOK_MS = 250; // the roll lies before anything is taken of it
const SLIDE_MS = 350;

export const LANDED_MS = FLIGHT_MS + LOOK_MS;

const FACES = ["1", "2", "3", "4", "5", "W"];

/**
 * Plays the roll of frame `roll` over the row `row`; `fresh` are the dice in the tray that come of it, `stay` those in the
 * row, `told` what the dice add up to, `failed` those that were kept in vain, `from` the place of whoever rolls. Which
 * faces are seen on the way follows from the record. Returns a function that ends it.
 */
export function tumble({ row, roll, faces, fresh, stay, told, from, pace, kindOf, failed }) {
  if (isStill()) return () => {};
  const dice = faces.map((face, at) => el("span", { class: "pk-flying" }, ...turns(face, at, roll, kindOf(at), pace)));
  const throwing = el("div", { class: "pk-throw", "aria-hidden": "true" }, ...dice);
  row.append(throwing);
  const home = throwing.getBoundingClientRect();
  const seat = from.getBoundingClientRect();
  const lying = dice.map((one) => one.getBoundingClientRect());
  const waiting = [...fresh];
  animate(told, [{ opacity: 0 }, { opacity: 0 }], { ms: LANDED_MS, pace });
  for (const one of failed) animate(one, [{ opacity: 1 }, { opacity: 1 }], { ms: LANDED_MS, pace }); // grey only once it is seen
  for (const blank of row.querySelectorAll(".waiting")) animate(blank, [{ opacity: 0 }, { opacity: 0 }], { ms: LANDED_MS + SLIDE_MS, pace });
  let last = null;
  dice.forEach((one, at) => {
    const spin = 180 + drawn(360, roll.n, at, "spin");
    const start = { transform: `translate(${seat.left - home.left}px, ${seat.top - home.top}px) rotate(-${spin}deg)`, opacity: 0 };
    animate(one, [start, { opacity: 1, offset: 0.2 }, { transform: "none" }], { ms: FLIGHT_MS, delay: 25 * at, pace });
    const leave = stay.length ? { ms: 1, delay: FLIGHT_MS + 25 * at } : { ms: SLIDE_MS, delay: LANDED_MS };
    last = animate(one, [{ opacity: 1 }, { opacity: 0 }], { ...leave, pace });
    last.effect.updateTiming({ fill: "forwards" });
    animate(stay[at], [{ opacity: 0 }, { opacity: 0 }], { ms: leave.delay, pace });
    const target = waiting.length && waiting[0].dataset.face === faces[at] ? waiting.shift() : null;
    if (!target) return;
    const [now, then] = [lying[at], target.getBoundingClientRect()];
    const way = { transform: `translate(${now.left - then.left}px, ${now.top - then.top}px)`, opacity: 1 };
    animate(target, [{ ...way, opacity: 0 }, { ...way, offset: 0.01 }, { transform: "none" }], { ms: SLIDE_MS, delay: LANDED_MS, pace });
  });
  const end = () => throwing.remove();
  last?.finished.then(end, () => {});
  return end;
}

/** The face that comes up, below three others that are seen before it. */
function turns(face, at, roll, kind, pace) {
  const others = [1, 2, 3].map((n) => {
    const shown = die(FACES[drawn(FACES.length, roll.n, at, n)], kind);
    animate(shown, [{ opacity: 1 }, { opacity: 1 }], { ms: (FLIGHT_MS * n) / 4, delay: 25 * at, pace }).finished.then(() => shown.remove(), () => {});
    return shown;
  });
  return [die(face, kind), ...others.reverse()];
}

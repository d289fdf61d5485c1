/** The dice: kept, rolled and still to be rolled, including a golden one; and their sum. */

import { el } from "../../dom.js";
import { gettext } from "../../i18n.js";
import { die } from "./pieces.js";
import { tumble } from "./tumble.js";

const FACES = ["1", "2", "3", "4", "5", "W"];

/**
 * Create the dice. Return { element, show }. `noteOf(frame, aside, seats)` returns a short text on what the sum is
 * worth.
 */
export function createDice(noteOf) {
  const kept = el("div", { class: "pk-kept" });
  const rolled = el("div", { class: "pk-rolled" });
  const sum = el("output", { class: "pk-sum" });
  const note = el("span", { class: "pk-note" });
  const total = el("div", { class: "pk-total" }, sum, note);
  const label = (text) => el("span", { class: "pk-label" }, text);
  const element = el(
    "div",
    { class: "pk-dice", "aria-hidden": "true" },
    el("div", { class: "pk-row" }, label(gettext("rolled")), rolled),
    el("div", { class: "pk-row" }, label(gettext("kept")), kept),
    total,
  );

  let end = () => {}; // ends the animation of the current roll

  /** Show a frame. `from(frame)` returns the place of the seat that rolls; a `pace` below 1 is faster. */
  const show = (frame, seats, { passed, pace, from }) => {
    end();
    const { aside, faces, total: points, left, golden } = diceOf(frame);
    const blank = frame.key ? [] : Array(faces.length ? 0 : left).fill("");
    const gild = (at, count) => (at === count - 1 ? " golden" : "");
    const inHand = golden === "left"; // then its result comes last
    rolled.replaceChildren(
      ...faces.map((face, at) => die(face, "rolled" + (inHand ? gild(at, faces.length) : ""))),
      ...blank.map((_, at) => die("", `waiting${inHand ? gild(at, blank.length) : ""}`)),
    );
    const newest = passed.findLast(({ action }) => action.startsWith("take "))?.action.slice(5) ?? "";
    kept.replaceChildren(
      ...FACES.flatMap((face) =>
        Array.from({ length: aside[face] }, (_, at) =>
          die(face, (face === newest ? "kept fresh" : "kept") + (face === golden ? gild(at, aside[face]) : "")),
        ),
      ),
    );
    sum.textContent = points;
    element.dataset.event = frame.key && frame.view.last.event;
    note.textContent = noteOf(frame, aside, seats);
    const roll = passed.findLast(({ action, actor }) => actor < 0 && action.startsWith("roll "));
    if (roll) end = play(roll, newest, pace, from(roll));
  };

  /** Animate a roll: over an empty row if some of its dice were kept, otherwise until the dice in the row appear. */
  const play = (roll, newest, pace, place) => {
    const { faces, golden } = diceOf(roll);
    const count = faces.filter((face) => face === newest).length;
    const fresh = count ? [...kept.querySelectorAll(".fresh")].slice(-count) : [];
    const kindOf = (at) => (golden === "left" && at === faces.length - 1 ? "rolled golden" : "rolled");
    const stay = [...rolled.querySelectorAll(".rolled")];
    const failed = roll.key === "bust" ? [...kept.children] : [];
    return tumble({ row: rolled, roll, faces, fresh, stay, total, from: place, pace, kindOf, failed });
  };
  return { element, show };
}

/** After a turn the dice are still on the table: the view has them in `last`. */
function diceOf({ key, view }) {
  if (key) return { aside: view.last.aside, faces: view.last.rolled, total: view.last.total, left: 0, golden: view.last.golden_die };
  return { aside: view.aside, faces: view.rolled, total: view.sum, left: view.dice_left, golden: view.golden_die };
}

/** The dice: kept, rolled, or still to be rolled, a golden one among them; and what they add up to. */

import { el } from "../../dom.js";
import { gettext } from "../../i18n.js";
import { die } from "./pieces.js";
import { tumble } from "./tumble.js";

const FACES = ["1", "2", "3", "4", "5", "W"];

/** `noteOf(frame, aside, seats)` says in a word what the sum is good for. */
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

  let end = () => {}; // of the roll that is being played

  /** `from(position)` is the place of a seat; `pace` below 1 is quicker. */
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

  /** Plays a roll: over an empty row if some dice of it were kept, else until the dice in the row are seen. */
  const play = (roll, newest, pace, place) => {
    const { faces, golden } = diceOf(roll);
    const count = faces.filter((face) => face === newest).length;
    const fresh = count ? [...kept.querySelectorAll(".fresh")].slice(-count) : [];
    const kindOf = (at) => (golden === "left" && at === faces.length - 1 ? "rolled golden" : "rolled");
    const stay = [...rolled.querySelectorAll(".rolled")];
    const failed = roll.key === "bust" ? [...kept.children] : [];
    return tumble({ row: rolled, roll, faces, fresh, stay, told: total, from: place, pace, kindOf, failed });
  };
  return { element, show };
}

/** When a turn ends its dice are still on the table: the view keeps them in `last`. */
function diceOf({ key, view }) {
  if (key) return { aside: view.last.aside, faces: view.last.rolled, total: view.last.total, left: 0, golden: view.last.golden_die };
  return { aside: view.aside, faces: view.rolled, total: view.sum, left: view.dice_left, golden: view.golden_die };
}

/** The eight dice: kept, rolled, or still to be rolled; and what they add up to. */

import { el } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { die } from "./pieces.js";

const FACES = ["1", "2", "3", "4", "5", "W"];

export function createDice() {
  const kept = el("div", { class: "pk-kept" });
  const rolled = el("div", { class: "pk-rolled" });
  const sum = el("output", { class: "pk-sum" });
  const note = el("span", { class: "pk-note" });
  const label = (text) => el("span", { class: "pk-label" }, text);
  const element = el(
    "div",
    { class: "pk-dice", "aria-hidden": "true" },
    el("div", { class: "pk-row" }, label(gettext("rolled")), rolled),
    el("div", { class: "pk-row" }, label(gettext("kept")), kept),
    el("div", { class: "pk-total" }, sum, note),
  );

  const show = (frame, seats, moved) => {
    const { aside, faces, total, left } = diceOf(frame);
    const fresh = moved && frame.action.startsWith("roll ") ? "rolled fresh" : "rolled";
    const blank = frame.key ? [] : Array(faces.length ? 0 : left).fill("");
    rolled.replaceChildren(...faces.map((face) => die(face, fresh)), ...blank.map(() => die("", "waiting")));
    const newest = moved && frame.action.startsWith("take ") ? frame.action.slice(5) : "";
    kept.replaceChildren(
      ...FACES.flatMap((face) => Array.from({ length: aside[face] }, () => die(face, face === newest ? "kept fresh" : "kept"))),
    );
    sum.textContent = total;
    element.dataset.event = frame.key && frame.view.last.event;
    note.textContent = noteOf(frame, aside, seats);
  };
  return { element, show };
}

/** When a turn ends its dice are still on the table: the view keeps them in `last`. */
function diceOf({ key, view }) {
  if (key) return { aside: view.last.aside, faces: view.last.rolled, total: view.last.total, left: 0 };
  return { aside: view.aside, faces: view.rolled, total: view.sum, left: view.dice_left };
}

function noteOf({ key, view }, aside, seats) {
  if (!key) return aside.W || !view.sum ? "" : gettext("no worm yet");
  const { event, tile, from, why } = view.last;
  if (event === "take") return fill(gettext("takes %(tile)s"), { tile });
  if (event === "steal") return fill(gettext("steals %(tile)s from %(other)s"), { tile, other: seats[from].letter });
  if (why === "no_face") return gettext("bust: nothing new");
  return why === "no_worm" ? gettext("bust: no worm") : gettext("bust: no tile for it");
}

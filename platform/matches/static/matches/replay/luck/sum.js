/** A game that was watched to its end, summed up: start + luck + own losses + the others' + unexplained = result. */

import { chip, el, svg } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { inOrder, label, points } from "./words.js";

const UNIT = 1e9;
const TURNING_POINTS = 4;

/** `seats` in table order; `go(step)` shows a step. */
export function summed(found, seats, go) {
  const order = inOrder(seats);
  const parts = [
    [gettext("Start"), (at) => found.start[at]],
    [gettext("Luck"), (at) => found.luck[at]],
    [gettext("Own losses"), (at) => -found.lost[at]],
    [gettext("Others' losses"), (at) => found.theirs[at]],
    [gettext("Unexplained"), (at) => found.unexplained[at]],
    [gettext("Result"), (at) => found.final[at]],
  ];
  const most = Math.max(UNIT, ...parts.flatMap(([, of]) => order.map((at) => Math.abs(of(at)))));
  const cell = (value, whole) => el("td", { class: "number" }, bar(value / most, whole), points(value, !whole));
  const rows = parts.map(([name, of], row) => {
    const whole = row === 0 || row === parts.length - 1;
    return el("tr", { class: whole ? "lk-whole" : undefined }, el("th", { scope: "row" }, name), ...order.map((at) => cell(of(at), whole)));
  });
  const head = el("tr", {}, el("td", {}), ...order.map((at) => el("th", { scope: "col" }, chip(seats[at]))));
  return el(
    "section",
    { class: "lk-sum" },
    el("h4", {}, gettext("Where it was decided")),
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)),
    el("p", { class: "lk-note" }, gettext("In points of win chance. The result stands as it is: nothing here is a score.")),
    el("h4", {}, gettext("Turning points")),
    el("ol", { class: "lk-points" }, ...turningPoints(found).map((one) => el("li", {}, pointed(one, seats, go)))),
  );
}

/** The rolls and decisions that moved the most, in the order of the game. */
function turningPoints(found) {
  const rolls = found.rolls.filter(({ seat }) => seat >= 0).map((roll) => ({ ...roll, moved: roll.luck[roll.seat] }));
  const decisions = found.decisions.filter(({ mark }) => mark).map((decision) => ({ ...decision, moved: -decision.lost }));
  const most = [...rolls, ...decisions].sort((a, b) => Math.abs(b.moved) - Math.abs(a.moved)).slice(0, TURNING_POINTS);
  return most.sort((a, b) => a.step - b.step);
}

function pointed({ action, kind, moved, options, seat, step }, seats, go) {
  const what = action ? label(kind, options.find((one) => one.action === action), seats) : moved > 0 ? gettext("a lucky roll") : gettext("an unlucky roll");
  const title = fill(gettext("Step %(step)s"), { step });
  return el("button", { type: "button", title, click: () => go(step) }, chip(seats[seat]), el("span", {}, what), el("b", { class: "number" }, points(moved, true)));
}

function bar(part, whole) {
  const width = 50 * Math.min(Math.abs(part), 1);
  const at = whole ? { x: 0, width: 2 * width } : { x: part < 0 ? 50 - width : 50, width };
  return svg("svg", { class: "lk-bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { ...at, y: 0, height: 6, "data-sign": whole ? "whole" : part < 0 ? "minus" : "plus" }));
}

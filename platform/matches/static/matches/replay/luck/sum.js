/** The summary of a finished game: start + luck - own mistakes + the others' + unexplained = result. */

import { chip, el, svg } from "../dom.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { inOrder, points, worded } from "./format.js";

const UNIT = 1e9;
const POINT = UNIT / 100;
const TURNING_POINTS = 4;

/**
 * Return the summary. `seats` are in table order; `go(step)` shows a step; `turn(step)` returns its turn; `option` as
 * for worded().
 */
export function summed(found, seats, { go, turn, option }) {
  const falls = seats.map((_, at) => rowsOf(found, at));
  const reached = falls.flat().flatMap(([, from, to]) => [from, to]);
  const scale = { least: Math.min(0, ...reached), most: Math.max(UNIT, ...reached) };
  return el(
    "section",
    { class: "lk-sum" },
    el("h4", {}, gettext("Where it was decided")),
    el("p", { class: "lk-why" }, reason(found, seats)),
    ...inOrder(seats).map((at) => waterfall(falls[at], seats[at], scale)),
    el("p", { class: "lk-note" }, gettext("In points of win chance. The result does not change: none of this is a score.")),
    el("p", { class: "lk-note" }, gettext("Unexplained is the error of the analysis: how far the computed chances were from the outcomes.")),
    el("h4", {}, gettext("Turning points")),
    el("ol", { class: "lk-points" }, ...turningPoints(found).map((one) => el("li", {}, pointed(one, seats, { go, turn, option })))),
  );
}

/** Return one sentence about the win, with its largest cause. */
function reason({ final, lost, luck, theirs }, seats) {
  const most = Math.max(...final);
  const winner = final.indexOf(most);
  if (final.lastIndexOf(most) !== winner) return gettext("First place is shared.");
  const [won, cost, given] = [luck, lost, theirs].map((shares) => Math.round(Math.abs(shares[winner]) / POINT));
  const values = { name: seats[winner].name, luck: won, lost: cost, theirs: given };
  const [lucky, flawless] = [luck[winner] >= POINT / 2, lost[winner] < POINT / 2];
  if (lucky && given > won) return fill(ngettext("%(name)s won by the others' mistakes, which gave %(theirs)s point; luck gave %(luck)s.", "%(name)s won by the others' mistakes, which gave %(theirs)s points; luck gave %(luck)s.", given), values);
  if (lucky && flawless) return fill(ngettext("%(name)s won by %(luck)s point of luck and no mistakes.", "%(name)s won by %(luck)s points of luck and no mistakes.", won), values);
  if (lucky) return fill(ngettext("%(name)s won by %(luck)s point of luck, after mistakes that cost %(lost)s.", "%(name)s won by %(luck)s points of luck, after mistakes that cost %(lost)s.", won), values);
  if (flawless) return fill(ngettext("%(name)s won without luck and without mistakes: the others' mistakes gave %(theirs)s point.", "%(name)s won without luck and without mistakes: the others' mistakes gave %(theirs)s points.", given), values);
  return fill(ngettext("%(name)s won without luck: the others' mistakes gave %(theirs)s point, its own cost %(lost)s.", "%(name)s won without luck: the others' mistakes gave %(theirs)s points, its own cost %(lost)s.", given), values);
}

/** Return the rows from a seat's chance at the start to its result; each begins where the one before ends. */
function rowsOf(found, at) {
  const steps = [
    [gettext("Luck"), found.luck[at]],
    [gettext("Own mistakes"), -found.lost[at]],
    [gettext("Opponents' mistakes"), found.theirs[at]],
    [gettext("Unexplained"), found.unexplained[at]],
  ];
  const rows = [[gettext("Start"), 0, found.start[at], true]];
  for (const [name, share] of steps) rows.push([name, rows.at(-1)[2], rows.at(-1)[2] + share, false]);
  return [...rows, [gettext("Result"), 0, found.final[at], true]];
}

/** Return the rows of a seat as bars, on one scale for all seats, with lines at 0 and 100 %. */
function waterfall(rows, seat, { least, most }) {
  const place = (share) => (100 * (share - least)) / (most - least);
  const lines = [0, UNIT].map(place);
  const row = ([name, from, to, whole]) =>
    el(
      "tr",
      { class: whole ? "lk-whole" : undefined },
      el("th", { scope: "row" }, name),
      el("td", { class: "lk-way" }, bar(place(from), place(to), whole, lines)),
      el("td", { class: "number" }, points(to - from, !whole)),
    );
  return el("table", { "data-seat": seat.seat }, el("caption", {}, chip(seat), seat.name), el("tbody", {}, ...rows.map(row)));
}

function bar(from, to, whole, lines) {
  const width = Math.max(Math.abs(to - from), 0.6);
  const sign = whole ? "whole" : to < from ? "minus" : "plus";
  return svg("svg", { class: "lk-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...lines.map((x) => svg("line", { x1: x, x2: x, y1: -10, y2: 20 })), svg("rect", { x: Math.min(from, to), width, y: 0, height: 10, "data-sign": sign }));
}

/** Return the rolls and decisions that changed the chances most, in the order of the game. */
function turningPoints(found) {
  const rolls = found.rolls.filter(({ seat }) => seat >= 0).map((roll) => ({ ...roll, moved: roll.luck[roll.seat] }));
  const decisions = found.decisions.filter(({ mark }) => mark).map((decision) => ({ ...decision, moved: -decision.lost }));
  const most = [...rolls, ...decisions].sort((a, b) => Math.abs(b.moved) - Math.abs(a.moved)).slice(0, TURNING_POINTS);
  return most.sort((a, b) => a.step - b.step);
}

function pointed({ action, kind, moved, options, seat, step }, seats, { go, turn, option }) {
  const what = action ? worded(option, kind, options.find((one) => one.action === action), seats).label : moved > 0 ? gettext("a lucky roll") : gettext("an unlucky roll");
  const title = fill(gettext("Step %(step)s"), { step });
  const when = turn(step) ? fill(gettext("Turn %(turn)s"), { turn: turn(step) }) : title;
  return el("button", { type: "button", title, click: () => go(step) }, chip(seats[seat]), el("span", {}, `${when}: ${what}`), el("b", { class: "number" }, points(moved, true)));
}

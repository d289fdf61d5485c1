/** What became of a game, in words: faults, what was printed, how fast, and what a series comes to. */

import { chip, el } from "../matches/replay/dom.js";
import { fill, gettext, ngettext, percent } from "../matches/replay/i18n.js";

/** Where something was, `{ line, detail }` of a fault: in which file the traceback names last. */
export function placeOf({ line, detail }) {
  const named = [...detail.matchAll(/File "([^"\n]+)", line (\d+)/g)].findLast(([, , number]) => Number(number) === line);
  return { file: named?.[1] ?? "bot.py", line };
}

const button = (place, go) => {
  const text = place.file === "bot.py" ? gettext("Line %(line)s") : gettext("%(file)s, line %(line)s");
  return el("button", { type: "button", class: "button small", click: () => go(place) }, fill(text, place));
};

/** What a game has to say at lines of the bots that `isOwn(seat)`: { file: remarks }, see remarks.js. */
export function remarksOf({ faults, lines }, isOwn) {
  const found = {};
  const add = (file, line, text, kind) => (found[file] ??= []).push({ line, text, kind });
  for (const [seat, printed] of lines.entries()) {
    if (!isOwn(seat)) continue;
    for (const [file, line, count, text] of printed) add(file, line, count > 1 ? `${text} (${count}×)` : text, "printed");
  }
  const fault = faults.find(({ seat, line }) => isOwn(seat) && line);
  if (fault) {
    const { file, line } = placeOf(fault);
    add(file, line, fault.detail.trim().split("\n").findLast((text) => /^\w/.test(text)) ?? "", "bad");
  }
  return found;
}

/** A fault of the bot `name`; `verdicts` are words by code, `go`, of one's own in the editor, shows a { file, line }. */
export function faultBox(fault, name, verdicts, go) {
  const line = fault.line && go && button(placeOf(fault), go);
  const head = fault.view ? gettext("%(name)s failed at action %(action)s: %(verdict)s") : gettext("%(name)s did not start: %(verdict)s");
  const values = { name, action: fault.action, verdict: verdicts[fault.verdict] ?? fault.verdict };
  const answer = fault.answer && el("p", {}, gettext("It answered:"), " ", el("code", {}, fault.answer));
  return el(
    "div",
    { class: "notice bad stack tight" },
    el("div", { class: "cluster" }, el("b", {}, fill(head, values)), line || null),
    answer || null,
    fault.detail ? el("pre", { tabindex: 0 }, fault.detail) : null,
    fault.output ? el("details", { open: true }, el("summary", {}, gettext("Printed output")), el("pre", { tabindex: 0 }, fault.output)) : null,
    fault.view ? el("details", {}, el("summary", {}, gettext("The view that it was given")), el("pre", { tabindex: 0 }, JSON.stringify(fault.view, null, 1))) : null,
  );
}

/** Why Python said nothing: `name` is the bot that was asked last; `go` as above, of one's own bot. */
export function noAnswer(error, name, go) {
  const said = {
    hang: gettext("%(name)s gave no answer within 5 seconds, and was stopped. Look for an endless loop."),
    broken: gettext("%(name)s ended Python itself, which has been restarted. On the site it would lose its seat for the rest of the game."),
    failed: gettext("Python could not be loaded. Reload the page to try again."),
  }[error.kind];
  const text = said ? fill(said, { name: name || gettext("A bot") }) : String(error.message);
  return el("div", { class: "notice bad stack tight" }, el("p", {}, text), ...(error.late ? lateParts(error.late, go) : []));
}

/** Where a bot was when its time was up, and what it had printed. */
export const lateParts = ({ line, detail, output }, go) =>
  [
    line && go && el("div", {}, button(placeOf({ line, detail }), go)),
    el("pre", { tabindex: 0 }, detail),
    output && el("details", { open: true }, el("summary", {}, gettext("Printed output")), el("pre", { tabindex: 0 }, output)),
  ].filter(Boolean);

/** What the bots printed in a game, a box for each that did; a fault's box has its own. */
export const printedBox = ({ printed, faults }, names) =>
  printed.flatMap((text, seat) =>
    text && faults.every((fault) => fault.seat !== seat) ? [el("details", { class: "fold", open: true }, el("summary", {}, fill(gettext("Printed by %(name)s"), { name: names[seat] })), el("pre", { tabindex: 0 }, text))] : [],
  );

const GAMES_SHOWN = 40; // with what was printed in them

/** The indexes of the games in the order in which one's own bot, in seat 0, has most to learn: those it lost first. */
export const lostFirst = (games) => games.map((_, index) => index).sort((one, other) => (games[one].places[0] === 1) - (games[other].places[0] === 1) || one - other);

/** What one's own bot, in seat 0, printed in a series, game by game, those that it lost first; `watch(index)` shows a game. */
export function printedInSeries(games, watch) {
  const found = lostFirst(games).filter((index) => games[index].printed[0]);
  if (!found.length) return [];
  const boxes = found.slice(0, GAMES_SHOWN).flatMap((index) => {
    const words = games[index].places[0] === 1 ? gettext("Game %(game)s, won") : gettext("Game %(game)s, not won");
    return [el("p", { class: "cluster" }, el("b", {}, fill(words, { game: index + 1 })), el("button", { type: "button", class: "button small", click: () => watch(index) }, gettext("Watch"))), el("pre", { tabindex: 0 }, games[index].printed[0])];
  });
  const head = fill(ngettext("Printed in %(games)s game, those not won first", "Printed in %(games)s games, those not won first", found.length), { games: found.length });
  return [el("details", { class: "fold" }, el("summary", {}, head), ...boxes)];
}

/** How long its slowest action took, in ``seconds``; nothing of a bot that never started. */
export const speedLine = (seconds) =>
  seconds > 0 ? el("p", { class: "small muted" }, fill(gettext("The slowest action took %(ms)s ms here; the site allows 1 s of its own processor, which is two to three times as fast."), { ms: (1000 * seconds).toFixed(1) })) : "";

/** The table of a series: shares of opponents beaten with their intervals, by the blocks that share their deal. */
export function statistics({ lines }, names) {
  const number = (value, digits) => el("td", { class: "num" }, Number.isFinite(value) ? value.toFixed(digits) : "–");
  const shown = (value) => (Number.isFinite(value) ? percent(value) : "–");
  const head = [gettext("Bot"), [gettext("Win rate"), el("small", {}, gettext("likely range"))], gettext("Points per game"), gettext("Wins"), gettext("Errors"), gettext("ms per move")];
  const rows = lines.map((line, seat) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, chip({ seat, letter: "ABCDEFG"[seat] }), " ", names[seat]),
      el("td", { class: "num" }, shown(line.share), el("small", { class: "muted" }, line.low === 0 && line.high === 1 ? "–" : `${shown(line.low)} – ${shown(line.high)}`)),
      number(line.points, 1),
      number(line.firsts, 0),
      number(line.faults, 0),
      number(line.median_ms, 1),
    ),
  );
  return el(
    "div",
    { class: "table-card pg-tally", tabindex: 0, role: "group", "aria-label": gettext("The series so far") },
    el("table", {}, el("thead", {}, el("tr", {}, ...head.map((words, at) => el("th", at ? { class: "num", scope: "col" } : { scope: "col" }, ...[words].flat())))), el("tbody", {}, ...rows)),
  );
}

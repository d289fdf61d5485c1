/** Results of games: faults, printed output, speed, and the table of a series. */

import { chip, el } from "../matches/replay/dom.js";
import { fill, gettext, ngettext, percent } from "../matches/replay/i18n.js";

/** Return the place, { file, line }, of a fault: the last file in its traceback that has this line. */
export function placeOf({ line, detail }) {
  const named = [...detail.matchAll(/File "([^"\n]+)", line (\d+)/g)].findLast(([, , number]) => Number(number) === line);
  return { file: named?.[1] ?? "bot.py", line };
}

const button = (place, go) => {
  const text = place.file === "bot.py" ? gettext("Line %(line)s") : gettext("%(file)s, line %(line)s");
  return el("button", { type: "button", class: "button small", click: () => go(place) }, fill(text, place));
};

/** Return a game's remarks on the bots for which `isOwn(seat)` is true: { file: remarks } (see remarks.js). */
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

/**
 * Return the box for a fault of the bot `name`. `verdicts` maps codes to texts. With `go(place)`, a button shows the
 * line in the editor.
 */
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

/** Return the box for a NoAnswer. `name` is the bot that was called last; `go` as in faultBox(). */
export function noAnswer(error, name, go) {
  const message = {
    hang: gettext("%(name)s gave no answer within 5 seconds, and was stopped. Look for an endless loop."),
    broken: gettext("%(name)s ended Python itself, which has been restarted. On the site it would lose its seat for the rest of the game."),
    failed: gettext("Python could not be loaded. Reload the page to try again."),
  }[error.kind];
  const text = message ? fill(message, { name: name || gettext("A bot") }) : String(error.message);
  return el("div", { class: "notice bad stack tight" }, el("p", {}, text), ...(error.late ? lateParts(error.late, go) : []));
}

/** Return elements that show where a bot was when its time was up, and its output. */
export const lateParts = ({ line, detail, output }, go) =>
  [
    line && go && el("div", {}, button(placeOf({ line, detail }), go)),
    el("pre", { tabindex: 0 }, detail),
    output && el("details", { open: true }, el("summary", {}, gettext("Printed output")), el("pre", { tabindex: 0 }, output)),
  ].filter(Boolean);

/** Return a box for each bot that printed something; a fault's own box includes its output. */
export const printedBox = ({ printed, faults }, names) =>
  printed.flatMap((text, seat) =>
    text && faults.every((fault) => fault.seat !== seat) ? [el("details", { class: "fold", open: true }, el("summary", {}, fill(gettext("Printed by %(name)s"), { name: names[seat] })), el("pre", { tabindex: 0 }, text))] : [],
  );

const GAMES_SHOWN = 40; // with their printed output

/** Return the indexes of the games with those that seat 0 did not win first. */
export const lostFirst = (games) => games.map((_, index) => index).sort((one, other) => (games[one].places[0] === 1) - (games[other].places[0] === 1) || one - other);

/** Return the output of the bot in seat 0, game by game, in the order of lostFirst(). `watch(index)` shows a game. */
export function printedInSeries(games, watch) {
  const found = lostFirst(games).filter((index) => games[index].printed[0]);
  if (!found.length) return [];
  const boxes = found.slice(0, GAMES_SHOWN).flatMap((index) => {
    const title = games[index].places[0] === 1 ? gettext("Game %(game)s, won") : gettext("Game %(game)s, not won");
    return [el("p", { class: "cluster" }, el("b", {}, fill(title, { game: index + 1 })), el("button", { type: "button", class: "button small", click: () => watch(index) }, gettext("Watch"))), el("pre", { tabindex: 0 }, games[index].printed[0])];
  });
  const head = fill(ngettext("Printed in %(games)s game, those not won first", "Printed in %(games)s games, those not won first", found.length), { games: found.length });
  return [el("details", { class: "fold" }, el("summary", {}, head), ...boxes)];
}

/** Return a line with the slowest action, in `seconds`, or "" for a bot that never started. */
export const speedLine = (seconds) =>
  seconds > 0 ? el("p", { class: "small muted" }, fill(gettext("The slowest action took %(ms)s ms here; the site allows 1 s of its own processor, which is two to three times as fast."), { ms: (1000 * seconds).toFixed(1) })) : "";

/** Return the table of a series: win rates with their intervals, computed over blocks of games with the same deal. */
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
    el("table", {}, el("thead", {}, el("tr", {}, ...head.map((title, at) => el("th", at ? { class: "num", scope: "col" } : { scope: "col" }, ...[title].flat())))), el("tbody", {}, ...rows)),
  );
}

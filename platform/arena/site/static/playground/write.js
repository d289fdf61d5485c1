/** The playground: write a bot, play it, watch its games, and save it. */

import "./editor.js";
import { el } from "../matches/replay/dom.js";
import { fill, gettext, ngettext } from "../matches/replay/i18n.js";
import { isStill } from "../matches/replay/motion.js";
import { createReplacedDraft } from "./replaced-draft.js";
import { createTerms } from "./code-help.js";
import { draftsOf, ENTRY, formValues, hasContent, isSame, lastGame, saveDraft, saveLastGame, setPendingUpload } from "./draft.js";
import { createFailures } from "./failure.js";
import { createFiles } from "./files.js";
import { createHistory, saveSnapshot, saveSnapshotIfDue } from "./history.js";
import { createLoading } from "./loading.js";
import { written } from "../web/when.js";
import { replayData } from "./replay-data.js";
import { faultBox, lostFirst, noAnswer, printedBox, printedInSeries, placeOf, remarksOf, speedLine, statistics } from "./results.js";
import { Python } from "./python.js";
import { createSetup, newSeed, OWN } from "./setup.js";
import { showReplay } from "./show-replay.js";
import { createUploads } from "./uploads.js";

const part = (id) => document.getElementById(`pg-${id}`);
const data = JSON.parse(document.getElementById("playground-data").textContent);
const editor = document.querySelector("code-editor");
const loading = createLoading(part("loading"), say);
const python = new Python(data.python, loading.show);
const parts = Object.fromEntries(["game", "ruleset", "example", "players", "options", "seats", "rules", "run", "series", "stop", "blocks", "state", "fault", "replay", "told", "meaning"].map((id) => [id, part(id)]));
let run = 0; // increases with each run, so that late responses can be dropped
let starts = []; // the files of the bots offered under "Start from"
let edited = null; // the author's draft in the editor as last saved, null for an example
let typed = null; // the game of the input that is not saved yet
let saveTimer = 0; // timer of the next save
let isReplaced = false; // true if the next input event replaces the whole text
const SAVE_AFTER_MS = 150; // after the last key, so that typing stays fast
const behavior = isStill() ? "instant" : "smooth";
let terms = null; // the game's vocabulary, once loaded
let setup = null; // the form that sets up the table
let history = null; // the list of snapshots
const focused = new Promise((done) => editor.addEventListener("focusin", done, { once: true }));

const titleOf = ({ at }, place) => (place === 0 || at === null ? gettext("My draft") : fill(gettext("My draft of %(time)s"), { time: written(at) }));

/** Return the author's other drafts of a game, as rivals of the one in the editor. */
function drafts(game) {
  const others = draftsOf(game.name).filter((one) => one.at !== null && !isSame(one.files, edited) && !isExample(game, one.files));
  return others.map(({ at, files }) => ({ value: `draft ${at}`, title: titleOf({ at }), files }));
}

const files = createFiles(part("files"), editor, { most: data.files, changed: () => onText(), dropping: () => saveSnapshot(setup.game().name, files.all()) });
const replacedDraft = createReplacedDraft(part("away"), { files: files.all, restore: put, focus: () => editor.focus() });
const uploads = createUploads(data.versions, { python, changed: () => setup.offerRivals() });
const rivals = (game) => [...drafts(game), ...uploads.of(game.name)];
setup = createSetup(data.games, parts, { own: gettext("Your bot"), offered: true, rivals, changed: onGame, first: lastGame() });

function onGame(game) {
  saveTyped();
  replacedDraft.clear();
  files.set(draftsOf(game.name)[0]?.files ?? { [ENTRY]: game.examples[0].source });
  offerStarts(game);
  history?.show();
  terms = null;
  Promise.any([python.ready, focused]).then(() => loadTerms(game), () => {}); // loads after the first game can start
  parts.rules.href = game.rules;
  saveLastGame(game.name);
}

async function loadTerms(game) {
  const answer = await fetch(game.terms).catch(() => null);
  const found = answer?.ok ? createTerms(await answer.json()) : null;
  if (game === setup.game()) terms = found;
}

function isExample({ examples }, found) {
  return examples.some(({ source }) => isSame({ [ENTRY]: source }, found));
}

/** Offer the drafts and the examples under "Start from", and select the one in the editor. */
function offerStarts(game) {
  const { name, examples } = game;
  const now = files.all();
  const own = draftsOf(name).filter((one) => !isExample(game, one.files));
  starts = [...own.map((one) => one.files), ...examples.map(({ source }) => ({ [ENTRY]: source }))];
  const titles = [...own.map(titleOf), ...examples.map(({ title }) => title)];
  parts.example.replaceChildren(...titles.map((title, at) => el("option", { value: at }, title)));
  parts.example.value = starts.findIndex((one) => isSame(one, now));
  edited = isExample(game, now) ? null : now;
  setup?.offerRivals();
}

function onInput() {
  if (isReplaced) {
    isReplaced = false;
    onText();
    return;
  }
  typed = setup.game();
  clearTimeout(saveTimer);
  saveTimer = setTimeout(saveTyped, SAVE_AFTER_MS);
}

function saveTyped() {
  clearTimeout(saveTimer);
  if (typed) onText(typed);
}

/** Save the draft, unless it is an unchanged example. */
function onText(game = setup.game()) {
  typed = null;
  const now = files.all();
  if (!isExample(game, now) && hasContent(now)) {
    if (saveDraft(game.name, now, edited)) saveSnapshotIfDue(game.name, now);
    else say(gettext("This bot is too large for this browser to keep. Download it."));
  }
  offerStarts(game);
}

/** Replace the bot in the editor. If both bots are single files, the editor can undo this. */
function put(others) {
  saveTyped();
  const game = setup.game();
  const before = files.all();
  saveSnapshot(game.name, before);
  edited = null;
  if (files.isAlone() && Object.keys(others).length === 1) editor.replace(others[ENTRY]);
  else {
    files.set(others);
    onText();
  }
  const now = files.all();
  if (hasContent(before) && !isExample(game, before) && !isSame(before, now)) replacedDraft.offer(before, now);
  else replacedDraft.clear();
}

history = createHistory(part("history"), { game: () => setup.game().name, files: files.all, restore: put });
addEventListener("pagehide", () => saveTyped());
addEventListener("pagehide", () => isExample(setup.game(), files.all()) || saveSnapshot(setup.game().name, files.all()));
parts.example.addEventListener("change", () => put(starts[parts.example.value]));
const source = document.getElementById("pg-source");
source.addEventListener("input", onInput);
source.addEventListener("beforeinput", () => {
  // Replacing the whole text starts another draft.
  if (source.selectionStart !== 0 || source.selectionEnd !== source.value.length) return;
  saveTyped();
  edited = null;
  isReplaced = true;
});

function say(text) {
  parts.state.textContent = text;
}

function begin() {
  run += 1;
  say(python.isReady ? gettext("Playing …") : loading.message);
  parts.fault.replaceChildren();
  parts.told.replaceChildren();
  failures.played();
  editor.mark(0);
  files.remark({});
  if (!isExample(setup.game(), files.all())) saveSnapshot(setup.game().name, files.all());
  history.show();
  parts.stop.hidden = false;
  parts.run.disabled = parts.series.disabled = true;
  return run;
}

function end() {
  parts.stop.hidden = true;
  parts.run.disabled = parts.series.disabled = false;
}

const own = () => ({ files: files.all() });

const isOwn = ({ seats }, seat) => seats[seat] === OWN;

/**
 * Show the first fault of the author's bot, and return true; without one, shows a rival's first fault and returns
 * false.
 */
function showFault(played, { names, seats }) {
  const fault = played.faults.find(({ seat }) => isOwn({ seats }, seat));
  if (!fault) {
    const [other] = played.faults;
    if (other && !parts.fault.hasChildNodes()) parts.fault.replaceChildren(faultBox(other, names[other.seat], data.verdicts));
    return false;
  }
  parts.fault.replaceChildren(faultBox(fault, names[fault.seat], data.verdicts, files.go));
  if (fault.line) files.go(placeOf(fault), false);
  return true;
}

/** Collect the match to play, with the files of all bots. `seats` are the values of the seats (see setup.js). */
async function chosen() {
  await uploads.bring(setup.game().name, setup.others());
  const { player } = setup.ruleset();
  const house = setup.game().house.map(({ name }) => name);
  return { player, about: setup.about(), house, names: setup.names(), seats: [OWN, ...setup.others()], spec: setup.spec(own(), newSeed()) };
}

async function watch({ player, about, house, names, seats }, games, faulty, chosen = lostFirst(games)[0]) {
  const own = seats.flatMap((value, seat) => (house.includes(value) ? [] : [seat]));
  const shown = replayData(python, games, { own, hasLuck: Boolean(player.luck_later) });
  let local = "?autoplay=1";
  if (faulty !== undefined) {
    const step = (await shown.read(faulty)).frames.findIndex(([, , cause]) => cause);
    local = `?game=${faulty + 1}&step=${Math.max(0, step)}`;
  } else if (games.length > 1) local = `?game=${chosen + 1}&step=0`;
  await showReplay(parts.replay, player, names, { about, ...shown, local, label: gettext("Replay") });
}

async function playOne() {
  const mine = begin();
  let match = null;
  try {
    match = await chosen();
    if (mine !== run) return;
    const played = await python.request({ do: "play", spec: match.spec, index: 0 });
    if (mine !== run) return;
    const { names } = match;
    const failed = showFault(played, match);
    files.remark(remarksOf(played, (seat) => isOwn(match, seat)));
    await watch(match, [played], failed ? 0 : undefined);
    say(failed ? gettext("Your bot failed, and a house bot continued for it.") : fill(ngettext("Your bot: %(points)s point, place %(place)s.", "Your bot: %(points)s points, place %(place)s.", played.points[0]), { points: played.points[0], place: played.places[0] }));
    parts.told.replaceChildren(...printedBox(played, names), speedLine(Math.max(...played.slowest.filter((_, seat) => isOwn(match, seat)))));
    if (!failed) parts.replay.scrollIntoView({ block: "nearest", behavior });
  } catch (error) {
    if (mine === run) failed(error, match, 0);
  }
  if (mine === run) end();
}

async function playSeries() {
  const blocks = Math.min(Math.max(1, parts.blocks.valueAsNumber || 1), 500);
  const mine = begin();
  const games = [];
  let match = null;
  let faulty;
  try {
    match = await chosen();
    if (mine !== run) return;
    const { names } = match;
    const seats = names.length;
    const spec = { ...match.spec, blocks };
    for (let index = 0; index < blocks * seats; index += 1) {
      const played = await python.request({ do: "play", spec, index });
      if (mine !== run) return;
      games.push(played);
      if (faulty === undefined && showFault(played, match)) faulty = index;
      if ((index + 1) % seats) continue;
      const tally = await python.request({ do: "tally" });
      if (mine !== run) return;
      say(fill(gettext("%(games)s of %(all)s games"), { games: index + 1, all: blocks * seats }));
      parts.told.replaceChildren(statistics(tally, names));
    }
    await watch(match, games, faulty);
    files.remark(remarksOf(games[faulty ?? lostFirst(games)[0]], (seat) => isOwn(match, seat)));
    say(fill(ngettext("%(games)s game played.", "%(games)s games played.", games.length), { games: games.length }));
    const again = (index) => watch(match, games, undefined, index).then(() => parts.replay.scrollIntoView({ block: "nearest" }));
    parts.told.append(...printedInSeries(games, again), speedLine(Math.max(...games.flatMap((game) => game.slowest.filter((_, seat) => isOwn(match, seat))))));
    if (faulty === undefined) parts.told.scrollIntoView({ block: "nearest", behavior });
  } catch (error) {
    if (mine === run) failed(error, match, games.length);
  }
  if (mine === run) end();
}

/** Show why game `game` of `match` stopped; `match` is null if it had not been set up. */
function failed(error, match, game) {
  const seat = !match || error.position === null || error.position === undefined ? null : (error.position + game) % match.names.length;
  say("");
  const mine = seat !== null && isOwn(match, seat);
  parts.fault.replaceChildren(noAnswer(error, seat === null ? "" : match.names[seat], mine && files.go));
  if (mine && error.late?.line) files.go(placeOf(error.late), false);
}

parts.stop.addEventListener("click", () => {
  run += 1;
  python.stop();
  say(gettext("Stopped."));
  end();
});
parts.series.addEventListener("click", playSeries);
const form = document.getElementById("playground");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!parts.run.disabled) playOne();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(parts.run);
  }
});
const failures = createFailures(part("failure"), {
  python,
  files: () => own().files,
  opened: (ruleset) => setup.choose(ruleset.split("/")[0]),
  put,
  go: files.go,
  verdicts: data.verdicts,
});
part("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = ""; // choosing the same file again must fire "change"
  if (!file) return;
  if (file.name.endsWith(".py")) put({ [ENTRY]: await file.text() });
  else failures.open(file);
});
for (const before of ["focusin", "pointerenter"]) parts.seats.addEventListener(before, () => uploads.open(setup.game().name));
part("save").addEventListener("click", () => setPendingUpload(setup.game().name, new URLSearchParams(location.search).get("version") ?? "", files.all(), formValues(location.search)));
const describe = (text) => (parts.meaning.textContent = text);
if (data.python.editor) editor.enrich(data.python.pyodide + data.python.editor, { terms: () => terms, describe });
python.ready.then(
  () => say(parts.run.disabled ? gettext("Playing …") : gettext("Python is ready.")),
  () => say(gettext("Python could not be loaded. Reload the page to try again.")),
).finally(loading.end);
if (!parts.state.textContent) say(loading.message);

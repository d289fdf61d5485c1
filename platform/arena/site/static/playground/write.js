/** The playground: a bot is written, played, watched and kept until it is saved. */

import "./editor.js";
import { el } from "../matches/replay/dom.js";
import { fill, gettext, ngettext } from "../matches/replay/i18n.js";
import { chooseToSave, keepGame, keepText, keptGame, textsOf } from "./draft.js";
import { createFailures } from "./failure.js";
import { faultBox, noAnswer, printedBox, speedLine, statistics } from "./told.js";
import { Python } from "./python.js";
import { createSetup, newSeed, OWN } from "./setup.js";
import { showReplay } from "./theatre.js";

const part = (id) => document.getElementById(`pg-${id}`);
const data = JSON.parse(document.getElementById("playground-data").textContent);
const editor = document.querySelector("code-editor");
const python = new Python(data.python);
const parts = Object.fromEntries(["game", "ruleset", "example", "players", "options", "seats", "rules", "run", "series", "stop", "blocks", "state", "fault", "replay", "told"].map((id) => [id, part(id)]));
let run = 0; // which of them is told of
let starts = []; // the texts that are offered
let edited = null; // the author's own text in the field, as it was kept last

const date = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
const titleOf = ({ at }, place) => (place === 0 || at === null ? gettext("My draft") : fill(gettext("My draft of %(time)s"), { time: date.format(at) }));

const setup = createSetup(data.games, parts, { own: gettext("Your bot"), offered: true, changed: onGame, first: keptGame() });

function onGame(game) {
  editor.value = textsOf(game.name)[0]?.text ?? game.examples[0].source;
  offerStarts(game);
  parts.rules.href = game.rules;
  keepGame(game.name);
}

/** The author's own texts and the examples; chosen is what stands in the field, which typing goes on from. */
function offerStarts({ name, examples }) {
  const isExample = (text) => examples.some(({ source }) => source === text);
  const own = textsOf(name).filter(({ text }) => !isExample(text));
  starts = [...own.map(({ text }) => text), ...examples.map(({ source }) => source)];
  const titles = [...own.map(titleOf), ...examples.map(({ title }) => title)];
  parts.example.replaceChildren(...titles.map((title, at) => el("option", { value: at }, title)));
  parts.example.value = starts.indexOf(editor.value);
  edited = isExample(editor.value) ? null : editor.value;
}

/** What the author has written is kept; an example is nobody's own. */
function onText() {
  const game = setup.game();
  const text = editor.value;
  if (text.trim() && !game.examples.some(({ source }) => source === text)) keepText(game.name, text, edited);
  offerStarts(game);
}

parts.example.addEventListener("change", () => editor.replace(starts[parts.example.value]));
const source = document.getElementById("pg-source");
source.addEventListener("input", onText);
source.addEventListener("beforeinput", () => {
  // What takes the place of a whole text is another one.
  if (source.selectionStart === 0 && source.selectionEnd === source.value.length) edited = null;
});

const say = (text) => (parts.state.textContent = text);

function begin(text) {
  run += 1;
  say(text);
  parts.fault.replaceChildren();
  parts.told.replaceChildren();
  editor.mark(0);
  parts.stop.hidden = false;
  parts.run.disabled = parts.series.disabled = true;
  return run;
}

function end() {
  parts.stop.hidden = true;
  parts.run.disabled = parts.series.disabled = false;
}

const own = () => ({ files: { "bot.py": editor.value } });

const isOwn = (names, seat) => seat === 0 || setup.others()[seat - 1] === OWN;

function tellFault(played, names) {
  const fault = played.faults.find(({ seat }) => isOwn(names, seat));
  if (!fault) return false;
  parts.fault.replaceChildren(faultBox(fault, names[fault.seat], data.verdicts, (line) => editor.go(line)));
  editor.mark(fault.line ?? 0);
  return true;
}

async function watch({ player, about }, names, games, faulty) {
  const films = new Map();
  const read = async (game) => {
    if (!films.has(game)) films.set(game, python.ask({ do: "film", record: games[game].record, game, end: games[game].end }));
    return films.get(game);
  };
  let local = "?autoplay=1";
  if (faulty !== undefined) {
    const step = (await read(faulty)).frames.findIndex(([, , cause]) => cause);
    local = `?game=${faulty + 1}&step=${Math.max(0, step)}`;
  } else if (games.length > 1) local = "?game=1&step=0";
  await showReplay(parts.replay, player, names, { about, read, games: games.length, local, label: gettext("Replay") });
  if (faulty === undefined) parts.replay.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

async function playOne() {
  const mine = begin(python.isReady ? gettext("Playing …") : gettext("Loading Python …"));
  const [names, shown, spec] = [setup.names(), { ...setup.ruleset(), about: setup.about() }, setup.spec(own(), newSeed())];
  try {
    const played = await python.ask({ do: "play", spec, index: 0 });
    if (mine !== run) return;
    const failed = tellFault(played, names);
    await watch(shown, names, [played], failed ? 0 : undefined);
    say(failed ? gettext("Your bot failed, and a house bot played on for it.") : fill(ngettext("Your bot: %(points)s point, place %(place)s.", "Your bot: %(points)s points, place %(place)s.", played.points[0]), { points: played.points[0], place: played.places[0] }));
    parts.told.replaceChildren(...printedBox(played, names), speedLine(Math.max(...played.slowest.filter((_, seat) => isOwn(names, seat)))));
  } catch (error) {
    if (mine === run) failed(error, names, 0);
  }
  if (mine === run) end();
}

async function playSeries() {
  const blocks = Math.min(Math.max(1, parts.blocks.valueAsNumber || 1), 500);
  const mine = begin(gettext("Loading Python …"));
  const [names, shown, spec] = [setup.names(), { ...setup.ruleset(), about: setup.about() }, { ...setup.spec(own(), newSeed()), blocks }];
  const seats = names.length;
  const games = [];
  let faulty;
  try {
    for (let index = 0; index < blocks * seats; index += 1) {
      const played = await python.ask({ do: "play", spec, index });
      if (mine !== run) return;
      games.push(played);
      if (faulty === undefined && tellFault(played, names)) faulty = index;
      if ((index + 1) % seats) continue;
      const tally = await python.ask({ do: "tally" });
      if (mine !== run) return;
      say(fill(gettext("%(games)s of %(all)s games"), { games: index + 1, all: blocks * seats }));
      parts.told.replaceChildren(statistics(tally, names));
    }
    await watch(shown, names, games, faulty);
    say(fill(ngettext("%(games)s game played.", "%(games)s games played.", games.length), { games: games.length }));
    parts.told.append(speedLine(Math.max(...games.flatMap((game) => game.slowest.filter((_, seat) => isOwn(names, seat))))));
  } catch (error) {
    if (mine === run) failed(error, names, games.length);
  }
  if (mine === run) end();
}

/** What hangs or breaks Python was at `position` in game `game`. */
function failed(error, names, game) {
  const seat = error.position === null || error.position === undefined ? null : (error.position + game) % names.length;
  say("");
  const mine = seat !== null && isOwn(names, seat);
  parts.fault.replaceChildren(noAnswer(error, seat === null ? "" : names[seat], mine && ((line) => editor.go(line))));
  if (mine) editor.mark(error.late?.line ?? 0);
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
  put: (text) => {
    edited = null;
    editor.replace(text);
  },
  go: (line) => editor.go(line),
  verdicts: data.verdicts,
});
part("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = ""; // the same again is another change
  if (!file) return;
  if (!file.name.endsWith(".py")) return failures.open(file);
  edited = null;
  editor.replace(await file.text());
});
part("save").addEventListener("click", () => chooseToSave(setup.game().name, editor.value));
if (data.python.editor) editor.enrich(data.python.pyodide + data.python.editor, () => setup.game().keys);
python.ready.then(
  () => parts.run.disabled || say(gettext("Python is ready.")),
  () => say(gettext("Python could not be loaded. Reload the page to try again.")),
);
if (!parts.state.textContent) say(gettext("Loading Python …"));

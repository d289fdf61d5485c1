/** The page where a person plays against house bots. */

import { loadPart } from "../matches/replay/lazy.js";
import { el } from "../matches/replay/dom.js";
import { gettext } from "../matches/replay/i18n.js";
import { createPicks } from "../matches/replay/picks.js";
import { choices, labelOf, loadLabels } from "./choices.js";
import { lastGame, saveLastGame } from "./draft.js";
import { hintBox } from "./hint.js";
import { createLoading } from "./loading.js";
import { reviewed } from "./review.js";
import { createSetup, newSeed } from "./setup.js";
import { showReplay } from "./show-replay.js";
import { noAnswer } from "./results.js";
import { Python } from "./python.js";

/**
 * Make fill() of i18n.js use "you" sentences for the player `name`. `texts` are pairs [about anybody, to you], from
 * yours() of a game's choices.js. The function is global because each bundle has its own copy of i18n.js.
 */
const speakTo = (name, texts) => {
  const own = new Map(texts);
  globalThis.spokenTo = (text, values) => ((values.name ?? values.winner) === name ? own.get(text) : undefined);
};

const part = (id) => document.getElementById(`pg-${id}`);
const data = JSON.parse(document.getElementById("playground-data").textContent);
const loading = createLoading(part("loading"), say);
const python = new Python(data.python, loading.show);
const parts = Object.fromEntries(["game", "ruleset", "players", "options", "seats", "seat", "state", "replay", "choices", "fault", "skip", "hint", "advice", "review", "rules"].map((id) => [id, part(id)]));
const LOT = "lot";
let table = 0; // increases with each game, so that late responses can be dropped
let playhead = null;
let offered = null; // the actions offered, null while the player has none
let picks = null; // the actions on the board
const ANALYSIS_MS = 60_000; // for a whole game on a slow phone

const tiles = [...document.querySelectorAll(".pg-game")];
const setup = createSetup(data.games, parts, {
  own: data.person || gettext("Guest"),
  offered: false,
  first: lastGame(),
  changed: ({ name, rules }) => {
    saveLastGame(name);
    for (const tile of tiles) tile.setAttribute("aria-pressed", tile.dataset.game === name);
    parts.rules.href = rules;
  },
});
const offerSeats = () => {
  const letters = setup.names().map((_, at) => [String(at), "ABCDEFG"[at]]);
  parts.seat.replaceChildren(...[[LOT, gettext("by lot")], ...letters].map(([value, text]) => el("option", { value }, text)));
};
part("setup").addEventListener("change", (event) => event.target === parts.seat || offerSeats());
offerSeats();
for (const tile of tiles) tile.addEventListener("click", () => (setup.choose(tile.dataset.game), offerSeats()));

function say(text) {
  parts.state.textContent = text;
}

/** Load the game's module for a finished game (see extras.js). */
const later = ({ game, texts }) => (game ? loadPart({ module: game, texts }) : {});

/** Insert `own` at `seat` among the others. */
const placed = (seat, own, others) => [...others.slice(0, seat), own, ...others.slice(seat)];

async function begin() {
  table += 1;
  const mine = table;
  const players = setup.names().length;
  const seat = parts.seat.value === LOT ? crypto.getRandomValues(new Uint32Array(1))[0] % players : Number(parts.seat.value);
  const [own, ...others] = setup.names();
  const names = placed(seat, own, others);
  const { bots, ...rest } = setup.spec(null, newSeed());
  const { player } = setup.ruleset();
  const about = setup.about();
  parts.fault.replaceChildren();
  parts.choices.replaceChildren();
  parts.review.replaceChildren();
  clear();
  say(python.isReady ? "" : loading.message);
  part("setup").open = false;
  part("table").dataset.live = "";
  let send = null;
  const labels = await loadLabels(player.choices);
  if (mine !== table) return;
  speakTo(own, others.includes(own) ? [] : (labels.yours?.() ?? []));

  const receive = (answer) => {
    if (mine !== table) return;
    offered = answer.over ? null : { ...answer, labels, act };
    send(answer.frames);
    if (answer.over) {
      send({ type: "finished" });
      delete part("table").dataset.live;
      parts.choices.replaceChildren(again());
      parts.review.hidden = !playhead?.atEnd; // the review must not reveal moves that were not shown
      Promise.all([review(), later(player.later)]).then(([found, { option }]) => {
        if (mine === table) parts.review.replaceChildren(...reviewed(found, { seat, names, option, go: (step) => (playhead.toStep(step), part("table").scrollIntoView({ block: "start" })) }));
      }, fail);
    }
    show();
  };

  // The player's panel and the review share one analysis.
  let analysis = null;
  const review = () => (analysis ??= python.request({ do: "review" }, ANALYSIS_MS));

  const act = async (action) => {
    if (!offered) return;
    offered = null;
    clear();
    parts.choices.replaceChildren();
    say("");
    playhead.follow(); // return from an earlier step to the current one
    try {
      receive(await python.request({ do: "act", action }));
    } catch (error) {
      fail(error);
    }
  };

  const fail = (error) => {
    if (mine !== table) return;
    say("");
    delete part("table").dataset.live;
    parts.fault.replaceChildren(noAnswer(error, ""));
    parts.choices.replaceChildren(again());
  };

  try {
    const first = await python.request({ do: "sit", spec: { ...rest, bots: placed(seat, null, bots.slice(1)) }, seat });
    if (mine !== table) return;
    const ready = new Promise((resolve) => {
      showReplay(parts.replay, player, names, {
        about,
        state: "running",
        seat,
        follow: (listen) => resolve(listen),
        shown: (head) => {
          if (mine !== table) return;
          playhead = head;
          show();
        },
        luck: player.luck_later && review,
        label: gettext("Your game"),
      });
    });
    send = await ready;
    send({ type: "attempt", attempt: 1 });
    say("");
    receive(first);
    send({ type: "state", state: "running" });
    part("table").scrollIntoView({ block: "start" });
  } catch (error) {
    fail(error);
  }
}

/** Remove the actions and the advice from the board. */
function clear() {
  picks?.close();
  picks = null;
  parts.hint.hidden = true;
  parts.advice.replaceChildren();
}

async function advise() {
  const current = offered;
  parts.hint.disabled = true;
  try {
    const hint = await python.request({ do: "hint" }, ANALYSIS_MS);
    if (current !== offered) return;
    parts.advice.replaceChildren(hintBox(hint, current.labels, current.view));
    picks?.hint(hint.action);
    for (const button of parts.choices.querySelectorAll("[data-action]")) button.toggleAttribute("data-hint", button.dataset.action === hint.action);
  } catch (error) {
    if (current === offered) parts.advice.replaceChildren(noAnswer(error, ""));
  } finally {
    parts.hint.disabled = false;
  }
}

/** Offer actions on the board, only while it shows the current position. */
function offer() {
  const now = offered && playhead?.atEnd;
  if (!now) {
    picks?.close();
    picks = null;
  } else if (!picks) {
    const { labels, actions, view, act } = offered;
    picks = createPicks(parts.replay.querySelector(".rp-stage"), { labels, actions, view, label: (action) => labelOf(labels, action, view), choose: act });
  }
}

/** Show the actions once the board has reached their position. */
function show() {
  const behind = Boolean(playhead?.live && playhead.playing && !playhead.atEnd);
  parts.skip.hidden = !behind || !offered;
  if (playhead?.atEnd) parts.review.hidden = false;
  if (!behind) offer();
  if (!offered || behind || parts.choices.dataset.shown === key()) return;
  const { labels, actions, view, act } = offered;
  parts.choices.dataset.shown = key();
  parts.choices.replaceChildren(...choices(labels, actions, view, act));
  say(gettext("Your turn:"));
  parts.hint.hidden = false;
  const first = parts.choices.querySelector("button");
  if (!document.activeElement || document.activeElement === document.body || parts.choices.contains(document.activeElement)) first.focus({ preventScroll: true });
}

/** Identify one set of choices. */
const key = () => `${table} ${offered.frames.first + offered.frames.frames.length}`;

const again = () => el("button", { type: "button", class: "button primary", click: begin }, gettext("Play again"));

parts.hint.addEventListener("click", advise);
parts.skip.addEventListener("click", () => playhead.follow());
document.getElementById("playground").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
python.ready.then(
  () => table || say(gettext("Python is ready.")),
  () => say(gettext("Python could not be loaded. Reload the page to try again.")),
).finally(loading.end);
say(loading.message);

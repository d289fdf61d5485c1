/** A person at a table with house bots: what they may do stands in words beside the board. */

import { afterwards } from "../matches/replay/afterwards.js";
import { el } from "../matches/replay/dom.js";
import { gettext } from "../matches/replay/i18n.js";
import { createPicks } from "../matches/replay/picks.js";
import { choices, labelOf, wordsOf } from "./choices.js";
import { keepGame, keptGame } from "./draft.js";
import { hintBox } from "./hint.js";
import { createLoading } from "./loading.js";
import { reviewed } from "./review.js";
import { createSetup, newSeed } from "./setup.js";
import { showReplay } from "./theatre.js";
import { noAnswer } from "./told.js";
import { Python } from "./python.js";

/**
 * Addresses `name` with `texts`, [about anybody, to you] as choices.js of a game has them. It is the page's, as the
 * catalogue is: each bundle has a copy of i18n.js.
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
let table = 0; // which of them is played at
let playhead = null;
let told = null; // what may be done, until it is
let picks = null; // the same on the board
const ANALYSIS_MS = 60_000; // of a whole game, on a slow phone

const tiles = [...document.querySelectorAll(".pg-game")];
const setup = createSetup(data.games, parts, {
  own: data.person || gettext("Guest"),
  offered: false,
  first: keptGame(),
  changed: ({ name, rules }) => {
    keepGame(name);
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

/** What the game has for when it is over, see extras.js. */
const later = ({ game, texts }) => (game ? afterwards({ module: game, texts }) : {});

/** Others than you are in their order at the places that are left. */
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
  say(python.isReady ? "" : loading.words);
  part("setup").open = false;
  part("table").dataset.live = "";
  let hear = null;
  const words = await wordsOf(player.choices);
  if (mine !== table) return;
  speakTo(own, others.includes(own) ? [] : (words.yours?.() ?? []));

  const tell = (answer) => {
    if (mine !== table) return;
    told = answer.over ? null : { ...answer, words, act };
    hear(answer.frames);
    if (answer.over) {
      hear({ type: "finished" });
      delete part("table").dataset.live;
      parts.choices.replaceChildren(again());
      parts.review.hidden = !playhead?.atEnd; // nothing is told before it was seen
      Promise.all([review(), later(player.later)]).then(([found, { option }]) => {
        if (mine === table) parts.review.replaceChildren(...reviewed(found, { seat, names, option, go: (step) => (playhead.toStep(step), part("table").scrollIntoView({ block: "start" })) }));
      }, fail);
    }
    show();
  };

  // One analysis for the player's panel and for the list.
  let analysis = null;
  const review = () => (analysis ??= python.ask({ do: "review" }, ANALYSIS_MS));

  const act = async (action) => {
    if (!told) return;
    told = null;
    clear();
    parts.choices.replaceChildren();
    say("");
    playhead.follow(); // a player who looked back is at the table again
    try {
      tell(await python.ask({ do: "act", action }));
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
    const first = await python.ask({ do: "sit", spec: { ...rest, bots: placed(seat, null, bots.slice(1)) }, seat });
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
    hear = await ready;
    hear({ type: "attempt", attempt: 1 });
    say("");
    tell(first);
    hear({ type: "state", state: "running" });
    part("table").scrollIntoView({ block: "start" });
  } catch (error) {
    fail(error);
  }
}

/** What was offered or advised is so no more. */
function clear() {
  picks?.close();
  picks = null;
  parts.hint.hidden = true;
  parts.advice.replaceChildren();
}

async function advise() {
  const asked = told;
  parts.hint.disabled = true;
  try {
    const hint = await python.ask({ do: "hint" }, ANALYSIS_MS);
    if (asked !== told) return;
    parts.advice.replaceChildren(hintBox(hint, asked.words, asked.view));
    picks?.hint(hint.action);
    for (const button of parts.choices.querySelectorAll("[data-action]")) button.toggleAttribute("data-hint", button.dataset.action === hint.action);
  } catch (error) {
    if (asked === told) parts.advice.replaceChildren(noAnswer(error, ""));
  } finally {
    parts.hint.disabled = false;
  }
}

/** The board offers only what lies there now. */
function offer() {
  const now = told && playhead?.atEnd;
  if (!now) {
    picks?.close();
    picks = null;
  } else if (!picks) {
    const { words, actions, view, act } = told;
    picks = createPicks(parts.replay.querySelector(".rp-stage"), { words, actions, view, label: (action) => labelOf(words, action, view), choose: act });
  }
}

/** The choices come once the board shows what they are about. */
function show() {
  const behind = Boolean(playhead?.live && playhead.playing && !playhead.atEnd);
  parts.skip.hidden = !behind || !told;
  if (playhead?.atEnd) parts.review.hidden = false;
  if (!behind) offer();
  if (!told || behind || parts.choices.dataset.shown === key()) return;
  const { words, actions, view, act } = told;
  parts.choices.dataset.shown = key();
  parts.choices.replaceChildren(...choices(words, actions, view, act));
  say(gettext("Your turn:"));
  parts.hint.hidden = false;
  const first = parts.choices.querySelector("button");
  if (!document.activeElement || document.activeElement === document.body || parts.choices.contains(document.activeElement)) first.focus({ preventScroll: true });
}

/** Tells one set of choices from the next. */
const key = () => `${table} ${told.frames.first + told.frames.frames.length}`;

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
say(loading.words);

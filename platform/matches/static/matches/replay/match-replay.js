/**
 * <match-replay data-from="id of a JSON script">: plays a match, finished or running. What the script holds is written by
 * matches/pages.py: player_data. Its `board` is the address of the game's board, boards/<game>/index.js, a module with
 *  - createBoard(seats): { element, show(frame, {seats, pov, moved}) }, seats in table order, pov a match seat or -1;
 *  - sentence(frame, before, seats, pov): what happened, for people who read or hear it, as far as pov may know it;
 *  - headline(frame, seats): the same in short, for frames with a key;
 *  - scores(view): points by table position, and scoreTitle() their name;
 *  - about(frame), where that is not in its view's `last`: the table position that a frame with a key is about;
 *  - dwell(frame): milliseconds a frame deserves at speed 1.
 *
 * Emits "live:refresh" (bubbling) when the page's results may be out of date. In a frame it posts
 * {type: "pecking-order:step", match, game, step, text} to the page around it.
 */

import { addressOf, addressWriter, readAddress } from "./address.js";
import { createControls } from "./controls.js";
import { el } from "./dom.js";
import { createEvents } from "./events.js";
import { createGraph } from "./graph.js";
import { createHelp } from "./help.js";
import { fill, gettext } from "./i18n.js";
import { onKey } from "./keys.js";
import { Playhead, SPEEDS } from "./playhead.js";
import { matchSeats, tableSeats } from "./seating.js";
import { Source } from "./source.js";
import { createStatus } from "./status.js";

const SPEAK_EVERY_MS = 3000; // while playing: a screen reader must be able to finish a sentence

class MatchReplay extends HTMLElement {
  #data;
  #rules;
  #seats;
  #playhead;
  #source;
  #views;
  #board = { game: -1 };
  #shown = null;
  #spoken = 0;
  #writeAddress;
  #asked;
  #stop = new AbortController();

  async connectedCallback() {
    this.#data = JSON.parse(document.getElementById(this.dataset.from).textContent);
    this.#rules = await import(this.#data.board);
    if (this.#stop.signal.aborted) return; // taken out of the page meanwhile
    this.#seats = matchSeats(this.#data);
    const { games } = this.#data;
    this.#playhead = new Playhead({ games, players: this.#seats.length, dwell: this.#rules.dwell });
    this.#writeAddress = addressWriter(() => this.#playhead);
    this.#asked = readAddress(location.search, { games, seats: this.#seats.length, speeds: SPEEDS });
    this.#build();
    this.#listen();
    this.#begin();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#source?.close();
    this.#playhead?.pause();
  }

  // What keys and buttons ask of the page, rather than of the playhead.

  async copyLink() {
    const url = String(addressOf(new URL(this.#data.page, location.href), this.#playhead));
    try {
      await navigator.clipboard.writeText(url);
      this.#views.controls.sayCopied(gettext("Link copied"));
    } catch {
      prompt(gettext("A link to this step:"), url); // no clipboard without https
    }
  }

  help() {
    this.#views.help.showModal();
  }

  #build() {
    const playhead = this.#playhead;
    const table = () => tableSeats(this.#seats, playhead.game);
    const stage = el("div", { class: "rp-stage" });
    const sentence = el("p", { class: "rp-sentence" });
    const spoken = el("p", { class: "visually-hidden", "aria-live": "polite" });
    const status = createStatus(playhead, { load: (game) => this.#open(game) });
    const controls = createControls(playhead, this.#seats, this);
    const events = createEvents(playhead, {
      tell: (frame) => this.#rules.headline(frame, table()),
      seatOf: (frame) => table()[this.#rules.about?.(frame) ?? frame.view.last?.seat ?? Math.max(frame.actor, 0)],
    });
    const graph = createGraph(playhead, { title: this.#rules.scoreTitle(), scores: this.#rules.scores, seats: table });
    const help = createHelp();
    this.#views = { stage, sentence, spoken, status, controls, events, graph, help };
    this.replaceChildren(
      el("div", { class: "rp-main" }, status.element, stage, sentence, spoken, controls.element),
      el("div", { class: "rp-aside" }, graph.element, events.element),
      help,
    );
  }

  #listen() {
    const { signal } = this.#stop;
    this.#playhead.addEventListener("move", ({ detail }) => this.#show(detail.byHand));
    document.addEventListener("keydown", (event) => onKey(event, this.#playhead, this), { signal });
    document.addEventListener("click", (event) => this.#onLink(event), { signal });
    this.#source = new Source(this.#data, {
      film: (film) => this.#playhead.setFilm(film),
      reset: () => this.#playhead.forget(),
      state: (state) => this.#setState(state),
      finished: () => this.#finish(),
      lost: (lost) => this.#views.status.setLost(lost),
      refused: () => this.#views.status.setRefused(),
    });
  }

  #begin() {
    const { game, step, pov, speed, autoplay } = this.#asked;
    const playhead = this.#playhead;
    if (speed !== null) playhead.setSpeed(speed);
    if (pov !== null) playhead.setPov(pov);
    if (this.#data.state === "finished") {
      this.#open(game ?? 0, step ?? 0).then(() => autoplay && playhead.play());
    } else {
      playhead.live = true;
      this.#views.status.setState(this.#data.state);
      this.#source.open();
    }
  }

  async #open(game, step = 0) {
    this.#playhead.toGame(game);
    if (!this.#playhead.frame) this.#views.sentence.textContent = gettext("Loading …");
    const answer = await this.#source.load(game);
    if (this.#playhead.game !== game) return;
    if (answer === "loaded") {
      this.#playhead.toStep(step);
      return;
    }
    const missing = answer === "missing";
    this.#views.sentence.textContent = "";
    this.#views.status.say(missing ? gettext("This game has not begun yet.") : gettext("This game could not be loaded. Reload the page to try again."));
  }

  /** All that was missed has come: from here on it is live. */
  #setState(state) {
    this.#views.status.setState(state);
    this.dispatchEvent(new CustomEvent("live:refresh", { bubbles: true }));
    const asked = this.#asked;
    this.#asked = {};
    if (asked.game !== undefined && asked.game !== null) this.#open(asked.game, asked.step ?? 0);
    else if (asked.game === null) this.#playhead.follow();
  }

  #finish() {
    this.#data.state = "finished";
    this.#playhead.endLive();
    this.#show(false);
  }

  #onLink(event) {
    const link = event.target.closest?.("a[data-replay-game]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#open(Number(link.dataset.replayGame)).then(() => this.#playhead.play());
    this.scrollIntoView({ block: "start" });
  }

  #show(byHand) {
    const playhead = this.#playhead;
    const { frame, film, game, step } = playhead;
    const { status, controls, events, graph } = this.#views;
    status.show();
    controls.show();
    if (!frame) return;
    const seats = tableSeats(this.#seats, game);
    if (this.#board.game !== game) {
      this.#board = { game, ...this.#rules.createBoard(seats) };
      this.#views.stage.replaceChildren(this.#board.element);
    }
    const before = film.frames[step - 1];
    this.#board.show(frame, { pov: playhead.pov - 1, moved: this.#shown !== null && before === this.#shown });
    const moved = frame !== this.#shown;
    this.#shown = frame;
    events.show();
    graph.show();
    const text = this.#rules.sentence(frame, before, seats, playhead.pov - 1);
    if (moved || text !== this.#views.sentence.textContent) this.#tell(text, byHand);
    if (byHand || !this.#data.embedded) this.#writeAddress(byHand && !playhead.playing);
  }

  #tell(text, byHand) {
    const { game, step } = this.#playhead;
    this.#views.sentence.textContent = text;
    const now = Date.now();
    if (byHand || now - this.#spoken > SPEAK_EVERY_MS) {
      this.#spoken = now;
      this.#views.spoken.textContent = fill(gettext("Step %(step)s: %(text)s"), { step, text });
    }
    if (this.#data.embedded && window.parent !== window) {
      window.parent.postMessage({ type: "pecking-order:step", match: this.#data.match, game: game + 1, step, text }, "*");
    }
  }
}

customElements.define("match-replay", MatchReplay);

/**
 * <match-replay data-from="id of a JSON script">: plays a match, finished or running. The script holds the result of
 * player_data() in matches/pages/player.py; a page may set the property `playerData` instead (see source.js). The
 * exports of its `board` module are described in docs/how-to/add-a-game.md. Emits "live:refresh" (bubbling) when the
 * page's results may be out of date.
 */

import { addressOf, addressWriter, readAddress, readSeen } from "./address.js";
import { createControls } from "./controls.js";
import { el } from "./dom.js";
import { createEvents } from "./events.js";
import { createExtras } from "./extras.js";
import { beatEnding } from "./recording.js";
import { createHero } from "./hero.js";
import { fill, gettext } from "./i18n.js";
import { onKey } from "./keys.js";
import { createLine } from "./line.js";
import { createLuckLater } from "./luck/later.js";
import { isStill, travel } from "./motion.js";
import { createOutside } from "./outside.js";
import { Playhead } from "./playhead.js";
import { createPoster, createToast } from "./poster.js";
import { createRail, onWidth } from "./rail.js";
import { matchSeats, tableSeats } from "./seating.js";
import { beatOn, serverClock } from "./schedule.js";
import { Source } from "./source.js";
import { beatText } from "./beat-text.js";
import { dwells } from "./tempo.js";
import { onTap } from "./touch.js";
import { createVeil } from "./veil.js";

const PLAYED_OUT_MS = 1250; // enough for the animation of a roll and what is taken from it
const LONG = 90; // characters; longer sentences are written smaller
const SPEAK_EVERY_MS = 3000; // while playing, so that screen readers can finish a sentence

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
  #quiet = false; // playback started by itself: nothing is read out and the address stays, until the viewer acts
  #textTimer = 0; // timer of the texts that wait for an animation
  #writeAddress;
  #requested;
  #outside;
  #clock;
  #since = null; // start time of the game shown in step with a channel, or null
  #stop = new AbortController();

  async connectedCallback() {
    this.#data = this.playerData ?? JSON.parse(document.getElementById(this.dataset.from).textContent);
    this.#clock = serverClock(this.#data.now);
    this.#rules = await import(this.#data.board);
    if (this.#stop.signal.aborted) return; // removed from the page meanwhile
    this.#seats = matchSeats(this.#data);
    const { games, local, seat: held } = this.#data;
    this.#requested = readAddress(local ?? location.search, { games, seats: this.#seats.length });
    const seen = readSeen();
    // Conceal the result from viewers who have not seen it. A link to a step is meant for people who know it; returning
    // viewers get their previous state.
    const concealed = this.#data.embed?.conceal ?? this.#data.conceal ?? seen?.concealed ?? (this.#requested.step === null || this.#data.state !== "finished");
    this.#playhead = new Playhead({ games, players: this.#seats.length, concealed, reached: seen?.reached, held });
    this.#writeAddress = local ? () => {} : addressWriter(this.#playhead);
    this.#build();
    this.#listen();
    this.#begin();
  }

  disconnectedCallback() {
    this.#stop.abort();
    clearTimeout(this.#textTimer);
    this.#outside?.stay();
    this.#source?.close();
    this.#views?.luck?.close();
    this.#playhead?.pause();
  }

  /** Carry out a command of the page that embeds the player (outside.js). */
  obey(message) {
    this.#outside?.obey(message);
  }

  // The next three methods are called by keys and buttons.

  async copyLink() {
    if (this.#data.local) return;
    const url = String(addressOf(new URL(this.#data.page, location.href), this.#playhead));
    try {
      await navigator.clipboard.writeText(url);
      this.#views.controls.sayCopied(gettext("Link copied"));
    } catch {
      prompt(gettext("A link to this step:"), url); // the clipboard requires https
    }
  }

  async help() {
    (await this.#views.extras.load())?.help.showModal();
  }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.().catch(() => {}); // frames may not allow it
  }

  #build() {
    const playhead = this.#playhead;
    const { scores, scoreTitle } = this.#rules;
    const table = () => tableSeats(this.#seats, playhead.game);
    const seatOf = ({ seat }, recording) => tableSeats(this.#seats, recording.game)[seat];
    const line = createLine(playhead, { load: (game) => this.#open(game), seats: this.#seats, table, scores, clock: this.#clock });
    const stage = el("div", { class: "rp-stage" });
    const sentence = el("p", { class: "rp-sentence", tabindex: 0 });
    const over = () => this.#data.state === "finished";
    const toast = createToast();
    const poster = createPoster(playhead, { isOver: () => this.#data.autoplay && over() });
    const chips = el("ul", { class: "rp-chips", "aria-label": gettext("What's happening?") });
    const spoken = el("p", { class: "visually-hidden", "aria-live": "polite" });
    const events = createEvents(playhead, { describe: (beat, recording) => this.#describe(beat, recording), seatOf });
    const curve = el("div", {});
    const beside = el("div", {});
    const facts = el("div", { class: "rp-facts" });
    const reveal = el("button", { type: "button", class: "button small", click: () => playhead.reveal() }, gettext("Show the whole game at once"));
    const luck = this.#data.luck && createLuckLater(playhead, { data: this.#data, seats: table, over });
    const rail = createRail([
      ["story", gettext("Story"), events.element],
      ["graph", gettext("Graph"), el("div", {}, curve, beside), () => this.#views?.extras.load()],
      ...(luck ? [["luck", gettext("Luck"), luck.panel]] : []),
      ["match", gettext("Match"), facts],
    ]);
    const hero = createHero(playhead, { title: scoreTitle(), scores, seats: table, ribbon: luck?.ribbon });
    const controls = createControls(playhead, this.#seats, this, { seatOf, rail: rail.element, hero, local: this.#data.local, hands: this.#rules.hands });
    facts.append(...(this.querySelector(".rp-about")?.children ?? []), reveal);
    this.#views = { stage, sentence, chips, poster, toast, spoken, line, controls, events, hero, luck, beside, reveal };
    this.replaceChildren(line.element, el("div", { class: "rp-main", "data-said": !!this.#data.notes }, stage, poster.element, toast.element, line.note, line.premiere, sentence, chips, spoken, controls.element), rail.element);
    const go = { next: () => this.#nextGame(), again: () => this.#playFrom(playhead.game), share: this.#data.local ? null : () => this.copyLink() };
    const { track } = controls;
    this.#views.extras = createExtras(playhead, { player: this, data: this.#data, rules: this.#rules, allSeats: this.#seats, track, stage, rail, curve, hero: hero.element, luck, go });
    this.#views.veil = createVeil(playhead, { isOver: over }, this.#stop.signal);
    this.#outside = createOutside(playhead, this.#data, { open: (game, step) => this.#open(game, step), playFrom: (game) => this.#playFrom(game) });
    onTap(stage, (direction) => playhead.byBeat(direction));
    onWidth((narrow) => {
      rail.element.toggleAttribute("popover", narrow);
      (narrow ? facts : controls.element).append(controls.options);
    }, this.#stop.signal);
  }

  #listen() {
    const { signal } = this.#stop;
    this.#playhead.addEventListener("move", ({ detail }) => {
      this.#outside.stay();
      if (detail.byHand) this.#since = null;
      if (detail.byHand) this.#quiet = false;
      else if (this.#since !== null) this.#catchUp(this.#since);
      this.#show(detail.byHand);
    });
    document.addEventListener("keydown", (event) => onKey(event, this.#playhead, this), { signal });
    document.addEventListener("click", (event) => this.#onLink(event), { signal });
    addEventListener("hashchange", () => this.#writeAddress(true), { signal }); // a link within the page has added a history entry
    this.#source = new Source(this.#data, {
      recording: (recording) => this.#playhead.setRecording(recording),
      reset: () => this.#playhead.forget(),
      state: (state, airs) => this.#setState(state, airs),
      finished: () => this.#finish(),
      lost: (lost) => this.#views.line.setLost(lost),
      refused: () => this.#views.line.setRefused(),
    });
  }

  /**
   * Synchronize with a game that a channel replays since the time `since`, also after the browser was slow or asleep,
   * until the viewer takes the controls. Return whether the game is on.
   */
  #catchUp(since) {
    const { recording, tempo } = this.#playhead;
    const on = since === null ? null : beatOn(this.#clock() - since, dwells(recording.beats, tempo));
    if (on) this.#playhead.playFrom(recording.beats[on.beat].last, on.left);
    this.#since = on ? since : null;
    return on !== null;
  }

  #begin() {
    const { game, step, pov, tempo, autoplay, since } = this.#requested;
    const playhead = this.#playhead;
    if (tempo !== null) playhead.tempo = tempo;
    if (pov !== null) playhead.setPov(pov);
    if (this.#data.state === "finished") {
      const opening = () => this.#data.autoplay && step === null && this.#playByItself();
      this.#open(game ?? 0, step ?? 0).then(() => this.#catchUp(since) || (autoplay ? playhead.play() : opening()));
    } else {
      playhead.live = true;
      this.#views.line.setState(this.#data.state);
      this.#source.open();
    }
  }

  /** Start playback when the page becomes visible, unless motion is reduced or the viewer has acted. */
  #playByItself() {
    if (isStill() || this.#playhead.step || this.#playhead.playing) return;
    if (document.hidden) {
      document.addEventListener("visibilitychange", () => this.#playByItself(), { once: true, signal: this.#stop.signal });
      return;
    }
    this.#playhead.play();
    this.#quiet = true;
  }

  async #open(game, step = 0) {
    this.#playhead.toGame(game);
    if (!this.#playhead.frame) this.#views.sentence.textContent = gettext("Loading …");
    const answer = await this.#source.load(game);
    if (this.#playhead.game !== game) return undefined;
    if (answer === "loaded") return this.#playhead.toStep(step);
    const missing = answer === "missing";
    this.#views.sentence.textContent = "";
    this.#views.line.say(missing ? gettext("This game has not begun yet.") : gettext("This game could not be loaded. Reload the page to try again."));
    return undefined;
  }

  /** Called when the source has caught up with the match. */
  #setState(state, airs) {
    this.#playhead.onAir = state === "on_air";
    this.#views.line.setState(state, airs);
    this.dispatchEvent(new CustomEvent("live:refresh", { bubbles: true }));
    const requested = this.#requested;
    this.#requested = {};
    if (requested.game !== undefined && requested.game !== null) this.#open(requested.game, requested.step ?? 0);
    else if (requested.game === null) this.#playhead.follow();
  }

  #finish() {
    this.#data.state = "finished";
    this.#playhead.endLive();
    this.#views.veil.close();
    this.#show(false);
  }

  #playFrom(game) {
    return this.#open(game).then(() => this.#playhead.play());
  }

  #nextGame() {
    const { game, games } = this.#playhead;
    if (game + 1 < games) this.#playFrom(game + 1);
  }

  #onLink(event) {
    const link = event.target.closest?.("a[data-replay-game]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#playFrom(Number(link.dataset.replayGame));
    this.scrollIntoView({ block: "start" });
  }

  /** Draw the current frame, and update the texts at once or after the animation. */
  #show(byHand) {
    const playhead = this.#playhead;
    const { frame, game } = playhead;
    const { beside, controls, line, poster, reveal, stage, veil } = this.#views;
    line.show();
    controls.show();
    poster.show();
    reveal.hidden = !playhead.concealed;
    const moved = frame !== this.#shown;
    if (moved) clearTimeout(this.#textTimer);
    if (moved) this.#textTimer = 0;
    if (!frame) return veil.show();
    const seats = tableSeats(this.#seats, game);
    if (this.#board.game !== game) {
      this.#board = { game, ...this.#rules.createBoard(seats) };
      stage.replaceChildren(this.#board.element);
      beside.replaceChildren(...(this.#board.beside ? [this.#board.beside] : []));
    }
    const passed = this.#passed();
    const pace = Math.min(1, playhead.dwell / (PLAYED_OUT_MS + (this.#rules.drama?.(passed) ?? 0)));
    const draw = () => this.#board.show(frame, { pov: playhead.pov - 1, passed, pace });
    const whither = (kind, piece) => this.#board.whither?.(kind, piece, frame.view) ?? null;
    const hold = (kind, piece) => this.#board.hold?.(kind, piece, passed) ?? 0;
    if (passed.length) travel(stage, draw, { pace, whither, hold });
    else draw();
    this.#shown = frame;
    if (moved) this.#wait(passed, { pace, seats, byHand });
    if (!this.#textTimer) this.#showTexts(moved, byHand, { passed, pace });
    if (byHand || !(this.#data.embedded || this.#quiet)) this.#writeAddress(byHand && !playhead.playing);
    return undefined;
  }

  /** Show a suspense text while an animation hides the result, and the final texts after it. */
  #wait(passed, { pace, seats, byHand }) {
    const { recording } = this.#playhead;
    const until = passed.length && !isStill() ? this.#rules.suspense?.(passed, recording.frames[passed[0].n - 1], seats) : null;
    if (!until) return;
    this.#views.sentence.textContent = until.text;
    this.#views.sentence.removeAttribute("data-long");
    this.#textTimer = setTimeout(() => {
      this.#textTimer = 0;
      this.#showTexts(true, byHand, { passed, pace });
    }, until.ms * pace);
  }

  /** Update all texts, points and chances. */
  #showTexts(moved, byHand, { passed, pace }) {
    const { recording, frame, game, step } = this.#playhead;
    const { controls, events, hero, line, luck, sentence, veil } = this.#views;
    line.showTurn();
    controls.showMap();
    events.show();
    hero.show();
    luck?.show(hero.say);
    veil.show();
    const about = this.#rules.situation?.(frame) ?? [];
    this.#views.chips.replaceChildren(...about.map(({ text, risk = 0 }) => el("li", { "data-risk": risk > 0.5 && "high" }, text)));
    const beat = beatEnding(recording, step);
    const text = beat ? this.#describe(beat, recording) : this.#rules.sentence(frame, recording.frames[step - 1], tableSeats(this.#seats, game), this.#playhead.pov - 1);
    const notice = passed.length ? this.#rules.toast?.(frame, tableSeats(this.#seats, game)) : null;
    if (notice) this.#views.toast.say(notice, pace);
    this.#views.extras.show(moved && !byHand);
    if (moved && !byHand && frame.key === "end") this.#outside.ended();
    if (moved || text !== sentence.textContent) this.#showSentence(text, byHand);
    this.#data.shown?.(this.#playhead);
  }

  /** Return the frames to animate: those since the frame shown, if that is at most one move. */
  #passed() {
    const { recording, step } = this.#playhead;
    const from = this.#shown?.n;
    const beat = beatEnding(recording, step);
    if (recording.frames[from] !== this.#shown || from >= step || from < (beat ? beat.first - 1 : step - 1)) return [];
    return recording.frames.slice(from + 1, step + 1);
  }

  #describe(beat, recording) {
    return beatText(beat, recording, this.#rules, tableSeats(this.#seats, recording.game), this.#playhead.pov - 1);
  }

  #showSentence(text, byHand) {
    const { game, step } = this.#playhead;
    this.#views.sentence.textContent = text;
    this.#views.sentence.toggleAttribute("data-long", text.length > LONG);
    const now = Date.now();
    if (!this.#quiet && (byHand || this.#shown.key || now - this.#spoken > SPEAK_EVERY_MS)) {
      this.#spoken = now;
      this.#views.spoken.textContent = fill(gettext("Step %(step)s: %(text)s"), { step, text });
    }
    this.#outside.stepped(game, step, text);
  }
}

customElements.define("match-replay", MatchReplay);

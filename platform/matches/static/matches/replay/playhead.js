/** The viewer's position and the passing of time. Emits "move" after every change. It knows recordings, not boards. */

import { beatAt, beatStep, emptyRecording, isOver, keyStep, lastStep, turnStep } from "./recording.js";
import { dwells, saveTempo, savedTempo, nextTempo } from "./tempo.js";

const BETWEEN_GAMES_MS = 2500;
const INSIDE_MS = 600;
const FAR_BEHIND = 4; // frames; a follower who is further behind plays faster
const HURRY_MOST = 40;

export class Playhead extends EventTarget {
  #recordings = new Map();
  stops = []; // steps inside this game's moves, ascending, at which playback also stops: a bot marks pieces there
  #timer = 0;
  #reached; // game -> the furthest step watched
  #timed = {}; // cached dwell times for one recording and tempo

  /**
   * `games` is the largest possible number of games. If `concealed`, nothing beyond `reached`, the steps watched, may
   * be shown. `held` is the seat whose point of view a live player has, or undefined.
   */
  constructor({ games, players, concealed, reached = [], held }) {
    super();
    this.#reached = new Map(reached);
    Object.assign(this, { games, players, concealed, tempo: savedTempo() });
    Object.assign(this, { game: 0, step: 0, pov: 0, playing: false, following: false, live: false, onAir: false });
    Object.assign(this, { held: held !== undefined, pov: held === undefined ? 0 : held + 1 });
  }

  /** The time in milliseconds until playback goes on, at most. */
  get dwell() {
    return this.playing ? this.#dwell() / this.#hurry() : Infinity;
  }

  /** The last step of the game that may be shown. */
  get horizon() {
    const last = lastStep(this.recording);
    return this.concealed ? Math.min(this.#reached.get(this.game) ?? 0, last) : last;
  }

  /** What the viewer has seen, for storage: `concealed`, and `reached` by game. */
  get seen() {
    return { concealed: this.concealed, reached: [...this.#reached] };
  }

  /** Show the whole game at the viewer's request. */
  reveal() {
    this.concealed = false;
    this.#changed(true);
  }

  get recording() {
    return this.#recordings.get(this.game) ?? emptyRecording(this.game);
  }

  get frame() {
    return this.recording.frames[this.step];
  }

  get atEnd() {
    return this.step >= this.#edge;
  }

  /** The last step for a follower: the end of a move. A live player also sees the roll that begins the next move. */
  get #edge() {
    return this.held ? lastStep(this.recording) : (this.recording.beats.at(-1)?.last ?? 0);
  }

  /** The newest game that has frames. */
  get newest() {
    return Math.max(...this.#recordings.keys(), 0);
  }

  recordingOf(game) {
    return this.#recordings.get(game) ?? emptyRecording(game);
  }

  /** Take a longer recording; a follower goes on with it. */
  setRecording(recording) {
    this.#recordings.set(recording.game, recording);
    if (recording.game !== this.game && !this.following) return;
    if (this.#inStep) return this.follow();
    if (!this.#timer) this.#schedule(); // the current frame keeps its time
    this.#moved(false);
  }

  /** Drop all frames, because the match restarted. */
  forget() {
    this.#recordings.clear();
    this.#reached.clear();
    this.game = this.step = 0;
    this.#changed(true);
  }

  toGame(game) {
    this.game = game;
    this.#goTo(0);
  }

  toStep(step) {
    this.#goTo(Math.min(Math.max(step, 0), lastStep(this.recording)));
  }

  byStep(direction) {
    this.toStep(this.step + direction);
  }

  byBeat(direction) {
    const next = beatStep(this.recording, this.step, direction);
    this.toStep(direction < 0 ? Math.max(next, this.stops.findLast((one) => one < this.step) ?? 0) : this.#stopIn(this.step + 1, next));
  }

  #stopIn(first, last) {
    return this.stops.find((one) => one >= first && one < last) ?? last;
  }

  byTurn(direction) {
    this.toStep(turnStep(this.recording, this.step, direction));
  }

  byKey(direction) {
    this.toStep(keyStep(this.recording, this.step, direction));
  }

  toStart() {
    this.toStep(0);
  }

  toEnd() {
    this.toStep(lastStep(this.recording));
  }

  play() {
    if (this.atEnd && !this.following && isOver(this.recording)) this.step = 0;
    this.playing = true;
    this.#changed(true);
  }

  /** Play from `step`, which stays for `ms` milliseconds. */
  playFrom(step, ms) {
    const byHand = !this.playing;
    const moves = byHand || step !== this.step;
    Object.assign(this, { step, playing: true });
    this.#schedule(ms);
    if (moves) this.#moved(byHand);
  }

  pause() {
    this.playing = this.following = false;
    this.#changed(true);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Go to the newest frame, and follow the match. */
  follow() {
    this.game = this.newest;
    this.step = this.#edge;
    const byHand = !this.following;
    this.following = this.playing = true;
    this.#changed(byHand);
  }

  /**
   * End live mode: viewers who are behind see the rest at their own pace. A series decided early has no further games.
   */
  endLive() {
    this.live = this.onAir = this.held = false;
    if (this.#recordings.size) this.games = this.newest + 1;
    this.#changed(false);
  }

  byTempo(direction) {
    this.setTempo(nextTempo(this.tempo, direction));
  }

  setTempo(tempo) {
    this.tempo = tempo;
    saveTempo(tempo);
    this.#changed(true);
  }

  setPov(pov) {
    if (pov > this.players || this.held) return;
    this.pov = pov;
    this.#changed(true);
  }

  nextPov() {
    this.setPov((this.pov + 1) % (this.players + 1));
  }

  #goTo(step) {
    this.step = step;
    this.playing = this.following = false;
    this.#changed(true);
  }

  #changed(byHand) {
    this.#schedule();
    this.#moved(byHand);
  }

  #moved(byHand) {
    this.#reached.set(this.game, Math.max(this.#reached.get(this.game) ?? 0, this.step));
    this.dispatchEvent(new CustomEvent("move", { detail: { byHand } }));
  }

  #schedule(ms = this.#dwell() / this.#hurry()) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.playing || this.#inStep) return;
    if (!this.atEnd) {
      this.#timer = setTimeout(() => this.#advance(), ms);
    } else if (this.following && this.newest > this.game) {
      this.#timer = setTimeout(() => this.#nextGame(), BETWEEN_GAMES_MS / this.#hurry());
    } else if (!this.live && isOver(this.recording)) {
      this.playing = this.following = false;
    }
  }

  /** On air, all viewers share the server's time: the newest frame is shown at once. */
  get #inStep() {
    return this.onAir && this.following;
  }

  #advance() {
    this.#timer = 0;
    const times = this.#times();
    let at = beatAt(this.recording, this.step + 1);
    while (at < times.length - 1 && !times[at]) at += 1;
    const { first = 0, last = lastStep(this.recording) } = this.recording.beats[at] ?? {};
    this.step = this.#stopIn(Math.max(first, this.step + 1), last);
    this.#changed(false);
  }

  /** Return the time in milliseconds for the current step: its beat's at the end of a beat, INSIDE_MS inside one. */
  #dwell() {
    const at = beatAt(this.recording, this.step);
    return this.recording.beats[at]?.last === this.step || this.stops.includes(this.step) ? this.#times()[at] || INSIDE_MS : INSIDE_MS;
  }

  #times() {
    const { recording, tempo } = this;
    if (this.#timed.recording !== recording || this.#timed.tempo !== tempo) this.#timed = { recording, tempo, times: dwells(recording.beats, tempo) };
    return this.#timed.times;
  }

  #nextGame() {
    this.game += 1;
    this.step = 0;
    this.#changed(false);
  }

  #hurry() {
    if (!this.following || !this.live) return 1;
    let behind = -this.step;
    for (const [game, recording] of this.#recordings) if (game >= this.game) behind += recording.frames.length;
    return Math.min(Math.max(behind / FAR_BEHIND, 1), HURRY_MOST);
  }
}

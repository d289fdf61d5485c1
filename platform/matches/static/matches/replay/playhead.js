/**
 * Where the viewer is, and how time passes: the only thing in the player that changes by itself.
 * Emits "move" after every change. It knows films, not boards.
 */

import { beatAt, beatStep, emptyFilm, isOver, keyStep, lastStep, turnStep } from "./film.js";
import { dwells, keepTempo, keptTempo, nextTempo } from "./tempo.js";

const BETWEEN_GAMES_MS = 2500;
const INSIDE_MS = 600;
const FAR_BEHIND = 4; // frames: from here on a follower hurries
const HURRY_MOST = 40;

export class Playhead extends EventTarget {
  #films = new Map();
  stops = []; // steps inside moves of this game, rising, at which it stops too: where a bot points at pieces before it acts
  #timer = 0;
  #reached; // game -> the furthest step that the viewer got to
  #timed = {}; // the dwells of one film at one tempo

  /** `games` says how many there will be at most; `concealed` that nothing beyond where the viewer got may be shown, which is
   * `reached`; `held` whose eyes it is seen with as long as it is live, for who plays: a seat, or undefined. */
  constructor({ games, players, concealed, reached = [], held }) {
    super();
    this.#reached = new Map(reached);
    Object.assign(this, { games, players, concealed, tempo: keptTempo() });
    Object.assign(this, { game: 0, step: 0, pov: 0, playing: false, following: false, live: false, onAir: false });
    Object.assign(this, { held: held !== undefined, pov: held === undefined ? 0 : held + 1 });
  }

  /** How many milliseconds what is shown stays at most before it goes on by itself. */
  get dwell() {
    return this.playing ? this.#dwell() / this.#hurry() : Infinity;
  }

  /** The last step of the game that may be drawn or told. */
  get horizon() {
    const last = lastStep(this.film);
    return this.concealed ? Math.min(this.#reached.get(this.game) ?? 0, last) : last;
  }

  /** What the viewer has seen, to be stored: whether the rest is `concealed`, and the step `reached` by game. */
  get seen() {
    return { concealed: this.concealed, reached: [...this.#reached] };
  }

  /** The viewer asks for all of it. */
  reveal() {
    this.concealed = false;
    this.#changed(true);
  }

  get film() {
    return this.#films.get(this.game) ?? emptyFilm(this.game);
  }

  get frame() {
    return this.film.frames[this.step];
  }

  get atEnd() {
    return this.step >= this.#edge;
  }

  /** As far as a follower goes: to the end of a move; who plays sees the roll, too, that the next one begins with. */
  get #edge() {
    return this.held ? lastStep(this.film) : (this.film.beats.at(-1)?.last ?? 0);
  }

  /** The newest game of which there are frames. */
  get newest() {
    return Math.max(...this.#films.keys(), 0);
  }

  filmOf(game) {
    return this.#films.get(game) ?? emptyFilm(game);
  }

  /** Takes a longer film; a follower goes on with it. */
  setFilm(film) {
    this.#films.set(film.game, film);
    if (film.game !== this.game && !this.following) return;
    if (this.#inStep) return this.follow();
    if (!this.#timer) this.#schedule(); // a frame that is being shown keeps its time
    this.#moved(false);
  }

  /** All frames are void: the match restarted. */
  forget() {
    this.#films.clear();
    this.#reached.clear();
    this.game = this.step = 0;
    this.#changed(true);
  }

  toGame(game) {
    this.game = game;
    this.#goTo(0);
  }

  toStep(step) {
    this.#goTo(Math.min(Math.max(step, 0), lastStep(this.film)));
  }

  byStep(direction) {
    this.toStep(this.step + direction);
  }

  byBeat(direction) {
    const next = beatStep(this.film, this.step, direction);
    this.toStep(direction < 0 ? Math.max(next, this.stops.findLast((one) => one < this.step) ?? 0) : this.#stopIn(this.step + 1, next));
  }

  #stopIn(first, last) {
    return this.stops.find((one) => one >= first && one < last) ?? last;
  }

  byTurn(direction) {
    this.toStep(turnStep(this.film, this.step, direction));
  }

  byKey(direction) {
    this.toStep(keyStep(this.film, this.step, direction));
  }

  toStart() {
    this.toStep(0);
  }

  toEnd() {
    this.toStep(lastStep(this.film));
  }

  play() {
    if (this.atEnd && !this.following && isOver(this.film)) this.step = 0;
    this.playing = true;
    this.#changed(true);
  }

  /** Plays on from `step`, which stays so many `ms` more. */
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

  /** To the newest frame there is, and on as the match goes on. */
  follow() {
    this.game = this.newest;
    this.step = this.#edge;
    const byHand = !this.following;
    this.following = this.playing = true;
    this.#changed(byHand);
  }

  /** The match is over: what was live is now a replay, and a viewer who was behind sees the rest at their own pace. A series that was
   * decided early has no more games than have come. */
  endLive() {
    this.live = this.onAir = this.held = false;
    if (this.#films.size) this.games = this.newest + 1;
    this.#changed(false);
  }

  byTempo(direction) {
    this.setTempo(nextTempo(this.tempo, direction));
  }

  setTempo(tempo) {
    this.tempo = tempo;
    keepTempo(tempo);
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
    } else if (!this.live && isOver(this.film)) {
      this.playing = this.following = false;
    }
  }

  /** On air the server's time is everyone's: what came on last is shown, however long what was before it took. */
  get #inStep() {
    return this.onAir && this.following;
  }

  #advance() {
    this.#timer = 0;
    const times = this.#times();
    let at = beatAt(this.film, this.step + 1);
    while (at < times.length - 1 && !times[at]) at += 1;
    const { first = 0, last = lastStep(this.film) } = this.film.beats[at] ?? {};
    this.step = this.#stopIn(Math.max(first, this.step + 1), last);
    this.#changed(false);
  }

  /** How long what is shown deserves: its beat's time; a frame inside a beat only as long as it takes to see it. */
  #dwell() {
    const at = beatAt(this.film, this.step);
    return this.film.beats[at]?.last === this.step || this.stops.includes(this.step) ? this.#times()[at] || INSIDE_MS : INSIDE_MS;
  }

  #times() {
    const { film, tempo } = this;
    if (this.#timed.film !== film || this.#timed.tempo !== tempo) this.#timed = { film, tempo, times: dwells(film.beats, tempo) };
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
    for (const [game, film] of this.#films) if (game >= this.game) behind += film.frames.length;
    return Math.min(Math.max(behind / FAR_BEHIND, 1), HURRY_MOST);
  }
}

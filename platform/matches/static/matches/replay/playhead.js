/**
 * Where the viewer is, and how time passes: the only thing in the player that changes by itself.
 * Emits "move" after every change. It knows films, not boards.
 */

import { emptyFilm, isOver, keyStep, lastStep, turnStep } from "./film.js";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const BETWEEN_GAMES_MS = 2500;
const FAR_BEHIND = 4; // frames: from here on a follower hurries
const HURRY_MOST = 40;

export class Playhead extends EventTarget {
  #films = new Map();
  #timer = 0;
  #dwell;

  /** `dwell(frame)` says how many milliseconds a frame deserves; `games` how many there will be at most. */
  constructor({ games, players, dwell }) {
    super();
    Object.assign(this, { games, players, game: 0, step: 0, speed: 1, pov: 0, playing: false, following: false, live: false });
    this.#dwell = dwell;
  }

  get film() {
    return this.#films.get(this.game) ?? emptyFilm(this.game);
  }

  get frame() {
    return this.film.frames[this.step];
  }

  get atEnd() {
    return this.step >= lastStep(this.film);
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
    if (!this.#timer) this.#schedule(); // a frame that is being shown keeps its time
    this.#moved(false);
  }

  /** All frames are void: the match began anew. */
  forget() {
    this.#films.clear();
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
    this.step = lastStep(this.film);
    this.following = this.playing = true;
    this.#changed(true);
  }

  /** The match is over: what was live is now a replay, and whoever was behind sees the rest in peace. A series that was
   * decided early has no more games than have come. */
  endLive() {
    this.live = false;
    if (this.#films.size) this.games = this.newest + 1;
    this.#changed(false);
  }

  bySpeed(direction) {
    const at = SPEEDS.indexOf(this.speed) + direction;
    this.setSpeed(SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.#changed(true);
  }

  setPov(pov) {
    if (pov > this.players) return;
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
    this.dispatchEvent(new CustomEvent("move", { detail: { byHand } }));
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.playing) return;
    if (!this.atEnd) {
      this.#timer = setTimeout(() => this.#advance(), this.#dwell(this.frame) / (this.speed * this.#hurry()));
    } else if (this.following && this.newest > this.game) {
      this.#timer = setTimeout(() => this.#nextGame(), BETWEEN_GAMES_MS / (this.speed * this.#hurry()));
    } else if (!this.live && isOver(this.film)) {
      this.playing = this.following = false;
    }
  }

  #advance() {
    this.#timer = 0;
    this.step += 1;
    this.#changed(false);
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

/**
 * Where films come from: finished games and what has been on air over HTTP, a running match over its socket. The server's log is the truth:
 * after every lost connection the source says which frame it has, and gets the rest. A page that plays by itself answers in the
 * server's place: `data.read(game)` resolves to a finished game, `data.follow(hear)` passes on what a socket would bring.
 */

import { openSocket } from "../../web/socket.js";
import { emptyFilm, extended, isOver, lastStep } from "./film.js";

export class Source {
  #data;
  #films = new Map();
  #loading = new Map();
  #attempt = -1;
  #last = null; // [game, frame] of the newest frame that came over the socket
  #socket = null;
  #closed = false;
  #on;

  /** `on` has: film(film), reset(), state(state, airs), finished(url), lost(lost), refused(). */
  constructor(data, on) {
    this.#data = data;
    this.#on = on;
  }

  /** Loads a game unless all of it is here. Resolves to "loaded", "missing" if there is none yet, or "failed". */
  load(game) {
    const film = this.#films.get(game);
    if (film && (isOver(film) || game === this.#last?.[0])) return Promise.resolve("loaded");
    if (!this.#loading.has(game)) {
      this.#loading.set(game, this.#fetch(game).finally(() => this.#loading.delete(game)));
    }
    return this.#loading.get(game);
  }

  /** Follows the running match. What has been on air is read over HTTP; the socket brings the rest when it comes on. */
  async open() {
    if (this.#data.follow) return this.#data.follow((message) => this.#hear(message));
    const { air, attempt } = this.#data;
    if (air && air.starts <= this.#data.now) {
      this.#attempt = attempt;
      await this.load(air.game);
      const film = this.#films.get(air.game);
      if (film?.frames.length) this.#last = [air.game, lastStep(film)];
    }
    if (!this.#closed) this.#connect();
    return undefined;
  }

  #connect() {
    const address = () => {
      const query = new URLSearchParams();
      if (this.#data.ticket) query.set("ticket", this.#data.ticket);
      if (this.#last) query.set("since", [this.#attempt, ...this.#last].join("."));
      return `${this.#data.socket}?${query}`;
    };
    this.#socket = openSocket(address, {
      onOpen: () => this.#on.lost(false),
      onMessage: (message) => this.#hear(message),
      onDown: () => this.#on.lost(true),
      onRefused: () => this.#on.refused(),
    });
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
    this.#socket = null;
  }

  async #fetch(game) {
    if (this.#data.read) {
      this.#add(game, await this.#data.read(game));
      return "loaded";
    }
    const address = `${this.#data.frames.replace("{game}", game)}?edition=${this.#data.edition}`;
    try {
      const answer = await fetch(address);
      if (!answer.ok) return answer.status === 404 ? "missing" : "failed";
      this.#add(game, await answer.json());
    } catch (error) {
      console.warn("replay: not loaded", error);
      return "failed";
    }
    return "loaded";
  }

  #hear(message) {
    if (message.type === "attempt") this.#begin(message.attempt);
    else if (message.type === "frames") this.#hearFrames(message);
    else if (message.type === "state") this.#on.state(message.state, message.airs);
    else if (message.type === "finished") {
      this.close();
      this.#on.state("finished");
      this.#on.finished(message.url);
    } else console.error("replay:", message.error, message.detail);
    if (message.state === "cancelled") this.close();
  }

  #begin(attempt) {
    if (attempt === this.#attempt) return;
    const first = this.#attempt === -1;
    this.#attempt = attempt;
    this.#films.clear();
    this.#last = null;
    if (!first) this.#on.reset();
  }

  #hearFrames(message) {
    this.#last = [message.game, message.first + message.frames.length - 1];
    this.#add(message.game, message);
  }

  #add(game, message) {
    const film = extended(this.#films.get(game) ?? emptyFilm(game), message);
    this.#films.set(game, film);
    if (film.frames.length) this.#on.film(film);
    if (this.#last?.[0] === game) this.#last[1] = Math.max(this.#last[1], lastStep(film));
  }
}

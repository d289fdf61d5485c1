/**
 * The source of recordings: finished games and the part already on air over HTTP, a running match over a socket.
 * After a lost connection, the source sends the last frame it has and receives the rest. A page that plays games itself
 * replaces the server: `data.read(game)` resolves to a finished game, and `data.follow(listener)` passes messages like
 * the socket's to `listener`.
 */

import { openSocket } from "../../web/socket.js";
import { emptyRecording, extended, isOver, lastStep } from "./recording.js";

export class Source {
  #data;
  #recordings = new Map();
  #loading = new Map();
  #attempt = -1;
  #last = null; // [game, frame], the newest frame from the socket
  #socket = null;
  #closed = false;
  #on;

  /**
   * `on` has the callbacks recording(recording), reset(), state(state, airs), finished(url), lost(lost) and refused().
   */
  constructor(data, on) {
    this.#data = data;
    this.#on = on;
  }

  /** Load a game unless it is complete. Resolve to "loaded", "missing" if it does not exist yet, or "failed". */
  load(game) {
    const recording = this.#recordings.get(game);
    if (recording && (isOver(recording) || game === this.#last?.[0])) return Promise.resolve("loaded");
    if (!this.#loading.has(game)) {
      this.#loading.set(game, this.#fetch(game).finally(() => this.#loading.delete(game)));
    }
    return this.#loading.get(game);
  }

  /** Follow the running match: read the part already on air over HTTP, and the rest from the socket. */
  async open() {
    if (this.#data.follow) return this.#data.follow((message) => this.#receive(message));
    const { air, attempt } = this.#data;
    if (air && air.starts <= this.#data.now) {
      this.#attempt = attempt;
      await this.load(air.game);
      const recording = this.#recordings.get(air.game);
      if (recording?.frames.length) this.#last = [air.game, lastStep(recording)];
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
      onMessage: (message) => this.#receive(message),
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

  #receive(message) {
    if (message.type === "attempt") this.#begin(message.attempt);
    else if (message.type === "frames") this.#receiveFrames(message);
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
    this.#recordings.clear();
    this.#last = null;
    if (!first) this.#on.reset();
  }

  #receiveFrames(message) {
    this.#last = [message.game, message.first + message.frames.length - 1];
    this.#add(message.game, message);
  }

  #add(game, message) {
    const recording = extended(this.#recordings.get(game) ?? emptyRecording(game), message);
    this.#recordings.set(game, recording);
    if (recording.frames.length) this.#on.recording(recording);
    if (this.#last?.[0] === game) this.#last[1] = Math.max(this.#last[1], lastStep(recording));
  }
}

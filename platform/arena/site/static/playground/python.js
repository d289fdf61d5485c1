/** Python in web workers: one that plays, and a spare that replaces it when a bot has to be stopped. */

const ANSWER_MS = 5000; // since the last message; after that, the bot is considered to hang
const CHECK_MS = 200;
const SPARE_AFTER_MS = 2000;

/**
 * Why there is no response: `kind` is "hang", "broken", "failed" or "refused". `position` is the seat of the last
 * request to a bot, `count` the number of such requests; `late` is {line, detail, output} at the point where a bot
 * hangs.
 */
export class NoAnswer extends Error {
  constructor(kind, text, position = null, count = 0, late = null) {
    super(text);
    Object.assign(this, { kind, position, count, late });
  }
}

class PythonWorker {
  #worker;
  #pending = null; // {id, resolve, reject, position, count, patience}
  #last = 0;
  #count = 0;
  #lastSignAt = 0;
  #timer = 0;
  ready;
  isOpen = false;

  constructor({ worker, ...found }, loading = () => {}) {
    this.#worker = new Worker(worker, { type: "module" });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.onerror = (event) => {
        event.preventDefault();
        reject(new NoAnswer("failed", event.message ?? ""));
        this.#fail(new NoAnswer("broken", event.message ?? ""));
      };
      this.#worker.onmessage = ({ data }) => {
        if (data.ready) {
          this.isOpen = true;
          resolve();
        } else if (data.loading) loading(data.loading);
        else if (data.failed) reject(new NoAnswer("failed", data.failed));
        else this.#receive(data);
      };
    });
    this.ready.catch(() => {}); // callers of `ready` handle the rejection
    this.#worker.postMessage({ open: found });
  }

  async request(message, patience) {
    await this.ready;
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#pending = { id: this.#count, resolve, reject, position: null, count: 0, patience };
      this.#lastSignAt = performance.now();
      this.#timer = setInterval(() => this.#checkPatience(), CHECK_MS);
      this.#worker.postMessage({ id: this.#count, ask: JSON.stringify(message) });
    });
  }

  end() {
    clearInterval(this.#timer);
    this.#worker.terminate();
  }

  #receive({ told, id, answer, error, broken }) {
    this.#lastSignAt = performance.now();
    if (told) {
      const { say, position, ...late } = JSON.parse(told);
      if (this.#pending && say === "late") this.#fail(new NoAnswer("hang", "", this.#pending.position, this.#pending.count, late));
      else if (this.#pending) Object.assign(this.#pending, { position, count: this.#pending.count + 1 });
      return;
    }
    if (id !== this.#pending?.id) return;
    if (error === undefined) {
      const { resolve } = this.#pending;
      this.#clear();
      resolve(JSON.parse(answer));
    } else this.#fail(new NoAnswer(broken ? "broken" : "refused", error, this.#pending.position, this.#pending.count));
  }

  #checkPatience() {
    if (performance.now() - this.#lastSignAt > this.#pending.patience) this.#fail(new NoAnswer("hang", "", this.#pending.position, this.#pending.count));
  }

  #fail(error) {
    const request = this.#pending;
    this.#clear();
    request?.reject(error);
  }

  #clear() {
    clearInterval(this.#timer);
    this.#pending = null;
  }
}

/** A queue of requests to Python. A worker that fails is replaced. */
export class Python {
  #settings;
  #worker;
  #spare = null;
  #warming = 0;
  #queue = Promise.resolve();

  /**
   * `loading({ come, all })` is called with the bytes that the first worker has loaded, unless it starts from stored
   * memory.
   */
  constructor(settings, loading) {
    this.#settings = settings;
    this.#worker = new PythonWorker(settings, loading);
  }

  /** A promise that resolves when the first worker is ready. */
  get ready() {
    return this.#worker.ready;
  }

  get isReady() {
    return this.#worker.isOpen;
  }

  /** True if a spare worker is ready. */
  get hasSpare() {
    return Boolean(this.#spare?.isOpen);
  }

  /**
   * Send `message` (see peck/browser.py). Resolve to the response, or reject with NoAnswer. Pass a longer
   * `patience`, in milliseconds, only for requests that call no bot.
   */
  request(message, patience = ANSWER_MS) {
    const answer = this.#queue.then(() => this.#request(message, patience));
    this.#queue = answer.catch(() => {});
    return answer;
  }

  /** Stop the current request. Its promise never settles. */
  stop() {
    this.#swap();
    this.#queue = Promise.resolve();
  }

  async #request(message, patience) {
    const worker = this.#worker;
    try {
      const answer = await worker.request(message, patience);
      this.#warm();
      return answer;
    } catch (error) {
      if (worker !== this.#worker || error.kind === "refused") throw error;
      this.#swap();
      throw error.kind === "hang" && error.count ? await this.#whereItHangs(message, error) : error;
    }
  }

  /**
   * Repeat the request and watch its last call to a bot. Return the error with the position in the code if there is
   * one.
   */
  async #whereItHangs(message, error) {
    const worker = this.#worker;
    const found = await worker.request({ ...message, watch: error.count }, 2 * ANSWER_MS).then(() => null, (again) => again);
    if (found && found.kind !== "refused" && worker === this.#worker) this.#swap();
    return found?.late ? found : error;
  }

  #swap() {
    this.#worker.end();
    this.#worker = this.#spare ?? new PythonWorker(this.#settings);
    this.#spare = null;
    this.#worker.ready.then(() => this.#warm(), () => {});
  }

  /** Start a spare worker later: it needs a processor core for seconds, and the first game needs it now. */
  #warm() {
    this.#warming ||= setTimeout(() => {
      this.#warming = 0;
      this.#spare ??= new PythonWorker(this.#settings);
    }, SPARE_AFTER_MS);
  }
}

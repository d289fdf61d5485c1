/** Python beside the page: a worker that plays, and a warm spare for when a bot has to be ended with the worker. */

const ANSWER_MS = 5000; // from the last sign of life: what takes longer hangs
const LOOK_MS = 200;
const SPARE_AFTER_MS = 2000;

/**
 * Why there is no answer: `kind` is "hang", "broken" or "failed", `position` the seat at the table that was asked last, as the
 * `count`th; `late` says where a bot hangs: {line, detail, output}.
 */
export class NoAnswer extends Error {
  constructor(kind, text, position = null, count = 0, late = null) {
    super(text);
    Object.assign(this, { kind, position, count, late });
  }
}

class Workshop {
  #worker;
  #asked = null; // {id, resolve, reject, position, patience}
  #last = 0;
  #count = 0;
  #sign = 0;
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
        else this.#hear(data);
      };
    });
    this.ready.catch(() => {}); // callers of `ready` are told
    this.#worker.postMessage({ open: found });
  }

  async ask(message, patience) {
    await this.ready;
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#asked = { id: this.#count, resolve, reject, position: null, count: 0, patience };
      this.#sign = performance.now();
      this.#timer = setInterval(() => this.#look(), LOOK_MS);
      this.#worker.postMessage({ id: this.#count, ask: JSON.stringify(message) });
    });
  }

  end() {
    clearInterval(this.#timer);
    this.#worker.terminate();
  }

  #hear({ told, id, answer, error, broken }) {
    this.#sign = performance.now();
    if (told) {
      const { say, position, ...late } = JSON.parse(told);
      if (this.#asked && say === "late") this.#fail(new NoAnswer("hang", "", this.#asked.position, this.#asked.count, late));
      else if (this.#asked) Object.assign(this.#asked, { position, count: this.#asked.count + 1 });
      return;
    }
    if (id !== this.#asked?.id) return;
    if (error === undefined) {
      const { resolve } = this.#asked;
      this.#rest();
      resolve(JSON.parse(answer));
    } else this.#fail(new NoAnswer(broken ? "broken" : "refused", error, this.#asked.position, this.#asked.count));
  }

  #look() {
    if (performance.now() - this.#sign > this.#asked.patience) this.#fail(new NoAnswer("hang", "", this.#asked.position, this.#asked.count));
  }

  #fail(error) {
    const asked = this.#asked;
    this.#rest();
    asked?.reject(error);
  }

  #rest() {
    clearInterval(this.#timer);
    this.#asked = null;
  }
}

/** Asks one thing after another; what ends a worker does not end the page. */
export class Python {
  #settings;
  #worker;
  #spare = null;
  #warming = 0;
  #queue = Promise.resolve();

  /** `loading({ come, all })` hears how many bytes of the first worker's files are there, unless this browser kept its memory. */
  constructor(settings, loading) {
    this.#settings = settings;
    this.#worker = new Workshop(settings, loading);
  }

  /** Resolves once the first worker can play. */
  get ready() {
    return this.#worker.ready;
  }

  get isReady() {
    return this.#worker.isOpen;
  }

  /** Whether a spare stands by. */
  get hasSpare() {
    return Boolean(this.#spare?.isOpen);
  }

  /** The answer to `message`, see peck/browser.py. Rejects with NoAnswer. What no bot takes part in may have more `patience`. */
  ask(message, patience = ANSWER_MS) {
    const answer = this.#queue.then(() => this.#ask(message, patience));
    this.#queue = answer.catch(() => {});
    return answer;
  }

  /** Ends what is being done: its asker hears nothing any more. */
  stop() {
    this.#swap();
    this.#queue = Promise.resolve();
  }

  async #ask(message, patience) {
    const worker = this.#worker;
    try {
      const answer = await worker.ask(message, patience);
      this.#warm();
      return answer;
    } catch (error) {
      if (worker !== this.#worker || error.kind === "refused") throw error;
      this.#swap();
      throw error.kind === "hang" && error.count ? await this.#whereItHangs(message, error) : error;
    }
  }

  /** The same error with the place in the bot: the same is asked once more, and the question without an answer watched. */
  async #whereItHangs(message, error) {
    const worker = this.#worker;
    const found = await worker.ask({ ...message, watch: error.count }, 2 * ANSWER_MS).then(() => null, (again) => again);
    if (found && found.kind !== "refused" && worker === this.#worker) this.#swap();
    return found?.late ? found : error;
  }

  #swap() {
    this.#worker.end();
    this.#worker = this.#spare ?? new Workshop(this.#settings);
    this.#spare = null;
    this.#worker.ready.then(() => this.#warm(), () => {});
  }

  /** A spare takes a core for seconds: not those in which the first game is shown. */
  #warm() {
    this.#warming ||= setTimeout(() => {
      this.#warming = 0;
      this.#spare ??= new Workshop(this.#settings);
    }, SPARE_AFTER_MS);
  }
}

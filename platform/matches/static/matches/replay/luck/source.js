/**
 * Analyses of finished games, from the address in the player's data (docs/reference/analysis.md). A page that plays
 * games itself passes a function instead: address(game) resolves to the analysis.
 */

const TRIES = 30;

export class Analyses {
  #address;
  #known = new Map(); // game -> its analysis, or null while loading
  #changed;
  #timers = new Set();

  /** `changed()` is called when an analysis has loaded. */
  constructor(address, changed) {
    this.#address = address;
    this.#changed = changed;
  }

  /** Return the analysis of a finished game, or null while it loads. */
  of(game) {
    if (!this.#known.has(game)) {
      this.#known.set(game, null);
      this.#fetch(game, TRIES);
    }
    return this.#known.get(game);
  }

  close() {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #fetch(game, tries) {
    let wait = 0;
    try {
      if (typeof this.#address === "function") {
        this.#known.set(game, await this.#address(game));
        return this.#changed();
      }
      const answer = await fetch(this.#address.replace("{game}", game));
      if (answer.status === 202 || answer.status === 429) wait = Number(answer.headers.get("Retry-After")) || 5;
      else this.#known.set(game, answer.ok ? await answer.json() : { state: "failed" });
    } catch {
      this.#known.set(game, { state: "failed" });
    }
    if (wait && tries) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#fetch(game, tries - 1);
      }, 1000 * wait);
      this.#timers.add(timer);
      return undefined;
    }
    if (wait) this.#known.set(game, { state: "failed" });
    return this.#changed();
  }
}

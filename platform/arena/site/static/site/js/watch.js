// <watch-stage data-match data-src data-title data-left>picture</watch-stage>: replaces the picture by the player. When
// the match has ended and its time on the channel, `data-left` milliseconds, is over, the element is replaced by the
// next match. With reduced motion or the browser's data saver on, the picture and its link remain.

const NEXT_AFTER_MS = 8000;
const FAILED_MS = 2000; // after a failure; doubles each time
const FAILED_MOST_MS = 60_000;

class WatchStage extends HTMLElement {
  #frame = null;
  #timer = 0;
  #failed = 0; // consecutive failures
  #came = performance.now();

  connectedCallback() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData) return;
    this.#frame = document.createElement("iframe");
    this.#frame.src = this.dataset.src;
    this.#frame.title = this.dataset.title;
    this.append(this.#frame);
    addEventListener("message", this.#onMessage);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#onMessage);
    clearTimeout(this.#timer);
  }

  #onMessage = ({ origin, source, data }) => {
    if (origin !== location.origin || source !== this.#frame.contentWindow) return;
    if (data?.type !== "pecking-order:end") return;
    const left = Number(this.dataset.left) - (performance.now() - this.#came);
    this.#timer ||= setTimeout(() => this.#next(), Math.max(NEXT_AFTER_MS, left));
  };

  /** Show the next match, or the same one again if nothing else is on. */
  async #next() {
    const src = this.closest("live-cells")?.getAttribute("src");
    if (!src) return;
    const next = await this.#fetchStage(src);
    if (!this.isConnected) return;
    if (next) this.replaceWith(document.importNode(next, true));
    else this.#timer = setTimeout(() => this.#next(), Math.min(FAILED_MS * 2 ** this.#failed++, FAILED_MOST_MS));
  }

  /** Return the stage that the site shows now; null on errors, or if there is none. */
  async #fetchStage(src) {
    try {
      const answer = await fetch(src);
      if (!answer.ok) return null;
      return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("watch-stage");
    } catch (error) {
      console.warn("watch-stage: not refreshed", error);
      return null;
    }
  }
}

customElements.define("watch-stage", WatchStage);

// <watch-stage data-match data-src data-title data-left>picture</watch-stage>: the player takes the place of the picture, and
// the next match its own place once it is over and its time on the channel is up, `data-left` milliseconds after it came. Who
// wants no motion, or has few data to spend, keeps the picture and its link.

const NEXT_AFTER_MS = 8000;
const FAILED_MS = 2000; // after a failure; then twice as long each time
const FAILED_MOST_MS = 60_000;

class WatchStage extends HTMLElement {
  #frame = null;
  #timer = 0;
  #failed = 0; // times, one after another
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

  /** Another match, or the same one again if nothing else is on. */
  async #next() {
    const src = this.closest("live-cells")?.getAttribute("src");
    if (!src) return;
    const other = await this.#asked(src);
    if (!this.isConnected) return;
    if (other) this.replaceWith(document.importNode(other, true));
    else this.#timer = setTimeout(() => this.#next(), Math.min(FAILED_MS * 2 ** this.#failed++, FAILED_MOST_MS));
  }

  /** The stage that the site shows now; null where it is busy, broken or away, or shows none. */
  async #asked(src) {
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

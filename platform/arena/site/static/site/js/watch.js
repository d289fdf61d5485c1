// <watch-stage data-match data-src data-title data-left>picture</watch-stage>: the player takes the place of the picture, and
// the next match its own place once it is over and its time on the channel is up, `data-left` milliseconds after it came. Who
// wants no motion, or has few data to spend, keeps the picture and its link.

const NEXT_AFTER_MS = 8000;

class WatchStage extends HTMLElement {
  #frame = null;
  #timer = 0;
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
    const answer = src ? await fetch(src) : null;
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const other = page.querySelector("watch-stage");
    if (other) this.replaceWith(document.importNode(other, true));
  }
}

customElements.define("watch-stage", WatchStage);

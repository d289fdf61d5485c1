// <watch-stage data-match data-src data-title>picture</watch-stage>: the player takes the place of the picture, and the next
// match its own place once it is over. Who wants no motion, or has few data to spend, keeps the picture and its link.

const NEXT_AFTER_MS = 8000;

class WatchStage extends HTMLElement {
  #frame = null;
  #timer = 0;

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
    if (data?.type === "pecking-order:end") this.#timer ||= setTimeout(() => this.#next(), NEXT_AFTER_MS);
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

// <round-boards>: J and K move the focus between tables. <live-cells> refreshes the tables.

const TYPING = "input, select, textarea, [contenteditable]";

class RoundBoards extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal: this.#stop.signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const links = [...this.querySelectorAll("a.mini-board")];
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
    links[next]?.focus();
  }
}

customElements.define("round-boards", RoundBoards);

// <round-boards>: J and K walk from table to table. With data-screen="12" a projector shows as many tables as the window holds,
// then the next ones, then the standings, for so many seconds each. The tables themselves are kept fresh by <live-cells>.

const TYPING = "input, select, textarea, [contenteditable]";

class RoundBoards extends HTMLElement {
  #timer = 0;
  #page = 0;
  #stop = new AbortController();

  connectedCallback() {
    const { signal } = this.#stop;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    if (!this.dataset.screen) return;
    this.#show();
    this.#timer = setInterval(() => {
      this.#page += 1;
      this.#show();
    }, 1000 * Number(this.dataset.screen));
    addEventListener("resize", () => this.#show(), { signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
    clearInterval(this.#timer);
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

  /** The page of tables that is due, or the standings after the last one. */
  #show() {
    const list = this.querySelector(".round-boards");
    const standings = this.querySelector(".screen-standings");
    const tables = [...list.children];
    for (const one of [list, standings, ...tables]) one.hidden = false;
    const { top, height } = tables[0].getBoundingClientRect();
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const rows = Math.max(1, Math.floor((innerHeight - top - scrollY) / (height + 12)));
    const each = columns * rows;
    const pages = Math.ceil(tables.length / each);
    const page = this.#page % (pages + 1);
    list.hidden = page === pages;
    standings.hidden = page < pages;
    tables.forEach((table, at) => (table.hidden = Math.floor(at / each) !== page));
  }
}

customElements.define("round-boards", RoundBoards);

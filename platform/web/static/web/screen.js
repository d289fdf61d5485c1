// <projector-screen data-seconds="12">: shows the parts of a page one after the other, each for 12 seconds, and long
// parts in pages. Space or P pauses, the arrow keys step. In narrow windows, all parts are shown below one another.
//
// A part is an element with `data-view="tables"`. Children of its `[data-cells]` are arranged in as many columns and
// rows as fit: each at least `data-wide="12"` rem wide and `data-lines="3"` lines high; with `data-down`, columns are
// filled one after the other. `[data-bracket]` receives its size in columns and lines. <live-cells> refreshes the
// parts, so the layout is repeated after each change.

const LINE_REM = 2.1;
const PADDING_REM = 1;
const BOARD_RATIO = 1.3; // with the names below

class ProjectorScreen extends HTMLElement {
  #timer = 0;
  #shown = ""; // name of the part shown
  #page = 0;
  #stop = new AbortController();
  #observer = new MutationObserver(() => this.#show());

  connectedCallback() {
    const { signal } = this.#stop;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    addEventListener("resize", () => this.#show(), { signal });
    for (const button of this.querySelectorAll("[data-step]"))
      button.addEventListener("click", () => this.#step(Number(button.dataset.step)), { signal });
    this.#button.addEventListener("click", () => this.#pause(), { signal });
    this.#observer.observe(this.querySelector(".screen-stage"), { childList: true });
    this.#show();
    this.#rotate();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#observer.disconnect();
    clearInterval(this.#timer);
  }

  get #button() {
    return this.querySelector("[data-pause]");
  }

  get #parts() {
    return [...this.querySelectorAll("[data-view]")];
  }

  #rotate() {
    clearInterval(this.#timer);
    const isPaused = this.#button.getAttribute("aria-pressed") === "true";
    if (!isPaused) this.#timer = setInterval(() => this.#turn(1), 1000 * Number(this.dataset.seconds));
  }

  #pause() {
    this.#button.setAttribute("aria-pressed", String(this.#button.getAttribute("aria-pressed") !== "true"));
    this.#rotate();
  }

  #step(by) {
    this.#turn(by);
    this.#rotate(); // a part chosen by hand is shown for its full time
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const onButton = event.target.closest?.("button, a");
    if (event.key === "p" || (event.key === " " && !onButton)) this.#pause();
    else if (event.key === "ArrowRight") this.#step(1);
    else if (event.key === "ArrowLeft") this.#step(-1);
    else return;
    event.preventDefault();
  }

  #turn(by) {
    const views = this.#parts.flatMap((part) => Array.from({ length: pagesOf(part) }, (_, page) => [part.dataset.view, page]));
    if (!views.length) return;
    const at = views.findIndex(([name, page]) => name === this.#shown && page === this.#page);
    [this.#shown, this.#page] = views[(at + by + views.length) % views.length];
    this.#show();
  }

  #show() {
    const parts = this.#parts;
    for (const part of parts) layOut(part);
    let shown = parts.find((part) => part.dataset.view === this.#shown);
    if (!shown && parts.length) [shown, this.#shown, this.#page] = [parts[0], parts[0].dataset.view, 0];
    for (const part of parts) part.toggleAttribute("data-shown", part === shown);
    if (shown) {
      this.#page = Math.min(this.#page, pagesOf(shown) - 1);
      turnTo(shown, this.#page);
    }
    const before = parts.slice(0, parts.indexOf(shown)).reduce((sum, part) => sum + pagesOf(part), 0);
    const all = parts.reduce((sum, part) => sum + pagesOf(part), 0);
    this.querySelector(".screen-controls").classList.toggle("alone", all < 2);
    this.querySelector("output").textContent = all > 1 ? `${before + this.#page + 1} / ${all}` : "";
  }
}

const cellsOf = (part) => part.querySelector("[data-cells]");
const pagesOf = (part) => Number(cellsOf(part)?.dataset.pages ?? 1);

function turnTo(part, page) {
  const cells = cellsOf(part);
  if (!cells) return;
  const gap = gapsOf(cells);
  cells.scrollTo(page * (cells.clientWidth + gap.columns), page * (cells.clientHeight + gap.rows));
}

function layOut(part) {
  const [cells, bracket] = [cellsOf(part), part.querySelector("[data-bracket]")];
  if (cells) layOutCells(cells);
  if (bracket) {
    const columns = [...bracket.querySelectorAll(".bracket-round")];
    const lines = columns.map((one) => one.querySelectorAll(".side").length + one.querySelectorAll(".bout:not(.void)").length);
    bracket.style.setProperty("--columns", columns.length);
    bracket.style.setProperty("--lines", Math.max(...lines));
  }
}

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

function gapsOf(cells) {
  const { columnGap, rowGap } = getComputedStyle(cells);
  return { columns: parseFloat(columnGap), rows: parseFloat(rowGap) };
}

function layOutCells(cells) {
  const { clientWidth: width, clientHeight: height } = cells;
  const count = cells.children.length;
  const [unit, gap, isDown] = [rem(), gapsOf(cells), "down" in cells.dataset];
  const wide = Number(cells.dataset.wide) * unit;
  const high = (LINE_REM * Number(cells.dataset.lines) + (isDown ? 0 : PADDING_REM)) * unit;
  const most = { columns: fitting(width, wide, gap.columns), rows: fitting(height, high, gap.rows) };
  const pages = Math.max(1, Math.ceil(count / (most.columns * most.rows)));
  const each = Math.ceil(count / pages);
  const down = { columns: Math.min(most.columns, Math.ceil(each / most.rows)), rows: most.rows };
  const { columns, rows } = isDown ? down : best(each, most, width, height);
  cells.style.setProperty("--lines", cells.dataset.lines);
  cells.dataset.pages = isDown ? Math.ceil(count / (columns * rows)) : pages;
  cells.style.setProperty("--columns", columns);
  cells.style.setProperty("--rows", rows);
}

const fitting = (room, size, gap) => Math.max(1, Math.floor((room + gap) / (size + gap)));

/** Return the numbers of columns and rows with the largest cells, in the proportions of a board. */
function best(count, most, width, height) {
  let found = { size: 0, columns: most.columns, rows: most.rows };
  for (let columns = 1; columns <= most.columns; columns += 1) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns / BOARD_RATIO, height / rows);
    if (rows <= most.rows && size > found.size) found = { size, columns, rows };
  }
  return found;
}

customElements.define("projector-screen", ProjectorScreen);

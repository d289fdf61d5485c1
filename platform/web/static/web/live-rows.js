/**
 * Rows of boards that arrive over the socket as data. An element with `data-part="standings.7"` and
 * `data-revision="80"` shows that revision of a part. A message {part, since, revision, rows} has all rows that changed
 * after `since`, as they are at `revision`, so it applies to every revision from `since` on. Numbers are formatted as
 * in the templates.
 */

const RECENT = 8; // messages to repeat for each part, after a fragment that was requested before them
const QUARTERS = { 0.25: "¼", 0.5: "½", 0.75: "¾" };

export class LiveRows {
  #root;
  #recent = [];

  constructor(root) {
    this.#root = root;
  }

  /** The revision of each part on the page: {"standings.7": 80}. */
  get parts() {
    return Object.fromEntries(this.#elements().map((one) => [one.dataset.part, Number(one.dataset.revision)]));
  }

  /** Show the rows of a message. Return false if the page has to request its fragment. */
  take(message) {
    this.#recent.push(message);
    const ofPart = this.#recent.filter(({ part }) => part === message.part);
    if (ofPart.length > RECENT) this.#recent.splice(this.#recent.indexOf(ofPart[0]), 1);
    return this.#show(message);
  }

  /**
   * Update the page after it has merged a fragment, unless parts of it are pending (`isHeld`). Return false if it has
   * to request another one.
   */
  refreshed(fragment, isHeld) {
    for (const present of this.#elements()) if (!fragment.querySelector(`#${present.id}[data-part]`)) delete present.dataset.part;
    for (const fresh of fragment.querySelectorAll("[data-part]")) {
      const present = this.#root.querySelector(`#${fresh.id}`);
      if (present) Object.assign(present.dataset, { ...fresh.dataset });
    }
    return isHeld || this.#recent.map((message) => this.#show(message)).every(Boolean);
  }

  #elements() {
    return [...this.#root.querySelectorAll("[data-part]")];
  }

  #show({ part, since, revision, rows }) {
    const element = this.#elements().find((one) => one.dataset.part === part);
    if (!element) return true;
    const shown = Number(element.dataset.revision);
    if (revision < shown) return true;
    if (since > shown) return false;
    element.dataset.revision = revision;
    return part.startsWith("standings.") ? showStandings(element, rows) : rows.map(showTable).every(Boolean);
  }
}

/**
 * Show rows of [entry, place, rank, points, played, won, drawn, lost, game points, forfeited, ...tie-breaks]. Return
 * false if the page has to request its fragment.
 */
function showStandings(body, rows) {
  const first = Number(body.dataset.first);
  const places = new Map([...body.rows].map((row, at) => [row.id, first + at]));
  const last = first + places.size - 1;
  let isWhole = true;
  for (const [entry, place, ...figures] of rows) {
    const id = `s${entry}`;
    if (places.has(id)) {
      places.set(id, place);
      writeFigures(id, figures);
    } else if (place >= first && place <= last) isWhole = false;
  }
  for (const place of places.values()) if (place < first || place > last) isWhole = false;
  const order = [...body.rows].sort((one, other) => places.get(one.id) - places.get(other.id));
  if (order.every((row, at) => row === body.rows[at])) return isWhole;
  if (body.matches(":focus-within") || body.querySelector(":active")) return false; // rows do not move while the reader uses them
  body.append(...order);
  return isWhole;
}

function writeFigures(id, [rank, points, played, won, drawn, lost, gamePoints, forfeited, ...values]) {
  const write = (name, text) => {
    const cell = document.getElementById(`${id}-${name}`);
    if (cell && cell.textContent !== text) cell.textContent = text;
  };
  const ofAll = document.getElementById(`${id}-played`)?.textContent.match(/\/.*$/s)?.[0].trim() ?? "";
  write("rank", String(rank));
  write("points", halves(points));
  write("played", `${played}${ofAll}`);
  write("wdl", `${won}–${drawn}–${lost}`);
  write("game_points", String(gamePoints));
  write("forfeited", String(forfeited));
  [...document.getElementById(id).querySelectorAll(".tie-break")].forEach((cell, at) => writeTieBreak(cell, values[at]));
}

function writeTieBreak(cell, value) {
  const lot = typeof value === "string" && cell.id.endsWith("-lot");
  const isMargin = cell.id.endsWith("-margin") && typeof value === "number";
  const sign = isMargin && value ? (value > 0 ? "+" : "−") : "";
  const text = typeof value === "number" ? sign + halves(isMargin ? Math.abs(value) : value) : value ?? "–";
  if (cell.textContent.trim() === text) return;
  const content = lot ? document.createElement("code") : document.createTextNode(text);
  if (lot) content.textContent = text;
  cell.replaceChildren(content);
}

/**
 * Show a row of [fixture, state, [[score, is best, forfeited] of each seat]]. Return false if the page has to request
 * its fragment.
 */
function showTable([fixture, state, seats]) {
  const cell = document.getElementById(`f${fixture}`);
  if (!cell) return true;
  const [link, made] = [cell.querySelector(":scope > a"), document.getElementById(`row-${state}`)];
  const sittings = cell.querySelectorAll(".sittings > li");
  if (!link || !made || sittings.length !== seats.length || cell.querySelector(":scope > .badge")) return false;
  seats.forEach(([score, isBest, forfeited], at) => writeSeat(sittings[at], score, isBest, forfeited));
  const fresh = document.importNode(made.content, true).firstElementChild;
  fresh.setAttribute("href", link.getAttribute("href"));
  if (!link.isEqualNode(fresh)) link.replaceWith(fresh);
  return true;
}

function writeSeat(seat, score, isBest, forfeited) {
  seat.classList.toggle("first", isBest);
  seat.querySelector(".name ~ .number")?.remove();
  if (score === null) return;
  const number = document.createElement("span");
  number.className = "number";
  if (forfeited) number.append(document.importNode(document.getElementById("row-forfeited").content, true));
  number.append(halves(score));
  seat.append(number);
}

/** Format 12.5 as 12½ and 2.25 as 2¼; other fractions with the decimal mark of the page's language. */
export function halves(value) {
  const whole = Math.floor(value);
  const quarter = value > 0 ? QUARTERS[value - whole] : undefined;
  if (quarter) return `${whole || ""}${quarter}`;
  const mark = new Intl.NumberFormat(document.documentElement.lang).formatToParts(1.5).find(({ type }) => type === "decimal");
  return String(value).replace(".", mark.value);
}

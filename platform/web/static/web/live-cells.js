/**
 * <live-cells topic="tournament.5:SIGNATURE" src="/tournaments/first/cells/">...the page...</live-cells>
 *
 * On every announcement of `topic` (at most one request at a time, and one a second) it reads `src`. In the answer
 *  - an element with `id` and `data-live` gives its content to the element of that id in the page;
 *  - an element with `id` and `data-live-list` ("append" or "prepend") adds those children whose id the page lacks,
 *    and refreshes the content of those it has. A list that grows at its front is as long as the answer's: it pushes
 *    nothing that stands below it.
 * What the reader has a hand on stays as it is until the hand is gone: a cell that holds the focus or is being pressed, and
 * the order of a list that the pointer is over. Without `topic` it refreshes when a "live:refresh" event bubbles up from inside.
 * An answer that says `X-Live-Again: 8` is not the newest: it asks again after so many seconds, and not before. So is a page with
 * `data-again="8"`.
 * With `data-shared` its reader sees what everyone does, and it asks without cookies, in the language of the page: the site then
 * has the answer already. One that is not everyone's any more comes without `X-Live-Shared`, and is asked for by the reader.
 * Announcements of a contest come with a `revision` and are heard by many at once: each page waits up to 2 s before it asks. A page
 * with parts (see live-rows.js) is sent their rows, and then asks for all the rest once in 15 s; at once only for what says `reload`.
 * `[data-copy="s5-rank"]` says what the element of that id says.
 * `data-rows="s5 s8"`: the reader's own rows. They are marked here, and what is in their `[data-own]` stays.
 * An answer that says that the site is busy or broken, or none, is asked for again after 2 s, then after twice as long each time,
 * 15 s at most.
 * `data-every="8"`: also every so many seconds while somebody looks, for what goes on by the clock, such as a broadcast.
 */

import { showParts, subscribe } from "./live.js";
import { LiveRows } from "./live-rows.js";

const PAUSE_MS = 1000;
const FAILED_MS = 2000;
const FAILED_MOST_MS = 15_000;
const CLICK_MS = 50;
const JITTER_MS = 200;
const CONTEST_JITTER_MS = 2000;
const REST_MS = 15_000; // after which a page that is sent rows asks for what is none
const LETTING_GO = ["pointerup", "pointerout", "pointercancel", "focusout"];

class LiveCells extends HTMLElement {
  #unsubscribe = () => {};
  #timer = 0;
  #clock = 0;
  #last = 0;
  #at = 0; // when the timer is due
  #newerAt = 0; // when a newer answer than the last may be there
  #busy = false;
  #again = Infinity; // after how long it asks once more, counted from the answer that it waits for
  #failed = 0; // times, one after another
  #held = new Map(); // by id what was kept back, as it was in the newest answer that had it
  #rows = new LiveRows(this);
  #own = new Map(); // by id of the reader's own rows what they may do there

  connectedCallback() {
    for (const id of this.dataset.rows?.split(" ") ?? []) this.#own.set(id, this.querySelector(`[data-own="${id}"]`)?.cloneNode(true));
    if (this.hasAttribute("topic")) this.#unsubscribe = subscribe(this.getAttribute("topic"), (message) => this.#hear(message));
    if (Number(this.dataset.again)) {
      this.#last = Date.now();
      this.#newerAt = Date.now() + 1000 * Number(this.dataset.again);
      this.#due(this.#pause(1000 * Number(this.dataset.again)));
    }
    if (this.dataset.every) this.#clock = setInterval(() => !document.hidden && this.#due(), 1000 * Number(this.dataset.every));
    this.addEventListener("live:refresh", this.#onRefresh);
    for (const name of LETTING_GO) this.addEventListener(name, this.#onLetGo);
  }

  disconnectedCallback() {
    this.#unsubscribe();
    this.removeEventListener("live:refresh", this.#onRefresh);
    for (const name of LETTING_GO) this.removeEventListener(name, this.#onLetGo);
    clearTimeout(this.#timer);
    clearInterval(this.#clock);
    this.#timer = 0;
  }

  #onRefresh = () => this.#due();

  #hear(message) {
    const { subscribed, revision, reload, rows } = message;
    const jitter = revision || reload ? CONTEST_JITTER_MS : JITTER_MS;
    const { parts } = this.#rows;
    if (subscribed) {
      if (!Object.keys(parts).length || !showParts(this.getAttribute("topic"), parts)) this.#due();
    } else if (rows) {
      // What is held back is from before the rows, and would take their place.
      if (this.#held.size || !this.#rows.take(message)) this.#due(PAUSE_MS, jitter);
      this.#copy();
    } else this.#due(reload ? PAUSE_MS : this.#pause(PAUSE_MS), jitter);
  }

  /** For how long the page waits that is sent rows meanwhile. */
  #pause(pause) {
    return Object.keys(this.#rows.parts).length ? Math.max(pause, REST_MS) : pause;
  }

  /** Once the click that ends here has been heard. */
  #onLetGo = () => {
    if (this.#held.size) setTimeout(() => this.#letGo(), CLICK_MS);
  };

  #letGo() {
    this.#merge();
    if (!this.#held.size && Object.keys(this.#rows.parts).length) this.#due(); // no rows were shown meanwhile
  }

  #due(pause = PAUSE_MS, jitter = JITTER_MS) {
    if (this.#busy) {
      this.#again = Math.min(this.#again, pause);
      return;
    }
    // Jitter: a thousand viewers hear an announcement at the same moment.
    const at = Math.max(this.#last + pause, this.#newerAt, Date.now()) + Math.random() * jitter;
    if (this.#timer && this.#at <= at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => this.#refresh(), at - Date.now());
  }

  async #refresh() {
    this.#timer = 0;
    this.#busy = true;
    this.#again = Infinity;
    let failed = false;
    try {
      const answer = await this.#ask();
      const again = 1000 * Number(answer.headers.get("X-Live-Again"));
      failed = answer.status >= 500 || answer.status === 429;
      const isNewest = !answer.ok || this.#take(new DOMParser().parseFromString(await answer.text(), "text/html"));
      this.#newerAt = Date.now() + again;
      if (!isNewest) this.#again = PAUSE_MS;
      else if (again) this.#again = Math.min(this.#again, this.#pause(again));
    } catch (error) {
      console.warn("live-cells: not refreshed", error);
      failed = true;
    }
    this.#failed = failed ? this.#failed + 1 : 0;
    this.#last = Date.now();
    this.#busy = false;
    if (!this.isConnected) return;
    // What was announced last may never be announced again.
    if (failed) this.#again = Math.max(PAUSE_MS, Math.min(FAILED_MS * 2 ** (this.#failed - 1), FAILED_MOST_MS));
    if (this.#again < Infinity) this.#due(this.#again);
  }

  async #ask() {
    const [src, headers] = [this.getAttribute("src"), { "X-Live-Cells": "1" }];
    if ("shared" in this.dataset) {
      const spoken = { "Accept-Language": document.documentElement.lang };
      const answer = await fetch(src, { credentials: "omit", headers: { ...headers, ...spoken } });
      if (answer.headers.has("X-Live-Shared") || answer.status >= 500) return answer;
      delete this.dataset.shared;
    }
    return fetch(src, { headers });
  }

  #mark(part) {
    for (const [id, own] of this.#own) {
      const row = part.querySelector(`[id="${id}"]`);
      row?.classList.add("mine");
      if (own) row?.querySelector("[data-own]")?.replaceWith(own.cloneNode(true));
    }
  }

  /** Returns false where the answer is older than the rows that the page was sent. */
  #take(answer) {
    this.#mark(answer);
    for (const fresh of answer.querySelectorAll("[id][data-live], [id][data-live-list]")) {
      this.#held.delete(fresh.id); // and behind those that it may lie in
      this.#held.set(fresh.id, fresh);
    }
    this.#merge();
    const isNewest = this.#rows.refreshed(answer, this.#held.size > 0);
    this.#copy();
    return isNewest;
  }

  #copy() {
    for (const copy of this.querySelectorAll("[data-copy]")) copy.textContent = document.getElementById(copy.dataset.copy)?.textContent ?? copy.textContent;
  }

  #merge() {
    for (const [id, fresh] of this.#held) {
      const present = document.getElementById(id);
      const merge = fresh.hasAttribute("data-live") ? replaceContent : mergeList;
      if (!present || !this.contains(present) || merge(present, fresh)) this.#held.delete(id);
    }
  }
}

const inHand = (element) => element.matches(":active, :focus-within");

// Both return false where they had to leave something for later.

function replaceContent(present, fresh) {
  if (present.innerHTML === fresh.innerHTML) return true;
  if (inHand(present)) return false;
  present.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  return true;
}

function mergeList(list, fresh) {
  const prepend = fresh.dataset.liveList === "prepend";
  const still = prepend && list.matches(":hover, :focus-within");
  const children = [...fresh.children].filter((child) => child.id);
  let done = true;
  // The answer is in the order of the page; taking it backwards keeps that order when each goes to the front.
  for (const child of prepend ? children.reverse() : children) {
    const present = document.getElementById(child.id);
    if (present) done = replaceContent(present, child) && done;
    else if (still) done = false;
    else list[prepend ? "prepend" : "append"](document.importNode(child, true));
  }
  if (prepend && !still) while (list.children.length > fresh.children.length) list.lastElementChild.remove();
  return done;
}

customElements.define("live-cells", LiveCells);

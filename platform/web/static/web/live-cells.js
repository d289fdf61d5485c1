/**
 * <live-cells topic="tournament.5:SIGNATURE" src="/tournaments/first/cells/">...the page...</live-cells>
 *
 * Refreshes parts of the page. On each message about `topic`, it fetches `src` (one request at a time, at most one a
 * second), and merges the response:
 * - An element with `id` and `data-live` replaces the content of the element with that id.
 * - An element with `id` and `data-live-list` ("append" or "prepend") adds children whose id is missing and refreshes
 *   the others. A list with "prepend" is cut to the length of the response, so that the page below does not move.
 * A cell that has the focus or is being pressed, and a list under the pointer, are updated when released.
 * "live:refresh" events from inside also trigger a refresh.
 *
 * Attributes:
 * - `data-shared`: the content is the same for everyone. Requests are sent without cookies and in the language of the
 *   page, so that the site's cache answers. If a response lacks `X-Live-Shared`, the request is repeated with cookies, as are all later ones.
 * - `data-again="8"`: refresh once after 8 seconds; so does the header `X-Live-Again: 8` of a response that was not
 *   current. There is no earlier request.
 * - `data-every="8"`: also refresh every 8 seconds while the page is visible, for content that changes with time.
 * - `data-copy="s5-rank"`: the element shows the text of the element with that id.
 * - `data-rows="s5 s8"`: the reader's own rows. They are marked, and the content of their `[data-own]` remains.
 *
 * Messages about contests have a `revision`; pages wait up to 2 s at random before they request, because many receive
 * them. A page with parts (live-rows.js) receives their rows over the socket, and fetches everything else at most once in 15 s,
 * or at once after a message with `reload`. After an error, requests are repeated after 2 s, then after twice the time,
 * up to 15 s.
 */

import { showParts, subscribe } from "./live.js";
import { LiveRows } from "./live-rows.js";

const PAUSE_MS = 1000;
const FAILED_MS = 2000;
const FAILED_MOST_MS = 15_000;
const CLICK_MS = 50;
const JITTER_MS = 200;
const CONTEST_JITTER_MS = 2000;
const REST_MS = 15_000; // how long a page that receives rows waits before it fetches the rest
const LETTING_GO = ["pointerup", "pointerout", "pointercancel", "focusout"];

class LiveCells extends HTMLElement {
  #unsubscribe = () => {};
  #timer = 0;
  #clock = 0;
  #last = 0;
  #at = 0; // when the timer ends
  #newerAt = 0; // when a newer response may be available
  #busy = false;
  #again = Infinity; // delay of another refresh, counted from the pending response
  #failed = 0; // consecutive failures
  #held = new Map(); // id -> newest content that could not be merged yet
  #rows = new LiveRows(this);
  #own = new Map(); // id of the reader's own row -> its controls

  connectedCallback() {
    for (const id of this.dataset.rows?.split(" ") ?? []) this.#own.set(id, this.querySelector(`[data-own="${id}"]`)?.cloneNode(true));
    if (this.hasAttribute("topic")) this.#unsubscribe = subscribe(this.getAttribute("topic"), (message) => this.#receive(message));
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

  #receive(message) {
    const { subscribed, revision, reload, rows } = message;
    const jitter = revision || reload ? CONTEST_JITTER_MS : JITTER_MS;
    const { parts } = this.#rows;
    if (subscribed) {
      if (!Object.keys(parts).length || !showParts(this.getAttribute("topic"), parts)) this.#due();
    } else if (rows) {
      // Pending content is older than the rows and would overwrite them.
      if (this.#held.size || !this.#rows.take(message)) this.#due(PAUSE_MS, jitter);
      this.#copy();
    } else this.#due(reload ? PAUSE_MS : this.#pause(PAUSE_MS), jitter);
  }

  /** Return the pause between requests; pages that receive rows wait longer. */
  #pause(pause) {
    return Object.keys(this.#rows.parts).length ? Math.max(pause, REST_MS) : pause;
  }

  /** Wait for the click event that follows. */
  #onLetGo = () => {
    if (this.#held.size) setTimeout(() => this.#letGo(), CLICK_MS);
  };

  #letGo() {
    this.#merge();
    if (!this.#held.size && Object.keys(this.#rows.parts).length) this.#due(); // rows were ignored meanwhile
  }

  #due(pause = PAUSE_MS, jitter = JITTER_MS) {
    if (this.#busy) {
      this.#again = Math.min(this.#again, pause);
      return;
    }
    // Jitter: a thousand viewers receive a message at the same moment.
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
      const answer = await this.#fetch();
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
    // The last message may never be repeated.
    if (failed) this.#again = Math.max(PAUSE_MS, Math.min(FAILED_MS * 2 ** (this.#failed - 1), FAILED_MOST_MS));
    if (this.#again < Infinity) this.#due(this.#again);
  }

  async #fetch() {
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

  /** Merge a response. Return false if it is older than the rows received. */
  #take(answer) {
    this.#mark(answer);
    for (const fresh of answer.querySelectorAll("[id][data-live], [id][data-live-list]")) {
      this.#held.delete(fresh.id); // move it behind the elements that contain it
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

// Both functions return false if something has to wait.

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
  // The response is in page order; prepending in reverse keeps it.
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

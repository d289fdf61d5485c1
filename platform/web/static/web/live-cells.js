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
 * An answer names in `X-Live-State` the state that it shows; asked again with that in `X-Live-Have`, the site may send no more
 * than what has changed since, each cell in a <template>. `data-state`: the state of the page.
 * With `data-shared` its reader sees what everyone does, and it asks without cookies, in the language of the page: the site then
 * has the answer already. One that is not everyone's any more comes without `X-Live-Shared`, and is asked for by the reader.
 * Where the server offers it, such a page is sent its cells over the socket, and asks by HTTP only when it is told to, or was
 * sent what has changed since another state than its own.
 * `data-rows="s5 s8"`: the reader's own rows. They are marked here, and what is in their `[data-own]` stays.
 * `data-personal="MARK"`: its reader is told more than everyone. As soon as an answer for everyone has another mark, in the
 * `data-personal` of an element, the reader asks for their own once.
 * An answer that says that the site is busy or broken, or none, is asked for again after 2 s, then after twice as long each time,
 * 15 s at most.
 * `data-every="8"`: also every so many seconds while somebody looks, for what goes on by the clock, such as a broadcast.
 */

import { subscribe, wantCells } from "./live.js";

const PAUSE_MS = 1000;
const FAILED_MS = 2000;
const FAILED_MOST_MS = 15_000;
const CLICK_MS = 50;
const SRC_MOST = 512; // characters of an address that a socket may name: see web/topics.py
const LETTING_GO = ["pointerup", "pointerout", "pointercancel", "focusout"];

class LiveCells extends HTMLElement {
  #unsubscribe = () => {};
  #timer = 0;
  #clock = 0;
  #last = 0;
  #busy = false;
  #again = false;
  #failed = 0; // times, one after another
  #held = new Map(); // by id what was kept back, as it was in the newest answer that had it
  #state = "";
  #isSent = false; // its cells, over the socket, if it asks for them
  #own = new Map(); // by id of the reader's own rows what they may do there
  #asksForOwn = false;

  connectedCallback() {
    this.#state ||= this.dataset.state ?? "";
    for (const id of this.dataset.rows?.split(" ") ?? []) this.#own.set(id, this.querySelector(`[data-own="${id}"]`)?.cloneNode(true));
    if (this.hasAttribute("topic")) this.#unsubscribe = subscribe(this.getAttribute("topic"), (message) => this.#hear(message));
    if (Number(this.dataset.again)) {
      this.#last = Date.now();
      this.#due(1000 * Number(this.dataset.again));
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

  #hear({ subscribed, cells, src, have, state, html }) {
    if (subscribed) {
      this.#isSent = true;
      if (!this.#want(0)) this.#due();
      else if (!this.#busy) {
        clearTimeout(this.#timer); // what it would ask for is sent
        this.#timer = 0;
      }
      return;
    }
    if (cells === false) this.#isSent = false;
    const isMine = html !== undefined && "shared" in this.dataset && src === this.getAttribute("src");
    if (isMine && !this.#busy && have === this.#state) {
      this.#take(new DOMParser().parseFromString(html, "text/html"));
      this.#state = state;
      if (this.#asksForOwn) this.#due(0);
    } else this.#due();
  }

  /** Asks to be sent what everyone sees upon each announcement, and in so many seconds too; returns whether it is. */
  #want(due) {
    if (!this.#isSent || !("shared" in this.dataset) || !this.hasAttribute("topic")) return false;
    const [src, language] = [this.getAttribute("src"), document.documentElement.lang];
    return src.length <= SRC_MOST && wantCells(this.getAttribute("topic"), { src, language, state: this.#state, due });
  }

  /** Once the click that ends here has been heard. */
  #onLetGo = () => {
    if (this.#held.size) setTimeout(() => this.#merge(), CLICK_MS);
  };

  #due(pause = PAUSE_MS) {
    if (this.#busy) this.#again = true;
    else if (!this.#timer) {
      // Jitter: a thousand viewers hear an announcement at the same moment.
      const wait = Math.max(this.#last + pause - Date.now(), 0) + Math.random() * 200;
      this.#timer = setTimeout(() => this.#refresh(), wait);
    }
  }

  async #refresh() {
    this.#timer = 0;
    this.#busy = true;
    this.#again = false;
    let pause = PAUSE_MS;
    let again = 0;
    let failed = false;
    try {
      const answer = await this.#ask();
      again = Number(answer.headers.get("X-Live-Again"));
      failed = answer.status >= 500 || answer.status === 429;
      if (answer.ok) {
        this.#take(new DOMParser().parseFromString(await answer.text(), "text/html"), this.#asksForOwn);
        if (this.#asksForOwn) [this.#again, pause] = [true, 0];
        this.#state = answer.headers.get("X-Live-State") ?? "";
      }
    } catch (error) {
      console.warn("live-cells: not refreshed", error);
      failed = true;
    }
    this.#failed = failed ? this.#failed + 1 : 0;
    this.#last = Date.now();
    this.#busy = false;
    if (!this.isConnected) return;
    if (!failed && !this.#asksForOwn && this.#want(this.#again ? 0 : again || null)) return;
    if (again && !this.#asksForOwn) [this.#again, pause] = [true, 1000 * again];
    // What was announced last may never be announced again.
    if (failed) [this.#again, pause] = [true, Math.max(pause, Math.min(FAILED_MS * 2 ** (this.#failed - 1), FAILED_MOST_MS))];
    if (this.#again) this.#due(pause);
  }

  async #ask() {
    const [src, have] = [this.getAttribute("src"), this.#state ? { "X-Live-Have": this.#state } : {}];
    const headers = { "X-Live-Cells": "1", ...have };
    if ("shared" in this.dataset && !this.#asksForOwn) {
      const spoken = { "Accept-Language": document.documentElement.lang };
      const answer = await fetch(src, { credentials: "omit", headers: { ...headers, ...spoken } });
      if (answer.headers.has("X-Live-Shared") || answer.status >= 500) return answer;
      delete this.dataset.shared;
    }
    this.#asksForOwn = true;
    return fetch(src, { headers });
  }

  #mark(part) {
    for (const [id, own] of this.#own) {
      const row = part.querySelector(`[id="${id}"]`);
      row?.classList.add("mine");
      if (own) row?.querySelector("[data-own]")?.replaceWith(own.cloneNode(true));
    }
  }

  #take(answer, isOwn = false) {
    const mark = answer.querySelector("[data-personal]")?.dataset.personal;
    if ("personal" in this.dataset && mark) {
      this.#asksForOwn = !isOwn && mark !== this.dataset.personal;
      if (isOwn) this.dataset.personal = mark;
    } else this.#asksForOwn = false;
    const parts = [answer, ...[...answer.querySelectorAll("template")].map((template) => template.content)];
    for (const part of parts) {
      this.#mark(part);
      for (const fresh of part.querySelectorAll("[id][data-live], [id][data-live-list]")) {
        this.#held.delete(fresh.id); // and behind those that it may lie in
        this.#held.set(fresh.id, fresh);
      }
    }
    this.#merge();
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

/**
 * <live-cells topic="tournament.5" src="/tournaments/first/cells/">...the page...</live-cells>
 *
 * On every announcement of `topic` (at most one request at a time, and one a second) it reads `src`. In the answer
 *  - an element with `id` and `data-live` gives its content to the element of that id in the page;
 *  - an element with `id` and `data-live-list` ("append" or "prepend") adds those children whose id the page lacks,
 *    and refreshes the content of those it has.
 * Nothing already on the page moves. Without `topic` it refreshes when a "live:refresh" event bubbles up from inside.
 */

import { subscribe } from "./live.js";

const PAUSE_MS = 1000;

class LiveCells extends HTMLElement {
  #unsubscribe = () => {};
  #timer = 0;
  #last = 0;
  #busy = false;
  #again = false;

  connectedCallback() {
    if (this.hasAttribute("topic")) this.#unsubscribe = subscribe(this.getAttribute("topic"), () => this.#due());
    this.addEventListener("live:refresh", this.#onRefresh);
  }

  disconnectedCallback() {
    this.#unsubscribe();
    this.removeEventListener("live:refresh", this.#onRefresh);
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #onRefresh = () => this.#due();

  #due() {
    if (this.#busy) this.#again = true;
    else if (!this.#timer) {
      // Jitter: a thousand viewers hear an announcement at the same moment.
      const wait = Math.max(this.#last + PAUSE_MS - Date.now(), 0) + Math.random() * 200;
      this.#timer = setTimeout(() => this.#refresh(), wait);
    }
  }

  async #refresh() {
    this.#timer = 0;
    this.#busy = true;
    this.#again = false;
    try {
      const answer = await fetch(this.getAttribute("src"), { headers: { "X-Live-Cells": "1" } });
      if (answer.ok) this.#merge(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch (error) {
      console.warn("live-cells: not refreshed", error); // the next announcement tries again
    }
    this.#last = Date.now();
    this.#busy = false;
    if (this.#again && this.isConnected) this.#due();
  }

  #merge(answer) {
    for (const fresh of answer.querySelectorAll("[id][data-live]")) {
      const present = document.getElementById(fresh.id);
      if (present && this.contains(present)) replaceContent(present, fresh);
    }
    for (const fresh of answer.querySelectorAll("[id][data-live-list]")) {
      const list = document.getElementById(fresh.id);
      if (list && this.contains(list)) mergeList(list, fresh);
    }
  }
}

function replaceContent(present, fresh) {
  if (present.innerHTML === fresh.innerHTML) return;
  present.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
}

function mergeList(list, fresh) {
  const prepend = fresh.dataset.liveList === "prepend";
  const children = [...fresh.children].filter((child) => child.id);
  // The answer is in the order of the page; taking it backwards keeps that order when each goes to the front.
  for (const child of prepend ? children.reverse() : children) {
    const present = document.getElementById(child.id);
    if (present) replaceContent(present, child);
    else list[prepend ? "prepend" : "append"](document.importNode(child, true));
  }
}

customElements.define("live-cells", LiveCells);

// <rating-graph>: describes the point of the graph under the pointer, or at the slider below it. The server draws the
// graph, so it also works without scripts and in print.

import { full, written } from "../web/when.js";

class RatingGraph extends HTMLElement {
  #points = JSON.parse(this.querySelector("script").textContent); // [x, y, milliseconds, rating, interval, version]
  #svg = this.querySelector("svg");
  #slider = this.querySelector("input");
  #output = this.querySelector("output");
  #dot = this.querySelector(".dot");

  connectedCallback() {
    this.#slider.max = this.#slider.value = this.#points.length - 1;
    this.#slider.addEventListener("input", () => this.#show());
    this.#svg.addEventListener("pointermove", (event) => this.#point(event));
    this.#svg.addEventListener("pointerdown", (event) => this.#point(event));
    this.#show();
  }

  #point({ clientX }) {
    const { left, width } = this.#svg.getBoundingClientRect();
    const across = ((clientX - left) / width) * this.#svg.viewBox.baseVal.width;
    const far = ([x]) => Math.abs(x - across);
    this.#slider.value = this.#points.reduce((best, one, at) => (far(one) < far(this.#points[best]) ? at : best), 0);
    this.#show();
  }

  #show() {
    const [x, y, when, rating, within, version] = this.#points[this.#slider.value];
    this.#dot.setAttribute("transform", `translate(${x} ${y})`);
    const text = `${written(new Date(when), { ...full, timeZone: "UTC" })} · v${version} · ${String(rating).replace("-", "−")}\u00a0±\u00a0${within}`;
    this.#output.textContent = text;
    this.#slider.setAttribute("aria-valuetext", text);
  }
}

customElements.define("rating-graph", RatingGraph);

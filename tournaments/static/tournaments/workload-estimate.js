// <workload-estimate src="/tournaments/new/estimate/" slug="first">...</workload-estimate> inside a form: posts the
// form to `src` on load and after each change, and shows the response. `slug` names the tournament that the form edits.

const PAUSE_MS = 300; // several fields often change together

class WorkloadEstimate extends HTMLElement {
  #timer = 0;
  #stop = new AbortController();
  #request = new AbortController();

  connectedCallback() {
    const { signal } = this.#stop;
    this.closest("form").addEventListener("change", () => this.#onChange(), { signal });
    this.#refresh();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#request.abort();
  }

  #onChange() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), PAUSE_MS);
  }

  async #refresh() {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const body = new FormData(this.closest("form"));
    if (this.hasAttribute("slug")) body.set("slug", this.getAttribute("slug"));
    try {
      const answer = await fetch(this.getAttribute("src"), { method: "POST", body, signal });
      const text = await answer.text();
      if (answer.ok && !answer.redirected) this.innerHTML = text;
    } catch (error) {
      if (!signal.aborted) console.warn("workload-estimate: not refreshed", error);
    }
  }
}

customElements.define("workload-estimate", WorkloadEstimate);

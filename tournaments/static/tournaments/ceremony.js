// <ceremony-show>: a rank on the stage, those before it at its side. What was revealed comes by <live-cells>; here it is shown,
// read aloud where that is switched on, and stepped by keys: space reveals the next rank (for the organiser), the arrows look
// back and forth among those that were revealed, F is full screen.

const TYPING = "input:not([type=checkbox]), select, textarea, [contenteditable]";

class CeremonyShow extends HTMLElement {
  #at = 0; // which of the revealed ranks is on the stage, 0 the latest
  #shown = ""; // what was said of the latest rank
  #busy = false;
  #pointed = false; // whether what has the focus was clicked
  #stop = new AbortController();
  #watch = new MutationObserver(() => this.#changed());

  connectedCallback() {
    const { signal } = this.#stop;
    this.#shown = this.#latest;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    this.addEventListener("pointerdown", () => (this.#pointed = true), { signal });
    this.addEventListener("submit", (event) => this.#onSubmit(event), { signal });
    this.#watch.observe(this.querySelector("#ceremony-rail"), { childList: true });
    const full = this.querySelector("[data-full]");
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", () => this.#full(), { signal });
    this.querySelector("[data-speech]").hidden = !("speechSynthesis" in window);
    this.querySelector("[data-speech] input").addEventListener("change", (event) => this.#speech(event.target.checked), { signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#watch.disconnect();
    this.#speech(false);
  }

  get #ranks() {
    return [...this.querySelectorAll("#ceremony-rail > ol > li")];
  }

  get #latest() {
    return this.#ranks[0]?.dataset.say ?? "";
  }

  /** What is said of the ranks since the one shown, oldest first: one answer may bring several. */
  get #newlyRevealed() {
    const said = this.#ranks.map((rank) => rank.dataset.say);
    const shown = this.#shown ? said.indexOf(this.#shown) : said.length;
    return said.slice(0, Math.max(shown, 1)).reverse();
  }

  get #stage() {
    return this.querySelector("#ceremony-stage");
  }

  #changed() {
    if (this.#latest === this.#shown) return; // the number of ranks does not tell: of many only the latest are listed
    const revealed = this.#newlyRevealed;
    this.#shown = this.#latest;
    this.#at = 0;
    this.#look(0);
    this.#stage.classList.remove("revealing");
    void this.#stage.offsetWidth; // lets the animation begin once more
    this.#stage.classList.add("revealing");
    if (this.querySelector("[data-speech] input").checked) this.#say(revealed);
  }

  #speech(on) {
    if (!("speechSynthesis" in window)) return;
    if (!on) speechSynthesis.cancel();
    else this.#say([this.#latest]);
  }

  /** Says sentences in place of what is being said: autoplay may be faster than speech. */
  #say(sentences) {
    speechSynthesis.cancel();
    for (const sentence of sentences.filter(Boolean)) {
      const said = new SpeechSynthesisUtterance(sentence);
      said.lang = document.documentElement.lang;
      speechSynthesis.speak(said);
    }
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
    const { key } = event;
    const pressed = event.target.closest?.("button, a, summary, input");
    if (key === "Tab") this.#pointed = false;
    if (key === " " && pressed && !this.#pointed) return; // that is what it presses, unless a click has led there
    if (key === "ArrowLeft" || key === "PageUp") this.#look(this.#at + 1);
    else if ((key === "ArrowRight" || key === "PageDown") && this.#at) this.#look(this.#at - 1);
    else if ([" ", "ArrowRight", "PageDown"].includes(key) && "presents" in this.dataset) {
      if (!event.repeat) this.querySelector("[data-advance]")?.requestSubmit();
    } else if (key === "f" || key === "F") this.#full();
    else return;
    event.preventDefault();
  }

  /** Shows a rank that was revealed on the stage, 0 the latest. */
  #look(at) {
    const ranks = this.#ranks;
    if (!ranks.length) return;
    this.#at = Math.min(Math.max(at, 0), ranks.length - 1);
    ranks.forEach((rank, place) => rank.classList.toggle("current", place === this.#at && this.#at > 0));
    const [present, chosen] = [this.#stage.querySelector(".ceremony-rank"), ranks[this.#at].querySelector(".ceremony-rank")];
    if (present && present.outerHTML !== chosen.outerHTML) present.replaceWith(chosen.cloneNode(true));
    this.#stage.toggleAttribute("data-back", this.#at > 0);
  }

  async #onSubmit(event) {
    event.preventDefault();
    if (this.#busy) return;
    this.#busy = true;
    const form = event.target;
    const held = form.contains(document.activeElement);
    try {
      const body = new FormData(form, event.submitter);
      await fetch(form.action, { method: "POST", body, redirect: "manual" });
    } finally {
      this.#busy = false;
    }
    if (held) document.activeElement.blur(); // the cell is replaced, and the next press is by a key
    this.dispatchEvent(new Event("live:refresh", { bubbles: true }));
  }

  #full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.();
  }
}

customElements.define("ceremony-show", CeremonyShow);

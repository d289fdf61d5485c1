// <ceremony-show>: shows one rank on the stage and the revealed ones beside it. <live-cells> adds revealed ranks; this
// module shows them and can read them aloud. Keys: space reveals the next rank (organisers only), the arrows go through
// the revealed ranks, F switches to full screen.

const TYPING = "input:not([type=checkbox]), select, textarea, [contenteditable]";

class CeremonyShow extends HTMLElement {
  #at = 0; // index of the rank on the stage, 0 is the latest
  #shown = ""; // the speech text of the latest rank shown
  #busy = false;
  #pointed = false; // whether the focus came from a click
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

  /** The speech texts of the ranks revealed since the last one shown, oldest first: a refresh may add several. */
  get #newlyRevealed() {
    const texts = this.#ranks.map((rank) => rank.dataset.say);
    const shown = this.#shown ? texts.indexOf(this.#shown) : texts.length;
    return texts.slice(0, Math.max(shown, 1)).reverse();
  }

  get #stage() {
    return this.querySelector("#ceremony-stage");
  }

  #changed() {
    if (this.#latest === this.#shown) return; // the number of ranks is no criterion: only the latest of many are listed
    const revealed = this.#newlyRevealed;
    this.#shown = this.#latest;
    this.#at = 0;
    this.#look(0);
    this.#stage.classList.remove("revealing");
    void this.#stage.offsetWidth; // restarts the animation
    this.#stage.classList.add("revealing");
    if (this.querySelector("[data-speech] input").checked) this.#say(revealed);
  }

  #speech(on) {
    if (!("speechSynthesis" in window)) return;
    if (!on) speechSynthesis.cancel();
    else this.#say([this.#latest]);
  }

  /** Speak sentences instead of the current ones: autoplay may be faster than speech. */
  #say(sentences) {
    speechSynthesis.cancel();
    for (const sentence of sentences.filter(Boolean)) {
      const utterance = new SpeechSynthesisUtterance(sentence);
      utterance.lang = document.documentElement.lang;
      speechSynthesis.speak(utterance);
    }
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
    const { key } = event;
    const pressed = event.target.closest?.("button, a, summary, input");
    if (key === "Tab") this.#pointed = false;
    if (key === " " && pressed && !this.#pointed) return; // space presses a focused control, unless it was focused by a click
    if (key === "ArrowLeft" || key === "PageUp") this.#look(this.#at + 1);
    else if ((key === "ArrowRight" || key === "PageDown") && this.#at) this.#look(this.#at - 1);
    else if ([" ", "ArrowRight", "PageDown"].includes(key) && "presents" in this.dataset) {
      if (!event.repeat) this.querySelector("[data-advance]")?.requestSubmit();
    } else if (key === "f" || key === "F") this.#full();
    else return;
    event.preventDefault();
  }

  /** Show a revealed rank on the stage; 0 is the latest. */
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
    if (held) document.activeElement.blur(); // the element is replaced, and the next press is a key
    this.dispatchEvent(new Event("live:refresh", { bubbles: true }));
  }

  #full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.();
  }
}

customElements.define("ceremony-show", CeremonyShow);

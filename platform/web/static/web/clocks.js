// <count-down datetime="2026-12-24T18:00:00+00:00">Dec. 24, 6 p.m. UTC</count-down>: the time left; at its end, it
// refreshes the <live-cells> around it. <wall-clock>: the browser's time of day.
// Both render into shadow trees, because live cells compare the page with the server's response.

const DAY_SECONDS = 86_400;
const two = (value) => String(value).padStart(2, "0");

class Ticking extends HTMLElement {
  #timer = 0;

  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: "open" });
    this.tick();
    this.#timer = setInterval(() => this.tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  say(text) {
    if (this.shadowRoot.textContent !== text) this.shadowRoot.textContent = text;
  }
}

class CountDown extends Ticking {
  #left = 0;

  tick() {
    const left = Math.max(0, Math.ceil((Date.parse(this.getAttribute("datetime")) - Date.now()) / 1000));
    if (!left && this.#left) this.dispatchEvent(new CustomEvent("live:refresh", { bubbles: true }));
    this.#left = left;
    const days = Math.floor(left / DAY_SECONDS);
    const [hours, minutes, seconds] = [Math.floor((left % DAY_SECONDS) / 3600), Math.floor((left % 3600) / 60), left % 60];
    const clock = days || hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
    this.say(days ? `${inDays(days)}, ${clock}` : clock);
  }
}

function inDays(days) {
  return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "day", unitDisplay: "long" }).format(days);
}

class WallClock extends Ticking {
  tick() {
    this.say(new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format());
  }
}

customElements.define("count-down", CountDown);
customElements.define("wall-clock", WallClock);

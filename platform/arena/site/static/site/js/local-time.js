// <local-time datetime="2026-12-24T18:00:00+00:00">Dec. 24, 6 p.m. UTC</local-time>: says the reader's own time beside it.
// In a shadow tree: live cells compare what the server sent, and that must not change.
// <local-time for="id_first_round_at"> says it of what is typed, in UTC, into that field.

const how = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

class LocalTime extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: "open" }).innerHTML = "<slot></slot><span></span>";
    const field = document.getElementById(this.getAttribute("for") ?? "");
    field?.addEventListener("input", () => this.say(`${field.value}Z`));
    this.say(field ? `${field.value}Z` : this.getAttribute("datetime"));
  }

  say(written) {
    const when = new Date(written);
    const here = Number.isNaN(when.getTime()) || when.getTimezoneOffset() === 0;
    const language = document.documentElement.lang;
    const text = here ? "" : new Intl.DateTimeFormat(language, how).format(when);
    this.shadowRoot.querySelector("span").textContent = text && (this.hasAttribute("for") ? text : ` (${text})`);
  }
}

customElements.define("local-time", LocalTime);

// <local-time datetime="2026-12-24T18:00:00+00:00">Thu, 24 Dec 2026, 18:00 UTC</local-time>: shows the reader's local
// time and UTC. With zone="Europe/Zurich", shows the text, which is in that time zone, and the reader's time beside it.
// <local-time for="id_first_round_at" zone-of="id_time_zone"> shows the same for the time typed into that field, in the
// time zone chosen in the other field (or zone="Europe/Zurich"; by default UTC).
// It renders into a shadow tree, because live cells compare the page with the server's response.

import { full, short, written } from "./when.js";

const DAY = 86_400_000;

class LocalTime extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: "open" });
    const field = document.getElementById(this.getAttribute("for") ?? "");
    if (!field) return this.#read(new Date(this.getAttribute("datetime")), this.getAttribute("zone"));
    const chosen = document.getElementById(this.getAttribute("zone-of") ?? "");
    const typed = () => this.#type(instant(field.value, chosen?.value || this.getAttribute("zone") || "UTC"));
    field.addEventListener("input", typed);
    chosen?.addEventListener("change", typed);
    typed();
  }

  #read(when, zone) {
    const sent = document.createElement("slot");
    if (Number.isNaN(when.getTime()) || isHere(when, zone ?? "UTC")) this.#say(sent);
    else if (zone) this.#say(sent, ` (${brief(when, zone, undefined)})`);
    else this.#say(here(when));
  }

  #type(when) {
    this.#say(Number.isNaN(when.getTime()) ? "" : isHere(when, "UTC") ? written(when, { ...full, timeZone: "UTC" }) : here(when));
  }

  #say(...what) {
    this.shadowRoot.replaceChildren(...what);
  }
}

function here(when) {
  return `${written(when)} (${brief(when, undefined, "UTC")})`;
}

/** Format the time in a time zone (undefined: the reader's), with the day if it differs from the day in `beside`. */
function brief(when, beside, timeZone) {
  const [day, other] = [timeZone, beside].map((zone) => written(when, { weekday: "short", timeZone: zone }));
  return written(when, day === other ? { ...short, timeZone } : { ...short, weekday: "short", timeZone });
}

function isHere(when, zone) {
  return offset(when.getTime(), zone) === -when.getTimezoneOffset() * 60_000;
}

// Ambiguous times are read as on the server: a skipped hour with the offset before it, a repeated hour as its first.
function instant(text, zone) {
  const clock = Date.parse(`${text}Z`);
  if (Number.isNaN(clock)) return new Date(NaN);
  const [before, after] = [clock - DAY, clock + DAY].map((at) => offset(at, zone));
  const [first, second] = [clock - before, clock - after];
  return new Date(offset(first, zone) === before || offset(second, zone) !== after ? first : second);
}

function offset(at, timeZone) {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
  }).formatToParts(at);
  const of = Object.fromEntries(parts.map((part) => [part.type, Number(part.value)]));
  return Date.UTC(of.year, of.month - 1, of.day, of.hour, of.minute) - Math.floor(at / 60_000) * 60_000;
}

customElements.define("local-time", LocalTime);

// <select data-of-reader>: preselects the browser's time zone, if it is among the options.
for (const select of document.querySelectorAll("select[data-of-reader]")) {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

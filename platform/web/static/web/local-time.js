// <local-time datetime="2026-12-24T18:00:00+00:00">Thu, 24 Dec 2026, 18:00 UTC</local-time>: the reader's own time, UTC
// beside it. With zone="Europe/Zurich" the text is by the clock of that zone, and the reader's own stands beside it.
// In a shadow tree: live cells compare what the server sent, and that must not change.
// <local-time for="id_first_round_at" zone-of="id_time_zone"> says both of what is typed into that field, by the clock of
// the zone chosen there (or named by zone="Europe/Zurich"; else UTC).

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

/** The time by the clock of a zone (the reader's if undefined), with the day where it is another one than beside it. */
function brief(when, beside, timeZone) {
  const [day, other] = [timeZone, beside].map((zone) => written(when, { weekday: "short", timeZone: zone }));
  return written(when, day === other ? { ...short, timeZone } : { ...short, weekday: "short", timeZone });
}

function isHere(when, zone) {
  return offset(when.getTime(), zone) === -when.getTimezoneOffset() * 60_000;
}

// As the server reads it: a skipped hour by the clock before it, of a doubled hour the first.
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

// <select data-of-reader>: a new event is in the zone of the browser, if it knows of one that is offered.
for (const select of document.querySelectorAll("select[data-of-reader]")) {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

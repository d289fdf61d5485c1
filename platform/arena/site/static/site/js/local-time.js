// <local-time datetime="2026-12-24T18:00:00+00:00">Dec. 24, 6 p.m. UTC</local-time>: the reader's own time, UTC beside it.
// In a shadow tree: live cells compare what the server sent, and that must not change.
// <local-time for="id_first_round_at" zone-of="id_time_zone"> says both of what is typed into that field, by the clock of
// the zone chosen there (or named by zone="Europe/Zurich"; else UTC).

const how = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const DAY = 86_400_000;

class LocalTime extends HTMLElement {
  connectedCallback() {
    if (!this.shadowRoot)
      this.attachShadow({ mode: "open" }).innerHTML = "<span></span><slot></slot><span></span>";
    const field = document.getElementById(this.getAttribute("for") ?? "");
    if (!field) return this.say(new Date(this.getAttribute("datetime")));
    const chosen = document.getElementById(this.getAttribute("zone-of") ?? "");
    const typed = () => this.say(instant(field.value, chosen?.value || this.getAttribute("zone") || "UTC"), true);
    field.addEventListener("input", typed);
    chosen?.addEventListener("change", typed);
    typed();
  }

  say(when, withUTC = false) {
    const [before, after] = this.shadowRoot.querySelectorAll("span");
    const isTime = !Number.isNaN(when.getTime());
    const isElsewhere = isTime && when.getTimezoneOffset() !== 0;
    const utc = withUTC && isTime ? written(when, { ...how, timeZone: "UTC" }) : "";
    before.textContent = isElsewhere ? `${written(when, how)} (${utc}` : utc;
    after.textContent = isElsewhere ? ")" : "";
  }
}

function written(when, options) {
  return new Intl.DateTimeFormat(document.documentElement.lang, options).format(when);
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

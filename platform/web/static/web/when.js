// Format times as the template filter `moment` does, in the reader's time zone or in `timeZone`.

export const short = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
export const full = { ...short, weekday: "short", day: "numeric", month: "short", year: "numeric" };

// English also has the day before the month and 24 hours, as on the server.
export function written(when, options = full) {
  const { lang } = document.documentElement;
  return new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, options).format(when);
}

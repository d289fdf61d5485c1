// How scripts write a time: as the filter `moment` of templates does, by the clock of the reader or of `timeZone`.

export const short = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
export const full = { ...short, weekday: "short", day: "numeric", month: "short", year: "numeric" };

// Day before month and 24 hours in English too, as the server writes it.
export function written(when, options = full) {
  const { lang } = document.documentElement;
  return new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, options).format(when);
}

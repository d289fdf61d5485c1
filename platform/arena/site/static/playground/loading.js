/** What the page waits for until Python is there, in words and by a bar. */

import { fill, gettext } from "../matches/replay/i18n.js";

const MEGABYTE = 1e6;

/** `place`, hidden while nothing is measured, holds a <progress> and what it says in numbers; `say(words)` is called when the words change. */
export function createLoading(place, say) {
  const [bar, number] = place.children;
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  const size = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 0 });
  let words = gettext("Loading Python …");

  const change = (text) => {
    if (text !== words) say(text);
    words = text;
  };

  return {
    get words() {
      return words;
    },
    /** Shows that `come` bytes of `all` are there. */
    show({ come, all }) {
      const isThere = come >= all;
      change(isThere ? gettext("Starting Python …") : fill(gettext("Loading Python: %(size)s MB …"), { size: size.format(all / MEGABYTE) }));
      number.textContent = isThere ? "" : percent.format(come / all);
      if (isThere) bar.removeAttribute("value"); // how long Python takes to start is not known
      else bar.value = come / all;
      place.hidden = false;
    },
    end: () => (place.hidden = true),
  };
}

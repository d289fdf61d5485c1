/** The progress of loading Python, as a message and a bar. */

import { fill, gettext } from "../matches/replay/i18n.js";

const MEGABYTE = 1e6;

/**
 * Return { message, show, end }. `place` contains a <progress> and a text for the percentage, and is hidden until there
 * is progress to show. `say(message)` is called when the message changes.
 */
export function createLoading(place, say) {
  const [bar, number] = place.children;
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  const size = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 0 });
  let message = gettext("Loading Python …");

  const change = (text) => {
    if (text !== message) say(text);
    message = text;
  };

  return {
    get message() {
      return message;
    },
    /** Show that `come` of `all` bytes have arrived. */
    show({ come, all }) {
      const isThere = come >= all;
      change(isThere ? gettext("Starting Python …") : fill(gettext("Loading Python: %(size)s MB …"), { size: size.format(all / MEGABYTE) }));
      number.textContent = isThere ? "" : percent.format(come / all);
      if (isThere) bar.removeAttribute("value"); // the time that Python takes to start is unknown
      else bar.value = come / all;
      place.hidden = false;
    },
    end: () => (place.hidden = true),
  };
}

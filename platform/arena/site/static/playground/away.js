/** The author's bot that another took the place of: a line says so, and one click brings it back. */

import { el } from "../matches/replay/dom.js";
import { gettext } from "../matches/replay/i18n.js";
import { isSame } from "./draft.js";

/** The line is in `place`, which is read out; `files()` are in the editor, `restore(files)` puts others there, `focus()` the cursor. */
export function createAway(place, { files, restore, focus }) {
  const say = (...parts) => place.replaceChildren(...parts);

  const undo = (before, after) => {
    const isUnchanged = isSame(files(), after);
    restore(before); // what was changed since is put away, and offered in its turn
    if (isUnchanged) say(gettext("Your draft is back."));
    focus();
  };

  return {
    /** Says that `after` took the place of `before`. */
    offer: (before, after) => say(gettext("Your draft was put away."), " ", el("button", { type: "button", class: "button small", click: () => undo(before, after) }, gettext("Undo"))),
    clear: () => say(),
  };
}

/** Restore the author's draft after another bot replaced it in the editor: a status line with an "Undo" button. */

import { el } from "../matches/replay/dom.js";
import { gettext } from "../matches/replay/i18n.js";
import { isSame } from "./draft.js";

/**
 * Return { offer(before, after), clear() }. `place` is the status line; `files()` returns the files in the editor,
 * `restore(files)` replaces them, `focus()` moves the cursor into the editor.
 */
export function createReplacedDraft(place, { files, restore, focus }) {
  const say = (...parts) => place.replaceChildren(...parts);

  const undo = (before, after) => {
    const isUnchanged = isSame(files(), after);
    restore(before); // restore() offers the replaced files in turn, if the author changed them
    if (isUnchanged) say(gettext("Your draft is back."));
    focus();
  };

  return {
    /** Offer to undo the replacement of `before` by `after`. */
    offer: (before, after) => say(gettext("Your draft was put away."), " ", el("button", { type: "button", class: "button small", click: () => undo(before, after) }, gettext("Undo"))),
    clear: () => say(),
  };
}

/** What a player may do at the grill, in words. */

import { faceName } from "../../matches/replay/boards/grill/words.js";
import { nameOf } from "../../matches/replay/boards/heckmeck/specialists.js";
import { fill, gettext, ngettext } from "../../matches/replay/i18n.js";

const worth = (face) => (face === "W" ? 5 : Number(face));

const SPECIALISTS = {
  "use golden_die": () => gettext("Throw the golden die too"),
  "leave golden_die": () => gettext("Leave the golden die out"),
  "use weasel": () => gettext("Have the weasel throw these dice again"),
  "leave weasel": () => gettext("Do without the weasel"),
  "use canned_worm": () => gettext("Open the canned worm"),
  "leave canned_worm": () => gettext("Leave the can shut"),
};

export function label(action, view) {
  const [verb, what] = action.split(" ");
  if (verb === "take") {
    const count = view.rolled.filter((face) => face.replace("+", "") === what).length;
    return fill(gettext("Keep %(count)s × %(face)s, for %(sum)s in all"), { count, face: faceName(what), sum: view.sum + count * worth(what) });
  }
  if (action === "roll") return fill(ngettext("Roll on with one die", "Roll on with %(dice)s dice", view.dice_left), { dice: view.dice_left });
  if (action === "stop") return fill(gettext("Stop with %(sum)s"), { sum: view.sum });
  if (action === "steal") return gettext("Steal the tile");
  if (action === "decline") return gettext("Steal nothing");
  if (verb === "keep") return fill(gettext("Keep the %(specialist)s"), { specialist: nameOf(what) });
  if (verb === "bratworm") return fill(gettext("Take the bratworm of seat %(letter)s"), { letter: "ABCDEFG"[what] });
  return SPECIALISTS[action]?.() ?? action;
}

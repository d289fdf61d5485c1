/** On phones, the tabs are in a sheet: a button in the bar opens it at the "Luck" tab. */

import { el } from "../dom.js";
import { gettext } from "../i18n.js";

/** Add the button before "More" in the bar of `player`. */
export function addTap(player) {
  const open = () => {
    player.querySelector("#rp-tab-luck").click();
    player.querySelector("#rp-rail").showPopover();
  };
  player.querySelector(".rp-more").before(el("button", { type: "button", class: "rp-button lk-tap", click: open }, gettext("Luck")));
}

/** On a phone the tabs are in a sheet: a button of the bar opens it at the luck. */

import { el } from "../dom.js";
import { gettext } from "../i18n.js";

/** Puts the button before "More" in the bar of `player`, as rail.js and controls.js make them. */
export function addTap(player) {
  const open = () => {
    player.querySelector("#rp-tab-luck").click();
    player.querySelector("#rp-rail").showPopover();
  };
  player.querySelector(".rp-more").before(el("button", { type: "button", class: "rp-button lk-tap", click: open }, gettext("Luck")));
}

// A replay in somebody else's page: does what that page asks of the player, see docs/reference/embed.md.

import "../web/framed.js";

// Any page may show a replay, so any may move it; but only the page around it, and only what a viewer could do by hand.
addEventListener("message", ({ source, data }) => {
  if (window.parent === window || source !== window.parent || !data || typeof data !== "object") return;
  document.querySelector("match-replay").obey?.(data);
});

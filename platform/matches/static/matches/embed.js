// An embedded replay: carries out the messages of the page around it (docs/reference/embed.md).

import "../web/framed.js";

// Any page may embed a replay and control it. Accept messages only from the page around it, and only commands that
// viewers have, too.
addEventListener("message", ({ source, data }) => {
  if (window.parent === window || source !== window.parent || !data || typeof data !== "object") return;
  document.querySelector("match-replay").obey?.(data);
});

// A replay in somebody else's page: tells that page how high it would like to be, for pecking-order.js there, only ever
// more than it has; and does what that page asks of the player, see docs/reference/embed.md.

let told = 0;

new ResizeObserver(() => {
  const height = document.documentElement.scrollHeight;
  if (window.parent === window || height <= innerHeight || height === told) return;
  told = height;
  window.parent.postMessage({ type: "pecking-order:size", height }, "*"); // how high a page is, is no secret
}).observe(document.body);

// Any page may show a replay, so any may move it; but only the page around it, and only what a viewer could do by hand.
addEventListener("message", ({ source, data }) => {
  if (window.parent === window || source !== window.parent || !data || typeof data !== "object") return;
  document.querySelector("match-replay").obey?.(data);
});

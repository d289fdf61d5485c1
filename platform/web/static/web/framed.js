// A page in a frame of somebody else's page: tells that page how high it would like to be, for pecking-order.js there, only ever
// more than it has.

let told = 0;

new ResizeObserver(() => {
  const height = document.documentElement.scrollHeight;
  if (window.parent === window || height <= innerHeight || height === told) return;
  told = height;
  window.parent.postMessage({ type: "pecking-order:size", height }, "*"); // how high a page is, is no secret
}).observe(document.body);

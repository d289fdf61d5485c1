// For a page in a frame: request the height of its content from the page around it (see pecking-order.js). The height
// only grows.

let requested = 0;

new ResizeObserver(() => {
  const height = document.documentElement.scrollHeight;
  if (window.parent === window || height <= innerHeight || height === requested) return;
  requested = height;
  window.parent.postMessage({ type: "pecking-order:size", height }, "*"); // the height is not confidential
}).observe(document.body);

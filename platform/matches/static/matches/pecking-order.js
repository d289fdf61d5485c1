// For pages that show parts of this site in frames: <script type="module" src=".../pecking-order.js"></script>
// A frame becomes as high as its page asks for. Only frames of this script's own site are heard.

const site = new URL(import.meta.url).origin;

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== site || data?.type !== "pecking-order:size") return;
  const height = Number(data.height);
  if (!(height > 0 && height < 5000)) return;
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.contentWindow === source) frame.style.height = `${height}px`;
  }
});

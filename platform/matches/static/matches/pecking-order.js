// For pages that embed parts of this site: <script type="module" src=".../pecking-order.js"></script>
// Sets each frame to the height that its page requests. Only messages from this script's own site are accepted.

const site = new URL(import.meta.url).origin;

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== site || data?.type !== "pecking-order:size") return;
  const height = Number(data.height);
  if (!(height > 0 && height < 5000)) return;
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.contentWindow === source) frame.style.height = `${height}px`;
  }
});

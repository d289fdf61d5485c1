// "/" focuses the search box, except while the user is typing.

const TYPING = "input, select, textarea, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
  const box = document.getElementById("site-search");
  if (!box) return;
  event.preventDefault();
  box.focus();
});

// "/" goes to the search box, wherever one is; not while something is being typed.

const TYPING = "input, select, textarea, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
  const box = document.getElementById("site-search");
  if (!box) return;
  event.preventDefault();
  box.focus();
});

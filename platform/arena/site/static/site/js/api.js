// Swagger UI knows its dark theme by a class: keep it in step with ours.

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  root.classList.toggle("dark-mode", dark);
}

system.addEventListener("change", follow);
new MutationObserver(follow).observe(root, { attributeFilter: ["data-theme"] });
follow();

// The theme switch: applies the theme at once and stores it in the cookie that the server reads. Without this module,
// the form is sent and the server sets the cookie.

const YEAR = 365 * 24 * 3600;

function choose(theme) {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=${theme === "system" ? 0 : YEAR}; samesite=lax`;
}

for (const form of document.querySelectorAll("[data-theme-form]")) {
  form.addEventListener("submit", (event) => {
    const chosen = event.submitter;
    if (!chosen) return;
    event.preventDefault();
    choose(chosen.value);
    for (const button of document.querySelectorAll("[data-theme-form] button"))
      button.setAttribute("aria-pressed", button.value === chosen.value);
    form.closest("details")?.removeAttribute("open");
  });
}

// <button data-print>: opens the browser's dialog for printing the page.

document.querySelector("[data-print]").addEventListener("click", () => window.print());

// <button data-print>: opens the browser's print dialog.

document.querySelector("[data-print]").addEventListener("click", () => window.print());

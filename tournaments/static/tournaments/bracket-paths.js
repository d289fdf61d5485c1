// Highlights all matches of a bot in a bracket when the pointer or the focus is on it.

const bot = (element) => element.closest?.(".bout-card [data-entry]") ?? element.querySelector?.(":scope > .wins[data-entry]");

function trace(entry) {
  for (const side of document.querySelectorAll(".bout-card > [data-entry]")) side.classList.toggle("traced", side.dataset.entry === entry);
}

document.addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && trace(bot(target)?.dataset.entry));
document.addEventListener("focusin", ({ target }) => trace(bot(target)?.dataset.entry));

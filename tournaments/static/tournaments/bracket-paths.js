// Mark all matches of the bot of a bracket that the pointer or the keyboard is at.

const bot = (element) => element.closest?.(".bout-card [data-entry]") ?? element.querySelector?.(":scope > .wins[data-entry]");

function trace(entry) {
  for (const side of document.querySelectorAll(".bout-card > [data-entry]")) side.classList.toggle("traced", side.dataset.entry === entry);
}

document.addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && trace(bot(target)?.dataset.entry));
document.addEventListener("focusin", ({ target }) => trace(bot(target)?.dataset.entry));

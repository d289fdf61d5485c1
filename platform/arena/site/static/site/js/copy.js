// <button data-copy="text"> or <button data-copy-from="element-id">: copies, and says so in the button for a moment.

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-from]");
  if (!button) return;
  const text = button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return; // not allowed here: the text stays selectable
  }
  const label = button.textContent;
  button.textContent = gettext("Copied");
  setTimeout(() => (button.textContent = label), 1500);
});

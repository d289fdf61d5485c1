// <button data-copy="text"> or <button data-copy-from="element-id">: copies the text and confirms it on the button.

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-from]");
  if (!button) return;
  const text = button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return; // not allowed: the text can still be selected
  }
  const label = button.textContent;
  button.textContent = gettext("Copied");
  setTimeout(() => (button.textContent = label), 1500);
});

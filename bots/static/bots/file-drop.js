/**
 * <file-drop data-largest="2097152">: a file input on which files can also be dropped.
 *
 * The input inside remains usable by keyboard, by screen readers and without JavaScript. The element shows the chosen
 * file. It refuses files of more than `data-largest` bytes: the server would reject them, and drops whole requests of 8
 * MiB or more, with everything typed into the form.
 */

const { gettext, interpolate } = window;

class FileDrop extends HTMLElement {
  #input;
  #chosen;

  connectedCallback() {
    this.#input = this.querySelector("input[type=file]");
    this.#chosen = this.querySelector("output");
    this.querySelector(".drop-hint").hidden = false;
    this.#input.addEventListener("change", () => this.#show(this.#input.files[0]));
    this.addEventListener("click", (event) => {
      if (event.target === this) this.#input.click();
    });
    for (const kind of ["dragenter", "dragover"]) this.addEventListener(kind, (event) => this.#over(event));
    this.addEventListener("dragleave", (event) => {
      if (!this.contains(event.relatedTarget)) this.classList.remove("over");
    });
    this.addEventListener("drop", (event) => this.#drop(event));
    // Without this, a file dropped beside the element would replace the page.
    for (const kind of ["dragover", "drop"]) window.addEventListener(kind, keepPage);
  }

  disconnectedCallback() {
    for (const kind of ["dragover", "drop"]) window.removeEventListener(kind, keepPage);
  }

  #over(event) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.classList.add("over");
  }

  #drop(event) {
    this.classList.remove("over");
    const { files } = event.dataTransfer;
    if (!files.length) return;
    event.preventDefault();
    if (files.length > 1) {
      this.#say(gettext("Drop one file: a .py, or a .zip with everything in it."), true);
      return;
    }
    this.#input.files = files;
    this.#input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #show(file) {
    this.#input.setCustomValidity("");
    if (!file) {
      this.#chosen.hidden = true;
      return;
    }
    const size = bytesShown(file.size);
    const tooLarge = file.size > Number(this.dataset.largest);
    const text = tooLarge ? gettext("%(name)s is too large (%(size)s).") : "%(size)s"; // the input shows the name
    const message = interpolate(text, { name: file.name, size }, true);
    if (tooLarge) this.#input.setCustomValidity(message);
    this.#say(message, tooLarge);
  }

  #say(text, isBad) {
    this.#chosen.textContent = text;
    this.#chosen.dataset.tone = isBad ? "bad" : "good";
    this.#chosen.hidden = false;
  }
}

/** Format bytes like the template filter `bytes_shown`. */
function bytesShown(size) {
  const [unit, scale] = size < 1024 ? [gettext("B"), 1] : size < 1024 ** 2 ? [gettext("KiB"), 1024] : [gettext("MiB"), 1024 ** 2];
  const format = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
  return `${format.format(size / scale)}\u00a0${unit}`;
}

function keepPage(event) {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
}

customElements.define("file-drop", FileDrop);

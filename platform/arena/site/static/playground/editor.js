/**
 * <code-editor>: wraps a textarea, numbers its lines, indents by key and can mark a line. Edits are inserted as typed
 * text, so that the browser can undo them. After enrich(), CodeMirror is shown instead; the hidden textarea still holds
 * the text and fires "input".
 */

import { el } from "../matches/replay/dom.js";
import { gettext } from "../matches/replay/i18n.js";

const INDENT = "    ";

/**
 * CodeMirror's labels for its search panel. They are here because catalogues hold the texts of the files in a bundle.
 */
const phrases = () => ({
  Find: gettext("Find"),
  Replace: gettext("Replace"),
  next: gettext("next"),
  previous: gettext("previous"),
  all: gettext("all"),
  "match case": gettext("match case"),
  "by word": gettext("by word"),
  regexp: gettext("regexp"),
  replace: gettext("replace"),
  "replace all": gettext("replace all"),
  close: gettext("close"),
});

class CodeEditor extends HTMLElement {
  #area;
  #numbers;
  #marked = 0;
  #view = null; // the result of createView()
  #leaves = false; // true after Escape: the next Tab moves the focus
  #name = "bot.py"; // name of the file shown
  #remarks = [];

  connectedCallback() {
    if (this.#area) return;
    this.#area = this.querySelector("textarea");
    this.#numbers = el("pre", { class: "pg-numbers", "aria-hidden": "true" });
    this.prepend(this.#numbers);
    this.#area.addEventListener("input", () => this.#changed());
    this.#area.addEventListener("scroll", () => this.#follow());
    this.#area.addEventListener("keydown", (event) => this.#onKey(event));
    this.#changed();
  }

  /**
   * Load CodeMirror from `address`; on failure, the textarea remains. `help` are the options of codeHelp() in
   * code-help.js.
   */
  async enrich(address, help) {
    try {
      const [lib, { createView }] = await Promise.all([import(address), import("./code-mirror.js")]);
      const place = el("div", { class: "pg-rich" });
      const label = this.#area.getAttribute("aria-label") ?? "";
      const description = document.getElementById(this.#area.getAttribute("aria-describedby"))?.textContent.trim() ?? "";
      const hadFocus = document.activeElement === this.#area;
      this.#view = createView(place.attachShadow({ mode: "open" }), lib, { name: this.#name, text: this.value, label, description, help, phrases: phrases(), changed: (text, whole) => this.#typed(text, whole) });
      this.append(place);
      this.toggleAttribute("data-rich", true);
      this.#area.tabIndex = -1;
      this.#area.setAttribute("aria-hidden", "true");
      if (this.#area.readOnly) this.#view.show(this.#name, this.value, true);
      if (this.#marked) this.#view.mark(this.#marked);
      this.#view.remark(this.#remarks);
      if (hadFocus) this.#view.focus();
    } catch (error) {
      console.warn("code-editor: stays a plain one", error);
      help.describe(gettext("The code editor could not be loaded. You can write in this plain field."));
    }
  }

  /** Copy CodeMirror's text to the textarea, with the events that typing would fire. */
  #typed(text, whole) {
    if (whole) {
      this.#area.setSelectionRange(0, this.#area.value.length);
      this.#area.dispatchEvent(new InputEvent("beforeinput"));
    }
    this.#area.value = text;
    this.#area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  get value() {
    return this.#area.value;
  }

  /** Replace the text and clear the undo history. */
  set value(text) {
    this.#area.value = text;
    this.#view?.reset(text);
    this.#changed();
  }

  /** Show another file. */
  show(name, text, readOnly = false) {
    this.#name = name;
    this.#area.value = text;
    this.#area.readOnly = readOnly;
    this.#view?.show(name, text, readOnly);
    this.mark(0);
    this.remark([]);
  }

  /** Drop the undo histories of all files. Call this before showing another bot. */
  forget() {
    this.#view?.forget();
  }

  /** Write remarks at line ends (see remarks.js). Only CodeMirror shows them. */
  remark(list) {
    this.#remarks = list;
    this.#view?.remark(list);
  }

  focus() {
    (this.#view ?? this.#area).focus();
  }

  /** Replace the whole text as an edit that can be undone. */
  replace(text) {
    if (this.#view) return this.#view.replace(text);
    const focused = document.activeElement;
    this.#area.focus({ preventScroll: true });
    this.#area.select();
    type(text);
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
    if (focused !== this.#area) {
      this.#area.blur(); // the body, which has the focus after a page load, cannot be focused
      focused?.focus({ preventScroll: true });
    }
    return undefined;
  }

  /** Mark a line, counted from 1; 0 removes the mark. */
  mark(line) {
    this.#marked = line;
    this.#view?.mark(line);
    this.#number();
  }

  /** Move the cursor to a line, and scroll to it. */
  go(line) {
    if (this.#view) return this.#view.go(line);
    const lines = this.value.split("\n");
    const at = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.#area.focus();
    this.#area.setSelectionRange(at, at + (lines[line - 1] ?? "").length);
    this.#area.scrollTop = Math.max(0, (line - 4) * this.#lineHeight);
    return undefined;
  }

  get #lineHeight() {
    return parseFloat(getComputedStyle(this.#area).lineHeight);
  }

  #changed() {
    if (this.#view && this.#view.text !== this.value) this.#view.replace(this.value); // a script changed the textarea's text
    this.#marked = 0;
    this.#number();
  }

  #number() {
    if (this.#view) return; // CodeMirror has its own line numbers
    const count = this.value.split("\n").length;
    const rows = Array.from({ length: count }, (_, at) => el("span", at + 1 === this.#marked ? { class: "pg-marked" } : {}, `${at + 1}\n`));
    this.#numbers.replaceChildren(...rows);
    this.toggleAttribute("data-marked", this.#marked > 0);
    this.style.setProperty("--marked", this.#marked - 1);
    this.#follow();
  }

  #follow() {
    this.#numbers.scrollTop = this.#area.scrollTop;
    this.style.setProperty("--scrolled", `${this.#area.scrollTop}px`);
  }

  #onKey(event) {
    const leaves = this.#leaves;
    this.#leaves = event.key === "Escape";
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === "Tab" && !leaves) {
      event.preventDefault();
      this.#indent(event.shiftKey);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const before = this.value.slice(this.#lineStart(), this.#area.selectionStart);
      const indent = before.match(/^[ \t]*/)[0];
      type(`\n${indent}${before.trimEnd().endsWith(":") ? INDENT : ""}`);
    }
  }

  #lineStart() {
    return this.value.lastIndexOf("\n", this.#area.selectionStart - 1) + 1;
  }

  #indent(back) {
    const { selectionStart: from, selectionEnd: to } = this.#area;
    if (from === to && !back) return type(INDENT);
    const start = this.#lineStart();
    const lines = this.value.slice(start, to).split("\n");
    const changed = lines.map((line) => (back ? line.replace(/^ {1,4}|^\t/, "") : line && INDENT + line)).join("\n");
    this.#area.setSelectionRange(start, to);
    type(changed);
    this.#area.setSelectionRange(from === to ? Math.max(start, from - (lines.join("\n").length - changed.length)) : start, start + changed.length);
    return undefined;
  }
}

/** Insert `text` at the cursor as if it were typed, so that it can be undone. */
const type = (text) => document.execCommand(text ? "insertText" : "delete", false, text);

customElements.define("code-editor", CodeEditor);

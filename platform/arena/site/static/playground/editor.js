/**
 * <code-editor> around a textarea: numbers its lines, indents by key, and marks a line. Without it the textarea is a plain
 * one. What is typed can be undone as anywhere: text is put in as if it were typed. Where the site has CodeMirror it takes
 * the place of both; the textarea, out of sight, still holds the text and says when it changes.
 */

import { el } from "../matches/replay/dom.js";
import { gettext } from "../matches/replay/i18n.js";

const INDENT = "    ";

/** The words of CodeMirror's panel to search in, by its own; this module's, because texts come by what a bundle has. */
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
  #view = null; // of CodeMirror
  #leaves = false; // after Escape the next Tab is the page's
  #name = "bot.py"; // of the file that is shown
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

  /** Lets CodeMirror come from `address`; without it all stays as it is. `words` are those of code-words.js. */
  async enrich(address, words) {
    try {
      const [lib, { createView }] = await Promise.all([import(address), import("./code-mirror.js")]);
      const place = el("div", { class: "pg-rich" });
      const label = this.#area.getAttribute("aria-label") ?? "";
      const description = document.getElementById(this.#area.getAttribute("aria-describedby"))?.textContent.trim() ?? "";
      const hadFocus = document.activeElement === this.#area;
      this.#view = createView(place.attachShadow({ mode: "open" }), lib, { name: this.#name, text: this.value, label, description, words, phrases: phrases(), changed: (text, whole) => this.#typed(text, whole) });
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
      words.told(gettext("The code editor could not be loaded. You can write in this plain field."));
    }
  }

  /** What was typed in CodeMirror is the textarea's, as if it were typed there. */
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

  /** Another text, from which nothing leads back to the one before. */
  set value(text) {
    this.#area.value = text;
    this.#view?.reset(text);
    this.#changed();
  }

  /** Shows another file. */
  show(name, text, readOnly = false) {
    this.#name = name;
    this.#area.value = text;
    this.#area.readOnly = readOnly;
    this.#view?.show(name, text, readOnly);
    this.mark(0);
    this.remark([]);
  }

  /** What was shown before is of another bot: nothing leads back to it. */
  forget() {
    this.#view?.forget();
  }

  /** Writes remarks at the ends of lines, see remarks.js; a plain field has none. */
  remark(list) {
    this.#remarks = list;
    this.#view?.remark(list);
  }

  focus() {
    (this.#view ?? this.#area).focus();
  }

  /** Puts `text` in the place of all that is there, as if it were typed. */
  replace(text) {
    if (this.#view) return this.#view.replace(text);
    const focused = document.activeElement;
    this.#area.focus({ preventScroll: true });
    this.#area.select();
    type(text);
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
    if (focused !== this.#area) {
      this.#area.blur(); // the body, which has the focus of a page just loaded, takes none back
      focused?.focus({ preventScroll: true });
    }
    return undefined;
  }

  /** Marks a line, counted from 1; 0 marks none. */
  mark(line) {
    this.#marked = line;
    this.#view?.mark(line);
    this.#number();
  }

  /** Puts the cursor at the beginning of a line, and shows it. */
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
    if (this.#view && this.#view.text !== this.value) this.#view.replace(this.value); // a script wrote into the textarea
    this.#marked = 0;
    this.#number();
  }

  #number() {
    if (this.#view) return; // CodeMirror has numbers of its own
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

/** As if it were typed where the cursor is. */
const type = (text) => document.execCommand(text ? "insertText" : "delete", false, text);

customElements.define("code-editor", CodeEditor);

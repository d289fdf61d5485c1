// <form-steps> inside a form: shows one of its sections at a time, the one in the address. Its first <nav> leads to the
// sections; links to a field also focus it. <div class="chosen" data-edit="Edit"> lists the values of the fields before
// it, step by step; `data-unset` of a field is the text for an empty value or 0. Without this module, all sections are
// visible.

import { written } from "./when.js";

class FormSteps extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    const { signal } = this.#stop;
    const form = this.closest("form");
    window.addEventListener("hashchange", () => this.#come(), { signal });
    this.#link("next").addEventListener("click", (event) => this.#check(event), { signal });
    form.addEventListener("submit", (event) => this.#onSubmit(event), { signal });
    const wrong = form.querySelector('[aria-invalid="true"], .errorlist');
    const step = this.#stepOf(wrong) ?? this.#stepOf(this.#target()) ?? this.#steps()[0];
    if (wrong) history.replaceState(history.state, "", `#${step.id}`); // so that links to other sections change the address
    this.#show(step);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #steps() {
    return [...this.querySelectorAll(":scope > section")];
  }

  #stepOf(element) {
    return this.#steps().find((step) => step.contains(element));
  }

  #target() {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  }

  #link(way) {
    return this.querySelector(`[data-${way}]`);
  }

  #come() {
    const target = this.#target();
    const step = this.#stepOf(target) ?? (location.hash ? null : this.#steps()[0]);
    if (!step) return;
    this.#show(step);
    this.#focus(target && target !== step ? target : step);
  }

  #focus(element) {
    for (let around = element; around; around = around.parentElement?.closest("details")) {
      if (around.localName === "details") around.open = true;
    }
    const control = element.matches("input, select, textarea") ? element : element.querySelector("input") ?? element;
    if (element.localName === "section") {
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
      this.scrollIntoView();
    } else control.focus();
  }

  #show(shown) {
    const steps = this.#steps();
    const place = steps.indexOf(shown);
    const review = shown.querySelector(".chosen");
    if (review) this.#showChosen(review, steps.slice(0, place));
    for (const step of steps) step.hidden = step !== shown;
    for (const link of this.querySelectorAll("nav a")) {
      if (link.hash === `#${shown.id}`) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
    for (const [way, to] of [["back", steps[place - 1]], ["next", steps[place + 1]]]) {
      this.#link(way).hidden = !to;
      if (to) this.#link(way).href = `#${to.id}`;
    }
    const last = this.#link("last");
    if (last) last.hidden = shown !== steps.at(-1);
  }

  /** List the chosen values, in a group for each step, with a link back to it. */
  #showChosen(review, steps) {
    const folds = [...this.querySelectorAll("details:not([open])")];
    for (const step of steps) step.hidden = false; // otherwise their fields are not visible
    for (const fold of folds) fold.open = true;
    review.replaceChildren(...steps.map((step) => groupOf(step, review.dataset.edit)));
    for (const fold of folds) fold.open = false;
  }

  /** Stay on a step with invalid fields, and show the browser's message. */
  #check(event) {
    const step = this.#steps().find(({ hidden }) => !hidden);
    for (const wrong of step.querySelectorAll("input:invalid, select:invalid, textarea:invalid")) {
      for (let fold = wrong.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      if (!wrong.checkVisibility()) continue;
      event.preventDefault();
      wrong.reportValidity();
      return;
    }
  }

  /** Enter in a field leads to the next step; in the last one it submits. */
  #onSubmit(event) {
    const next = this.#link("next");
    if (!event.submitter?.hasAttribute("data-enter") || next.hidden) return;
    event.preventDefault();
    next.click();
  }
}

/** Return the values of a step. Folded parts remain folded, except for fields that were changed. */
function groupOf(step, edit) {
  const group = document.createElement("section");
  const title = step.querySelector("h2").textContent;
  const link = made("a", edit, made("span", `: ${title}`));
  link.href = `#${step.id}`;
  link.lastChild.className = "visually-hidden";
  const head = made("div", made("h3", title), link);
  head.className = "spread";
  const fields = [...step.querySelectorAll(".field")].filter((field) => field.checkVisibility());
  const isFolded = (field) => field.closest("details") && !isChanged(controlOf(field));
  group.append(head, factsOf(fields.filter((field) => !isFolded(field))));
  for (const fold of step.querySelectorAll("details")) {
    const list = factsOf(fields.filter((field) => isFolded(field) && field.closest("details") === fold));
    if (!list.children.length) continue;
    const again = made("details", made("summary", fold.querySelector("summary").textContent), list);
    again.className = "fold";
    group.append(again);
  }
  return group;
}

function factsOf(fields) {
  const list = made("dl");
  list.className = "facts";
  for (const field of fields) {
    const value = valueOf(controlOf(field));
    if (value) list.append(made("dt", ownText(field.querySelector("legend, label"))), made("dd", value));
  }
  return list;
}

function made(name, ...content) {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

function controlOf(field) {
  return field.querySelector("input:checked, input:not([type=radio]), select, textarea");
}

function isChanged(control) {
  if (!control) return false;
  if (control.options) return ![...control.selectedOptions].some((one) => one.defaultSelected);
  return control.type === "checkbox" || control.type === "radio" ? !control.defaultChecked : control.value !== control.defaultValue;
}

function valueOf(control) {
  if (!control) return "";
  if (control.type === "checkbox") return control.checked ? "✓" : "";
  if (control.type === "radio") return sentence(ownText(control.closest("label").querySelector("span") ?? control.closest("label")));
  if (control.options) return sentence(control.selectedOptions[0]?.textContent.trim() ?? "");
  if (control.dataset.unset && ["", "0"].includes(control.value)) return control.dataset.unset;
  return control.type === "datetime-local" && control.value ? clock(control.value) : control.value;
}

/** Format a typed date and time in the page's language. */
function clock(typed) {
  return written(new Date(`${typed}Z`), { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
}

/** Return the label of a choice with a capital; "" for a dash. */
function sentence(text) {
  return /^[–—]?$/.test(text) ? "" : text[0].toLocaleUpperCase() + text.slice(1);
}

/** Return the text of an element without its child elements. */
function ownText(element) {
  return [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join("").trim();
}

customElements.define("form-steps", FormSteps);

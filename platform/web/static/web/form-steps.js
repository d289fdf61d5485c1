// <form-steps> inside a form: shows one of its sections at a time, the one that the address names. Its first <nav> leads
// to each of them, and so do links to a field, which is then in focus. <dl class="chosen"> lists what the fields before it hold.
// Without this module all sections are in view.

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
    if (wrong) history.replaceState(history.state, "", `#${step.id}`); // so that a link to any other is followed
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
    const list = shown.querySelector(".chosen");
    if (list) this.#tell(list, steps.slice(0, place));
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

  /** List what was chosen: of fields that are folded away only those that were changed. */
  #tell(list, steps) {
    for (const step of steps) step.hidden = false; // else none of their fields is visible
    const fields = steps.flatMap((step) => [...step.querySelectorAll(".field")]);
    list.replaceChildren(...fields.flatMap((field) => told(field)));
  }

  /** Stay where something is missing, and let the browser say what. */
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

  /** Enter in a field goes on to the next step; in the last one it submits. */
  #onSubmit(event) {
    const next = this.#link("next");
    if (!event.submitter?.hasAttribute("data-enter") || next.hidden) return;
    event.preventDefault();
    next.click();
  }
}

function told(field) {
  const control = field.querySelector("input:checked, input:not([type=radio]), select, textarea");
  const isFolded = field.closest("details:not([open])");
  if (!control || (isFolded ? !isChanged(control) : !field.checkVisibility())) return [];
  const value = valueOf(control);
  if (!value) return [];
  const [name, what] = [document.createElement("dt"), document.createElement("dd")];
  const link = document.createElement("a");
  link.href = `#${control.id}`;
  link.textContent = ownText(field.querySelector("legend, label"));
  name.append(link);
  what.textContent = value;
  return [name, what];
}

function isChanged(control) {
  if (control.options) return ![...control.selectedOptions].some((one) => one.defaultSelected);
  return control.type === "checkbox" || control.type === "radio" ? !control.defaultChecked : control.value !== control.defaultValue;
}

function valueOf(control) {
  if (control.type === "checkbox") return control.checked ? "✓" : "";
  if (control.type === "radio") return ownText(control.closest("label").querySelector("span") ?? control.closest("label"));
  if (control.options) return control.selectedOptions[0]?.textContent.trim();
  return control.type === "datetime-local" ? control.value.replace("T", " ") : control.value;
}

/** The words of an element, without those of the elements in it. */
function ownText(element) {
  return [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join("").trim();
}

customElements.define("form-steps", FormSteps);

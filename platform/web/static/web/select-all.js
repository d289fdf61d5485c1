/**
 * <select-all>: its checkbox ticks or clears all other checkboxes of its fieldset. It is hidden without this module.
 */

class SelectAll extends HTMLElement {
  connectedCallback() {
    const group = this.closest("fieldset");
    const all = this.querySelector("input");
    const boxes = [...group.querySelectorAll("input")].filter((box) => box !== all);
    const show = () => {
      all.checked = boxes.every(({ checked }) => checked);
      all.indeterminate = !all.checked && boxes.some(({ checked }) => checked);
    };
    group.addEventListener("change", ({ target }) => {
      if (target === all) for (const box of boxes) box.checked = all.checked;
      else show();
    });
    addEventListener("pageshow", show); // browsers restore ticked boxes after a reload
    show();
    this.hidden = false;
  }
}

customElements.define("select-all", SelectAll);

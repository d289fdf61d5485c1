/** Short texts at line ends in CodeMirror: printed output and errors. */

import { el } from "../matches/replay/dom.js";

/**
 * Return { extension, effect }. effect(remarks) sets them: [{ line, text, kind }], `kind` is "bad" or "printed". An
 * edit removes those of kind "bad".
 */
export function createRemarks({ Decoration, EditorView, StateEffect, StateField, WidgetType }) {
  class Remark extends WidgetType {
    constructor(text, kind) {
      super();
      this.text = text;
      this.kind = kind;
    }

    eq(other) {
      return other.text === this.text && other.kind === this.kind;
    }

    toDOM() {
      return el("span", { class: "cm-remark", "data-kind": this.kind }, this.text);
    }
  }
  const set = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(found, { changes, docChanged, effects, state }) {
      const update = effects.find((effect) => effect.is(set));
      if (!update) return docChanged ? found.map(changes).update({ filter: (_from, _to, { spec }) => spec.widget.kind !== "bad" }) : found;
      const inText = update.value.filter(({ line }) => line > 0 && line <= state.doc.lines);
      const widgets = inText.map(({ line, text, kind }) => Decoration.widget({ widget: new Remark(text, kind), side: 1 }).range(state.doc.line(line).to));
      return Decoration.set(widgets, true);
    },
    provide: (found) => EditorView.decorations.from(found),
  });
  return { extension: field, effect: (remarks) => set.of(remarks) };
}

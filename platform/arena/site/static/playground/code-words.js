/** The keys of a view and the actions of a game, where they stand in the text of a bot: offered, and explained. */

import { el } from "../matches/replay/dom.js";

const OPEN_KEY = /\b(\w+)((?:\[[^[\]]*\]|\.get\([^()]*\))*)(?:\[|\.get\()["'](\w*)$/;
const STEP = /\[([^[\]]*)\]|\.get\(([^(),]*)[^()]*\)/g;
const QUOTED = /^\s*["'](\w*)["']\s*$/;

/** `terms`, of arena/playground/context.py, for look-ups; null before they are there. */
export function createTerms(terms) {
  const keys = new Map(terms.keys);
  const actions = new Map(terms.actions);
  /** The path of what stands before an open string, "last" in `view["last"]["`, and the part of the key that is typed; or null. */
  const keyIn = (before) => {
    const [, name, steps, typed] = OPEN_KEY.exec(before) ?? [];
    // A variable that is called as a key of the view is taken for it.
    if (name !== "view" && !keys.has(name)) return null;
    let path = name === "view" ? "" : name;
    for (const [, index, asked] of steps.matchAll(STEP)) {
      const key = QUOTED.exec(index ?? asked)?.[1];
      path = key === undefined ? `${path}[]` : `${path}.${key}`.replace(/^\./, "");
    }
    return { path, typed };
  };
  const below = (path) => {
    const start = path ? `${path}.` : "";
    return [...keys].filter(([one]) => one.startsWith(start) && !/[.[]/.test(one.slice(start.length))).map(([one, meaning]) => ({ label: one.slice(start.length), info: meaning || undefined, type: "property" }));
  };
  return { keyIn, below, keys, actions };
}

/** Extensions that offer and explain; `terms()` returns those of the game, `told(text)` is told what the cursor stands in, "" for nothing. */
export function codeWords(lib, { terms, told }) {
  const { EditorView, hoverTooltip, pythonLanguage, syntaxTree } = lib;

  const stringAt = (state, pos) => {
    const node = syntaxTree(state).resolveInner(pos, 0);
    return node.name === "String" ? node : null;
  };

  /** What the string around `pos` is: { from, to, name, meaning }, or null. */
  const explained = (state, pos) => {
    const known = terms();
    const node = known && stringAt(state, pos);
    if (!node || node.to - node.from < 3) return null;
    const name = state.sliceDoc(node.from + 1, node.to - 1);
    const key = known.keyIn(state.sliceDoc(state.doc.lineAt(node.from).from, node.from + 1));
    const found = key ? known.keys.get(key.path ? `${key.path}.${name}` : name) : known.actions.get(name);
    return found ? { from: node.from, to: node.to, name, meaning: found } : null;
  };

  const offer = (context) => {
    const known = terms();
    const { state, pos } = context;
    if (!known) return null;
    const before = state.sliceDoc(state.doc.lineAt(pos).from, pos);
    const key = known.keyIn(before);
    if (key) return { from: pos - key.typed.length, options: known.below(key.path), validFor: /^\w*$/ };
    const typed = /["']([^"']*)$/.exec(before)?.[1];
    const inside = typed !== undefined && (stringAt(state, pos) ?? stringAt(state, pos - 1));
    if (!inside || (!typed && !context.explicit)) return null;
    const options = [...known.actions].filter(([one]) => one.startsWith(typed)).map(([label, info]) => ({ label, info: info || undefined, type: "constant" }));
    return options.length ? { from: pos - typed.length, options, validFor: /^[\w ]*$/ } : null;
  };

  const hover = hoverTooltip((view, pos) => {
    const found = explained(view.state, pos);
    return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: el("div", { class: "cm-meaning" }, el("b", {}, found.name), ` ${found.meaning}`) }) };
  });

  const follow = EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
    if (!docChanged && !selectionSet) return;
    const found = explained(state, state.selection.main.head);
    told(found ? `${found.name}: ${found.meaning}` : "");
  });

  return [pythonLanguage.data.of({ autocomplete: offer }), hover, follow];
}

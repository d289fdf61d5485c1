/** Completion and explanation of a view's keys and a game's actions in the text of a bot. */

import { el } from "../matches/replay/dom.js";

const OPEN_KEY = /\b(\w+)((?:\[[^[\]]*\]|\.get\([^()]*\))*)(?:\[|\.get\()["'](\w*)$/;
const STEP = /\[([^[\]]*)\]|\.get\(([^(),]*)[^()]*\)/g;
const QUOTED = /^\s*["'](\w*)["']\s*$/;

/** Index the `terms` of arena/playground/context.py. Return { keyIn(before), below(path), keys, actions }. */
export function createTerms(terms) {
  const keys = new Map(terms.keys);
  const actions = new Map(terms.actions);
  /**
   * Return { path, typed } for text that ends inside a string: the path of the object before it ("last" in
   * `view["last"]["`) and the part of the key typed so far. Return null elsewhere.
   */
  const keyIn = (before) => {
    const [, name, steps, typed] = OPEN_KEY.exec(before) ?? [];
    // A variable with the name of one of the view's keys is assumed to hold that key's value.
    if (name !== "view" && !keys.has(name)) return null;
    let path = name === "view" ? "" : name;
    for (const [, index, getKey] of steps.matchAll(STEP)) {
      const key = QUOTED.exec(index ?? getKey)?.[1];
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

/**
 * Return the extensions. `terms()` returns the result of createTerms(), or null before it has loaded. `describe(text)`
 * is called with the meaning of the string at the cursor, or "".
 */
export function codeHelp(lib, { terms, describe }) {
  const { EditorView, hoverTooltip, pythonLanguage, syntaxTree } = lib;

  const stringAt = (state, pos) => {
    const node = syntaxTree(state).resolveInner(pos, 0);
    return node.name === "String" ? node : null;
  };

  /** Return { from, to, name, meaning } of the string around `pos`, or null. */
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
    describe(found ? `${found.name}: ${found.meaning}` : "");
  });

  return [pythonLanguage.data.of({ autocomplete: offer }), hover, follow];
}

/** The bot's text in CodeMirror: colours, brackets, undo, and completion of the game's vocabulary (code-help.js). */

import { codeHelp } from "./code-help.js";
import { createRemarks } from "./remarks.js";

/**
 * Create the editor in `root`, and return its commands: text, reset, show, forget, remark, replace, mark, go, focus.
 * `root` is a shadow root, because the page's policy forbids style elements that scripts add to the page. `lib` is the
 * npm bundle (requirements/npm/editor.js), `help` the options of codeHelp() in code-help.js, `phrases` the
 * translations of CodeMirror's own labels. `changed(text, whole)` is called after each change; `whole` is true if the
 * author replaced the whole text. The editor starts with `text` of the file `name`, and keeps an undo history for each
 * file.
 */
export function createView(root, lib, { name, text, label, description, help, phrases, changed }) {
  const { EditorView, EditorState, StateEffect, StateField, Decoration } = lib;
  const setMark = StateEffect.define();
  const marked = StateField.define({
    create: () => Decoration.none,
    update(found, { docChanged, effects, state }) {
      const request = effects.find((effect) => effect.is(setMark));
      if (!request) return docChanged ? Decoration.none : found;
      const line = request.value;
      return line > 0 && line <= state.doc.lines ? Decoration.set([Decoration.line({ class: "marked" }).range(state.doc.line(line).from)]) : Decoration.none;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  const remarks = createRemarks(lib);
  let notifies = true;
  const python = [lib.python(), codeHelp(lib, help)];
  const extensions = [
    lib.lineNumbers(),
    lib.history(),
    lib.drawSelection(),
    lib.indentOnInput(),
    lib.indentUnit.of("    "),
    lib.bracketMatching(),
    lib.highlightActiveLine(),
    lib.autocompletion({ icons: false }),
    lib.search({ top: true }),
    EditorState.phrases.of(phrases),
    lib.syntaxHighlighting(colours(lib)),
    EditorState.tabSize.of(4),
    marked,
    remarks.extension,
    EditorView.theme(THEME),
    // Ctrl+Enter submits the page's form.
    lib.keymap.of([...lib.completionKeymap, ...lib.searchKeymap, ...lib.defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...lib.historyKeymap, lib.indentWithTab]),
    EditorView.domEventHandlers({ beforeinput }),
    EditorView.updateListener.of(({ docChanged, changes, startState, state }) => {
      if (!docChanged || !notifies) return;
      let whole = false;
      changes.iterChanges((from, to) => (whole ||= from === 0 && to === startState.doc.length && to > 0));
      changed(state.doc.toString(), whole);
    }),
  ];
  const attributes = (file) => EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `${label} ${file}`, spellcheck: "false", autocorrect: "off", autocapitalize: "off", "aria-description": description });
  const stateOf = (doc, file, readOnly = false) => EditorState.create({ doc, extensions: [...extensions, attributes(file), file.endsWith(".py") ? python : [], EditorState.readOnly.of(readOnly)] });
  const view = new EditorView({ root, parent: root, state: stateOf(text, name) });
  const left = new Map(); // file name -> editor state, for files shown before
  let shown = name;
  const silently = (act) => {
    notifies = false;
    act();
    notifies = true;
  };
  return {
    get text() {
      return view.state.doc.toString();
    },
    reset: (doc) => silently(() => view.setState(stateOf(doc, shown))),
    show(file, doc, readOnly) {
      left.set(shown, view.state);
      shown = file;
      const before = left.get(file);
      silently(() => view.setState(before?.doc.toString() === doc && before.readOnly === readOnly ? before : stateOf(doc, file, readOnly)));
    },
    forget: () => left.clear(),
    remark: (list) => view.dispatch({ effects: remarks.effect(list) }),
    replace: (doc) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc }, selection: { anchor: 0 }, scrollIntoView: true, annotations: lib.isolateHistory.of("full") }),
    mark: (line) => view.dispatch({ effects: setMark.of(line) }),
    go(line) {
      const { from, to } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
  };
}

/** Replace the selection with the typed character. Browsers would insert inline styles, which the policy forbids. */
function beforeinput(event, view) {
  const { readOnly, selection } = view.state;
  if (event.inputType !== "insertText" || !event.data || readOnly || selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

const THEME = {
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "var(--text-s)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.45rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--ink-soft)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-line.marked": { backgroundColor: "var(--bad-soft)" },
  ".cm-panels": { borderColor: "var(--line-strong)", backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-panel.cm-search": { padding: "0.4rem 1.8rem 0.4rem 0.5rem", font: "var(--text-s) / 1.6 var(--sans, system-ui)" },
  ".cm-panels .cm-textfield": { border: "1px solid var(--line-strong)", backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "inherit" },
  ".cm-panels .cm-button": { border: "1px solid var(--line-strong)", background: "var(--surface)", color: "var(--ink)", fontSize: "inherit" },
  ".cm-panels button[name=close]": { color: "inherit", fontSize: "1.3rem" },
  ".cm-searchMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".cm-tooltip": { border: "1px solid var(--line-strong)", borderRadius: "var(--radius-s)", backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-meaning": { maxWidth: "min(24rem, 88vw)", padding: "0.3rem 0.5rem", font: "var(--text-s) / 1.35 var(--sans, system-ui)" },
  ".cm-completionInfo": { maxWidth: "min(22rem, 60vw)" },
  ".cm-remark": { marginInlineStart: "2ch", padding: "0 0.4ch", borderRadius: "var(--radius-s)", backgroundColor: "var(--sunk)", color: "var(--ink-soft)", whiteSpace: "pre" },
  ".cm-remark[data-kind=bad]": { backgroundColor: "var(--bad-soft)", color: "var(--bad)", fontWeight: "600" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
};

const colours = ({ HighlightStyle, tags }) =>
  HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent-strong)", fontWeight: "600" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--seat-5-line)" },
    { tag: [tags.comment, tags.docString], color: "var(--ink-soft)", fontStyle: "italic" },
    { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--seat-4-line)", fontWeight: "600" },
    { tag: tags.self, color: "var(--seat-3-line)" },
  ]);

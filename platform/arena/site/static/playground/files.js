/** The files of a bot as tabs above the editor; bot.py is first and cannot be removed. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { ENTRY } from "./draft.js";
import { bundle } from "./zip.js";

const NAME_MOST = 120; // limit of uploads, see bots/uploads.py
const NAME = /^[\w.-]+(\/[\w.-]+)*$/;
const SHOW_MS = 1000;

/**
 * Create the tabs in `place` for files in `editor`, at most `most`. Return { all, set, open, go, remark, isAlone }.
 * `changed()` is called after a file is added, removed or renamed, and `dropping()` before one is removed. all()
 * returns and set(files) replaces the files, in the form of draft.js. go({ file, line }) shows a line; remark({ file:
 * remarks }) writes at line ends (see remarks.js).
 */
export function createFiles(place, editor, { most, changed, dropping }) {
  let files = { [ENTRY]: "" };
  let shown = ENTRY;
  let remarks = {};
  let naming = null; // old name of the file being renamed, "" for a new file, null otherwise

  const all = () => (typeof files[shown] === "string" ? { ...files, [shown]: editor.value } : files);

  const open = (name) => {
    files = all();
    shown = name;
    const content = files[name];
    const isText = typeof content === "string";
    editor.show(name, isText ? content : fill(gettext("not a text file, %(size)s B"), { size: Math.floor((content.data.length * 3) / 4) }), !isText);
    editor.remark(remarks[name] ?? []);
    draw();
  };

  const set = (others) => {
    editor.forget();
    files = { [ENTRY]: "", ...others };
    remarks = {};
    naming = null;
    shown = ENTRY;
    editor.value = files[ENTRY];
    editor.show(ENTRY, files[ENTRY]);
    draw();
  };

  const named = (name) => {
    const before = naming;
    naming = null;
    const taken = Object.keys(files).some((one) => one !== before && one.toLowerCase() === name.toLowerCase());
    if (name !== before && !taken && !(name in Object.prototype) && name.length <= NAME_MOST && NAME.test(name) && !name.split("/").includes("..")) {
      files = all();
      const content = before ? files[before] : "";
      if (before) delete files[before];
      files[name] = content;
      if (before) shown = name; // the editor already shows the renamed file
      open(name);
      changed();
      if (!before) return editor.focus(); // the author types into the new file next
    } else draw();
    place.querySelector("[aria-selected=true]").focus();
  };

  const remove = () => {
    dropping();
    const gone = shown;
    open(ENTRY);
    delete files[gone];
    draw();
    changed();
    place.querySelector("[aria-selected=true]").focus();
  };

  const download = () => {
    const file = bundle(all());
    const address = URL.createObjectURL(file);
    el("a", { href: address, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), SHOW_MS);
  };

  const tab = (name) => {
    const is = name === shown;
    return el("button", { type: "button", role: "tab", class: "pg-tab", "aria-selected": String(is), "aria-controls": "pg-panel", tabindex: is ? 0 : -1, "data-file": name, click: () => is || (open(name), editor.focus()) }, name);
  };

  const field = () => {
    const input = el("input", { class: "pg-naming", value: naming, maxlength: NAME_MOST, placeholder: "helper.py", "aria-label": gettext("Name of the file"), spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      named(event.key === "Enter" ? input.value.trim() : naming);
    });
    input.addEventListener("blur", () => naming !== null && input.isConnected && named(input.value.trim()));
    return input;
  };

  const ask = (name) => {
    naming = name;
    draw();
    place.querySelector(".pg-naming").select();
    place.querySelector(".pg-naming").focus();
  };

  const button = (text, click, more = {}) => el("button", { type: "button", class: "pg-do", click, ...more }, text);

  const draw = () => {
    const names = [ENTRY, ...Object.keys(files).filter((name) => name !== ENTRY).sort()];
    const tabs = el("div", { role: "tablist", class: "pg-tabs", "aria-label": gettext("Files"), keydown: onKey }, ...names.map(tab));
    const own = shown !== ENTRY && naming === null ? [button(gettext("Rename"), () => ask(shown)), button(gettext("Delete"), remove)] : [];
    const room = names.length < most && naming === null;
    place.replaceChildren(tabs, ...(naming === null ? [] : [field()]), ...(room ? [button("+", () => ask(""), { "aria-label": gettext("New file"), title: gettext("New file") })] : []), ...own, button(gettext("Download"), download, { class: "pg-do pg-download" }));
    document.getElementById("pg-panel").setAttribute("aria-label", shown);
  };

  const onKey = (event) => {
    const tabs = [...place.querySelectorAll("[role=tab]")];
    const to = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : tabs.indexOf(event.target) + to;
    if (Number.isNaN(at)) return;
    event.preventDefault();
    const { file } = tabs[(at + tabs.length) % tabs.length].dataset;
    if (file !== shown) open(file);
    place.querySelector("[aria-selected=true]").focus();
  };

  const remark = (found) => {
    remarks = found;
    editor.remark(remarks[shown] ?? []);
  };

  /** Show a line: with `focus`, move the cursor there; otherwise mark the line. */
  const go = ({ file, line }, focus = true) => {
    const name = file in files ? file : ENTRY;
    if (name !== shown) open(name);
    if (focus) editor.go(line);
    else editor.mark(line);
  };

  draw();
  return { all, set, open, go, remark, isAlone: () => Object.keys(files).length === 1 };
}

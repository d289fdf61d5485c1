/** Bundle CodeMirror and its dependencies into editor-<digest>.mjs in Pyodide's folder, from which browsers load it. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [folder, entry] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(folder, "node_modules", "/"))("esbuild");
const place = join(folder, "node_modules", "pyodide");
for (const file of readdirSync(place)) if (/^editor-/.test(file)) rmSync(join(place, file));
const { outputFiles } = buildSync({
  stdin: { contents: readFileSync(entry, "utf8"), resolveDir: folder },
  banner: { js: "/* CodeMirror 6 and Lezer, by Marijn Haverbeke and others, MIT licence: https://codemirror.net */" },
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  write: false,
});
const made = outputFiles[0].contents;
writeFileSync(join(place, `editor-${createHash("sha256").update(made).digest("hex").slice(0, 16)}.mjs`), made);

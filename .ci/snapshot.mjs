/**
 * Start Python once and write its memory to snapshot-<digest>.bin in Pyodide's folder; starting from it takes a quarter
 * of the time. Also write compressed copies of the large files in that folder.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// Imports of the kit that Pyodide does not load at its start. The list only affects the speed.
const IMPORTED = "import hashlib, html, importlib.resources, statistics";
const SNAPSHOT = /^snapshot-.*$/;
const PACKED = /\.(wasm|mjs|bin)$|^pyodide-lock\.json$/;

const folder = resolve(process.argv[2]);
for (const file of readdirSync(folder)) if (SNAPSHOT.test(file)) rmSync(join(folder, file));

const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const nothing = () => {};
// The hash seed of the sandbox, so that games repeat.
const python = await loadPyodide({ env: { PYTHONHASHSEED: "0" }, _makeSnapshot: true, stdout: nothing, stderr: nothing });
python.runPython(`${IMPORTED}\nimport gc\ngc.collect()`);
const snapshot = python.makeMemorySnapshot();
const digest = createHash("sha256").update(snapshot).digest("hex").slice(0, 16);
writeFileSync(join(folder, `snapshot-${digest}.bin`), snapshot);

const brotli = (data) =>
  promisify(brotliCompress)(data, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    },
  });
await Promise.all(
  readdirSync(folder)
    .filter((file) => PACKED.test(file))
    .map(async (file) => {
      const data = readFileSync(join(folder, file));
      const [small, smaller] = await Promise.all([promisify(gzip)(data, { level: 6 }), brotli(data)]);
      writeFileSync(join(folder, `${file}.gz`), small);
      writeFileSync(join(folder, `${file}.br`), smaller);
    }),
);

/** Pack a bot into one file: bot.py, or an uncompressed zip. */

import { ENTRY } from "./draft.js";

const UTF8 = 0x800; // names are UTF-8
const VERSION = 20;
const DAY_ONE = 0x21; // 1 January 1980: the same files give the same bytes

const bytesOf = (content) => (typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(atob(content.data), (one) => one.charCodeAt(0)));

/** Return a File with `files`, in the form of draft.js. */
export function bundle(files) {
  const names = Object.keys(files);
  if (names.length === 1) return new File([bytesOf(files[ENTRY])], ENTRY, { type: "text/x-python" });
  return new File(zipped(files), "bot.zip", { type: "application/zip" });
}

/** Return the parts of a zip: each file after its header, and the central directory. */
function zipped(files) {
  const pieces = [];
  const listed = [];
  let at = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, data] = [new TextEncoder().encode(path), bytesOf(content)];
    const about = [VERSION, UTF8, 0, 0, DAY_ONE].map((value) => [value, 2]);
    about.push([crc32(data), 4], [data.length, 4], [data.length, 4], [name.length, 2], [0, 2]);
    const head = fields([0x04034b50, 4], ...about);
    listed.push(fields([0x02014b50, 4], [VERSION, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
    pieces.push(head, name, data);
    at += head.length + name.length + data.length;
  }
  const count = Object.keys(files).length;
  const size = listed.reduce((sum, one) => sum + one.length, 0);
  return [...pieces, ...listed, fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2])];
}

/** Return `values`, [number, size in bytes], as little-endian bytes. */
function fields(...values) {
  const bytes = values.flatMap(([value, size]) => Array.from({ length: size }, (_, at) => (value >>> (8 * at)) & 0xff));
  return Uint8Array.from(bytes);
}

function crc32(data) {
  let rest = -1;
  for (const byte of data) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}

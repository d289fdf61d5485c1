/**
 * Python in a worker, with the kit in it: the page asks in JSON and is answered in JSON. It is served with a policy of
 * its own (arena/playground/views.py), so it is one file.
 *
 * In:  {open: {pyodide, kit}}, then {id, ask: text}.
 * Out: {ready}, {told: text} while something is done, {id, answer: text}, {id, error, broken}, {failed}.
 */

const BYTES_MOST = 640 * 2 ** 20; // of Python and all bots: a limit of a bot here, 512 MiB, and what Python takes
const PAGE_BYTES = 65536;
// A bot on the site has no network: neither has one here, however it finds its way out of Python.
const NETWORK = ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "Worker", "importScripts", "caches", "indexedDB", "BroadcastChannel"];

let desk = null;

self.onmessage = async ({ data }) => {
  if (data.open) {
    await open(data.open).then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));
    return;
  }
  try {
    postMessage({ id: data.id, answer: desk.answer(data.ask) });
  } catch (error) {
    // Python's own errors leave the interpreter as it was; anything else may have broken it.
    const broken = error?.name !== "PythonError";
    postMessage({ id: data.id, error: String(error?.message ?? error), broken });
  }
};

async function open({ pyodide, kit }) {
  const packed = fetch(kit).then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`${kit}: ${answer.status}`))));
  packed.catch(() => {}); // it is awaited below
  limitMemory();
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  // As in the cage: games must repeat.
  const python = await loadPyodide({ indexURL: pyodide, env: { PYTHONHASHSEED: "0" }, stdout: () => {}, stderr: () => {} });
  python.unpackArchive(await packed, "zip", { extractDir: "/kit" });
  python.runPython("import sys; sys.path.insert(0, '/kit')");
  const kitModule = python.pyimport("pecking.matches.home.browser");
  desk = kitModule.opened("/bots", (text) => postMessage({ told: text }));
  for (const name of NETWORK) {
    for (let place = self; place; place = Object.getPrototypeOf(place)) if (Object.hasOwn(place, name)) delete place[name];
  }
}

/** Python is told that there is no more, and raises MemoryError. */
function limitMemory() {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function limited(pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > BYTES_MOST) throw new RangeError("no more memory");
    return grow.call(this, pages);
  };
}

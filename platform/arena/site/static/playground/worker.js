/**
 * Python in a worker, with the kit in it: the page asks in JSON and is answered in JSON. It is served with a policy of
 * its own (arena/playground/views.py), so it is one file.
 *
 * In:  {open: {pyodide, kit, snapshot}}, then {id, ask: text}.
 * Out: {ready}, {told: text} while something is done, {id, answer: text}, {id, error, broken}, {failed}.
 */

const BYTES_MOST = 640 * 2 ** 20; // of Python and all bots: a limit of a bot here, 512 MiB, and what Python takes
const PAGE_BYTES = 65536;
const KIT = "/kit.zip";
const DESK = "pecking.matches.home.browser"; // the name that the release before knows too; the next one: pecking.peck.browser
const STORE = "playground";
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

async function open({ pyodide, kit, snapshot }) {
  const packed = read(kit);
  packed.catch(() => {}); // it is awaited below
  const memory = await ownMemory(`${location.pathname}?${pyodide}&${kit}`);
  limitMemory();
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  // The hash seed is the cage's: games must repeat.
  const how = { indexURL: pyodide, env: { PYTHONHASHSEED: "0" }, stdout: () => {}, stderr: () => {}, _makeSnapshot: true };
  const from = async (found) => {
    if (!found) throw new Error("none");
    return loadPyodide({ ...how, _loadSnapshot: found });
  };
  // Each of these starts in less time than the next; without them it is only slower.
  let keeps = false;
  const python = await from(memory.kept).catch(() => {
    keeps = true;
    const shipped = snapshot ? read(pyodide + snapshot) : null;
    shipped?.catch(() => {}); // Pyodide awaits it, but not at once
    return from(shipped).catch(() => loadPyodide(how));
  });
  python.FS.writeFile(KIT, new Uint8Array(await packed));
  python.runPython(`import sys; "${KIT}" in sys.path or sys.path.insert(0, "${KIT}"); import ${DESK}`);
  if (keeps) memory.keep(() => python.makeMemorySnapshot()); // before any bot is there
  desk = python.pyimport(DESK).opened("/bots", (text) => postMessage({ told: text }));
  for (const name of NETWORK) {
    for (let place = self; place; place = Object.getPrototypeOf(place)) if (Object.hasOwn(place, name)) delete place[name];
  }
}

async function read(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

/**
 * The memory of Python with the kit in it as this browser has kept it under `name`: {kept, null if it has none; keep(make)}. Only
 * browsers keep things that reached the site by https, or on their own machine.
 */
async function ownMemory(name) {
  const nothing = { kept: null, keep: () => {} };
  try {
    const store = await caches.open(STORE);
    const kept = await (await store.match(name))?.arrayBuffer();
    const put = async (memory) => {
      for (const old of await store.keys()) await store.delete(old);
      await store.put(name, new Response(memory));
    };
    return { kept: kept ?? null, keep: (make) => void put(make()).catch(() => {}) };
  } catch {
    return nothing; // or the browser refuses
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

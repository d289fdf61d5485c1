/**
 * Python in a worker, with the kit. The page sends requests and receives responses in JSON. The worker has its own
 * content security policy (arena/playground/views.py), so it is a single file.
 *
 * In:  {open: {pyodide, kit, snapshot, sizes}}, then {id, ask: text}.
 * Out: {loading: {come, all}}, {ready}, {told: text} during a request, {id, answer: text}, {id, error, broken},
 * {failed}.
 */

const BYTES_MOST = 640 * 2 ** 20; // for Python and all bots: the site's limit for one bot, 512 MiB, plus Python itself
const PAGE_BYTES = 65536;
const KIT = "/kit.zip";
const DESK = "pecking.matches.home.browser"; // the previous release has this name, too; from the next release on: pecking.peck.browser
const STORE = "playground";
// Bots on the site have no network, so they have none here, even if they get out of Python.
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
    // After an error of Python's own, the interpreter is intact; any other error may have broken it.
    const broken = error?.name !== "PythonError";
    postMessage({ id: data.id, error: String(error?.message ?? error), broken });
  }
};

async function open({ pyodide, kit, snapshot, sizes = {} }) {
  const memory = await ownMemory(`${location.pathname}?${pyodide}&${kit}`);
  const read = memory.stored ? wholeOf : measured(sizes);
  const packed = read(kit);
  packed.catch(() => {}); // awaited below
  limitMemory();
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  // The hash seed of the sandbox, so that games repeat.
  const how = { indexURL: pyodide, env: { PYTHONHASHSEED: "0" }, stdout: () => {}, stderr: () => {}, _makeSnapshot: true };
  const from = async (found) => {
    if (!found) throw new Error("none");
    return loadPyodide({ ...how, _loadSnapshot: found });
  };
  // Try the fastest start first: stored memory, the site's snapshot, a plain start.
  let isFresh = false;
  const python = await from(memory.stored).catch(() => {
    isFresh = true;
    const shipped = snapshot ? read(pyodide + snapshot) : null;
    shipped?.catch(() => {}); // Pyodide awaits it later
    return from(shipped).catch(() => loadPyodide(how));
  });
  python.FS.writeFile(KIT, new Uint8Array(await packed));
  python.runPython(`import sys; "${KIT}" in sys.path or sys.path.insert(0, "${KIT}"); import ${DESK}`);
  if (isFresh) memory.store(() => python.makeMemorySnapshot()); // before any bot has loaded
  desk = python.pyimport(DESK).opened("/bots", (text) => postMessage({ told: text }));
  for (const name of NETWORK) {
    for (let place = self; place; place = Object.getPrototypeOf(place)) if (Object.hasOwn(place, name)) delete place[name];
  }
}

async function wholeOf(address, come) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return come ? new Response(answer.body.pipeThrough(new TransformStream({ transform: come }))).arrayBuffer() : answer.arrayBuffer();
}

/**
 * Return a function like wholeOf() that also posts the progress. `sizes` maps addresses to [bytes sent, bytes of the
 * file]. Files that Pyodide fetches itself count when complete: browsers cache compiled code only for untouched
 * responses.
 */
function measured(sizes) {
  const come = {};
  const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);
  const all = sum(Object.values(sizes).map(([sent]) => sent));
  const count = (address, share) => {
    if (!(address in sizes)) return;
    come[address] = Math.round(sizes[address][0] * Math.min(1, share));
    postMessage({ loading: { come: sum(come), all } });
  };
  new PerformanceObserver((list) => list.getEntries().forEach(({ name }) => count(new URL(name).pathname, 1))).observe({ type: "resource", buffered: true });
  return (address) => {
    let bytes = 0;
    return wholeOf(address, (chunk, controller) => {
      controller.enqueue(chunk);
      bytes += chunk.byteLength;
      count(address, bytes / sizes[address]?.[1]);
    });
  };
}

/**
 * Open the memory of Python and the kit that this browser has stored under `name`. Return {stored, store(make)}; `stored`
 * is null if there is none. Browsers offer this storage only over https or on localhost.
 */
async function ownMemory(name) {
  const nothing = { stored: null, store: () => {} };
  try {
    const cache = await caches.open(STORE);
    const stored = await (await cache.match(name))?.arrayBuffer();
    const put = async (memory) => {
      for (const old of await cache.keys()) await cache.delete(old);
      await cache.put(name, new Response(memory));
    };
    return { stored: stored ?? null, store: (make) => void put(make()).catch(() => {}) };
  } catch {
    return nothing; // storage is disabled
  }
}

/** Limit the memory: beyond it, Python raises MemoryError. */
function limitMemory() {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function limited(pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > BYTES_MOST) throw new RangeError("no more memory");
    return grow.call(this, pages);
  };
}

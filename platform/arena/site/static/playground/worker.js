/**
 * Python in a worker, with the kit in it: the page asks in JSON and is answered in JSON. It is served with a policy of
 * its own (arena/playground/views.py), so it is one file.
 *
 * In:  {open: {pyodide, kit, snapshot, sizes}}, then {id, ask: text}.
 * Out: {loading: {come, all}}, {ready}, {told: text} while something is done, {id, answer: text}, {id, error, broken}, {failed}.
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

async function open({ pyodide, kit, snapshot, sizes = {} }) {
  const memory = await ownMemory(`${location.pathname}?${pyodide}&${kit}`);
  const read = memory.kept ? wholeOf : measured(sizes);
  const packed = read(kit);
  packed.catch(() => {}); // it is awaited below
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

async function wholeOf(address, come) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return come ? new Response(answer.body.pipeThrough(new TransformStream({ transform: come }))).arrayBuffer() : answer.arrayBuffer();
}

/**
 * Reads files as wholeOf does, and tells how much of all is there. `sizes` are by address [bytes that are sent, bytes of the file].
 * What Pyodide reads by itself counts once it is whole: the browser keeps compiled what it was given untouched.
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

/** A WebSocket that comes back: reconnects with growing, jittered pauses, or with the network, until told to stop. */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const SILENCE_MS = 45_000; // two heartbeats of the server and some: see arena/websocket.py
const REFUSED = [4403, 4404]; // not for this reader, or not there: asking again would change nothing

/**
 * Opens `path` on this host and keeps it open; a function is asked for the path before every attempt.
 * A server that sends heartbeats, messages without anything in them, is left when it falls silent.
 * `onOpen(send)` is called after every connection, `onMessage(data)` for every JSON message, `onDown()` when it is lost,
 * `onRefused()` when the server wants no more of it.
 * Returns `{ send, close }`; `send` drops what cannot be sent now: say it again in `onOpen`.
 */
export function openSocket(path, { onOpen = () => {}, onMessage, onDown = () => {}, onRefused = () => {} }) {
  const address = () => {
    const url = new URL(typeof path === "function" ? path() : path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return url;
  };
  let socket = null;
  let pause = FIRST_PAUSE_MS;
  let timer = 0;
  let silence = 0;
  let closed = false;
  const network = new AbortController();

  const send = (data) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(data));
  };

  const down = () => {
    socket = null;
    clearTimeout(silence);
    onDown();
    timer = setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  const connect = () => {
    clearTimeout(timer);
    const opened = new WebSocket(address());
    socket = opened;
    let beats = false;
    opened.onopen = () => opened === socket && onOpen(send);
    opened.onmessage = (event) => {
      if (opened !== socket) return;
      pause = FIRST_PAUSE_MS;
      const data = JSON.parse(event.data);
      const isHeartbeat = !Object.keys(data).length;
      beats ||= isHeartbeat;
      clearTimeout(silence);
      if (beats) silence = setTimeout(leave, SILENCE_MS);
      if (!isHeartbeat) onMessage(data);
    };
    opened.onclose = ({ code }) => {
      if (closed || opened !== socket) return;
      if (REFUSED.includes(code)) {
        close();
        onRefused();
        return;
      }
      down();
    };
  };

  const close = () => {
    closed = true;
    clearTimeout(timer);
    clearTimeout(silence);
    network.abort();
    socket?.close();
  };

  const leave = () => {
    const cut = socket;
    if (!cut) return;
    down();
    cut.close();
  };
  const onOnline = () => {
    pause = FIRST_PAUSE_MS;
    if (!socket) connect();
  };
  // A connection that was cut may say nothing for long, but the browser often knows. Tried again all the same: a site on
  // this very machine is there without any network.
  window.addEventListener("offline", leave, { signal: network.signal });
  window.addEventListener("online", onOnline, { signal: network.signal });

  connect();
  return { send, close };
}

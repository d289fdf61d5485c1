/** A WebSocket that reconnects, with growing random pauses, or when the network returns. */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const SILENCE_MS = 45_000; // more than two heartbeats of the server, see arena/websocket.py
const REFUSED = [4403, 4404]; // forbidden or not found: another attempt would not help

/**
 * Open a socket to `path` on this host, and reopen it until close() is called. Return { send, close }.
 * `path` may be a function, which is called before every attempt. If a server sends heartbeats (empty messages), a
 * silent connection is replaced. `onOpen(send)` is called after every connection, `onMessage(data)` for every JSON
 * message, `onDown()` after a lost connection, and `onRefused()` if the server refuses the reader. send() drops data
 * while there is no connection: send them again in `onOpen`.
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
  // A cut connection may stay silent for long, but browsers often notice. Attempts continue offline: a site on this
  // machine needs no network.
  window.addEventListener("offline", leave, { signal: network.signal });
  window.addEventListener("online", onOnline, { signal: network.signal });

  connect();
  return { send, close };
}

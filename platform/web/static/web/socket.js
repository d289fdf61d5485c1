/** A WebSocket that comes back: reconnects with growing, jittered pauses until told to stop. */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const REFUSED = [4403, 4404]; // not for this reader, or not there: asking again would change nothing

/**
 * Opens `path` on this host and keeps it open; a function is asked for the path before every attempt.
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
  let closed = false;

  const send = (data) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(data));
  };

  const connect = () => {
    socket = new WebSocket(address());
    socket.onopen = () => onOpen(send);
    socket.onmessage = (event) => {
      pause = FIRST_PAUSE_MS;
      onMessage(JSON.parse(event.data));
    };
    socket.onclose = ({ code }) => {
      if (closed) return;
      if (REFUSED.includes(code)) {
        closed = true;
        onRefused();
        return;
      }
      onDown();
      timer = setTimeout(connect, pause * (0.5 + Math.random()));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
  };

  const close = () => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };

  connect();
  return { send, close };
}

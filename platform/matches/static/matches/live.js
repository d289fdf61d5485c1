/** Following topics ("tournament.5"): one socket per page, opened with the first follower, closed with the last. */

import { openSocket } from "./socket.js";

const followers = new Map(); // topic -> Set of callbacks
let socket = null;
let connections = 0;

/**
 * Calls `onMessage({topic, ...})` on every announcement of `topic`, and with `{topic, reconnected: true}` after a lost
 * connection came back, since announcements may have been missed. Returns a function that ends it.
 */
export function subscribe(topic, onMessage) {
  const callbacks = followers.get(topic) ?? new Set();
  followers.set(topic, callbacks.add(onMessage));
  if (socket === null) {
    connections = 0;
    socket = openSocket("/ws/live/", { onOpen: followAll, onMessage: tell });
  } else if (callbacks.size === 1) {
    socket.send({ subscribe: [topic] });
  }
  return () => leave(topic, onMessage);
}

function leave(topic, onMessage) {
  const callbacks = followers.get(topic);
  if (!callbacks?.delete(onMessage) || callbacks.size) return;
  followers.delete(topic);
  if (followers.size) {
    socket.send({ unsubscribe: [topic] });
  } else {
    socket.close();
    socket = null;
  }
}

function followAll(send) {
  send({ subscribe: [...followers.keys()] });
  connections += 1;
  if (connections > 1) for (const topic of followers.keys()) tell({ topic, reconnected: true });
}

function tell(message) {
  if (message.error) console.error("live:", message.error, message.detail);
  for (const callback of followers.get(message.topic) ?? []) callback(message);
}

/** Following topics ("tournament.5"): one socket per page, opened with the first follower, closed with the last. */

import { openSocket } from "./socket.js";

const followers = new Map(); // topic -> Set of callbacks
let socket = null;

/**
 * Calls `onMessage({topic, subscribed: true})` once the topic is followed, again after a lost connection came back, since
 * something may have changed before; and `onMessage({topic, ...})` on every announcement. Returns a function that ends it.
 */
export function subscribe(topic, onMessage) {
  const callbacks = followers.get(topic) ?? new Set();
  followers.set(topic, callbacks.add(onMessage));
  if (socket === null) {
    socket = openSocket("/ws/live/", { onOpen: followAll, onMessage: tell });
  } else if (callbacks.size === 1) {
    socket.send({ subscribe: [topic] });
  } else {
    queueMicrotask(() => onMessage({ topic, subscribed: true }));
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
}

function tell(message) {
  if (message.error) console.error("live:", message.error, message.detail);
  for (const topic of message.subscribed ?? []) call(topic, { topic, subscribed: true });
  call(message.topic, message);
}

function call(topic, message) {
  for (const callback of followers.get(topic) ?? []) callback(message);
}

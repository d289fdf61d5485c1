/** Following topics ("tournament.5"): one socket per page, opened with the first follower, closed with the last. */

import { openSocket } from "./socket.js";

const followers = new Map(); // ticket -> Set of callbacks; a ticket is a topic, a colon and a signature
let socket = null;
let hasRows = false; // the server knows rows of boards
let failures = 0; // of the socket, in a row

/**
 * Calls `onMessage({topic, subscribed: true})` once the topic is followed, again after a lost connection came back, since
 * something may have changed before; and `onMessage({topic, ...})` on every announcement. While no socket can be opened, every
 * failed attempt counts as an announcement of all topics, so that pages refresh by HTTP. Returns a function that ends it.
 */
export function subscribe(ticket, onMessage) {
  const callbacks = followers.get(ticket) ?? new Set();
  followers.set(ticket, callbacks.add(onMessage));
  if (socket === null) {
    socket = openSocket("/ws/live/", { onOpen: followAll, onMessage: tell, onDown: fail });
  } else if (callbacks.size === 1) {
    socket.send({ subscribe: [ticket] });
  } else {
    queueMicrotask(() => onMessage({ topic: topicOf(ticket), subscribed: true }));
  }
  return () => leave(ticket, onMessage);
}

/**
 * Says which revisions of its parts a page shows ({"standings.7": 80}) of a topic that is followed. It is sent the rows that it
 * lacks, or a message with `reload`. Returns whether the server knows rows.
 */
export function showParts(ticket, parts) {
  if (hasRows) socket.send({ shows: [{ topic: ticket, parts }] });
  return hasRows;
}

function leave(ticket, onMessage) {
  const callbacks = followers.get(ticket);
  if (!callbacks?.delete(onMessage) || callbacks.size) return;
  followers.delete(ticket);
  if (followers.size) {
    socket.send({ unsubscribe: [ticket] });
  } else {
    socket.close();
    socket = null;
  }
}

function followAll(send) {
  send({ subscribe: [...followers.keys()] });
}

/** The first failure is ignored: most sockets come back at once. */
function fail() {
  failures += 1;
  if (failures > 1) for (const ticket of followers.keys()) call(topicOf(ticket), { topic: topicOf(ticket) });
}

function tell(message) {
  failures = 0;
  if (message.error) console.error("live:", message.error, message.detail);
  if (message.subscribed) hasRows = Boolean(message.rows);
  for (const topic of message.subscribed ?? []) call(topic, { topic, subscribed: true });
  call(message.topic, message);
}

function call(topic, message) {
  for (const [ticket, callbacks] of followers) {
    if (topicOf(ticket) === topic) for (const callback of callbacks) callback(message);
  }
}

function topicOf(ticket) {
  return ticket.slice(0, ticket.indexOf(":"));
}

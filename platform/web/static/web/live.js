/** Subscriptions to topics ("tournament.5"), over one socket per page that is open while there are subscribers. */

import { openSocket } from "./socket.js";

const followers = new Map(); // ticket -> Set of callbacks; a ticket is a topic, a colon and a signature
let socket = null;
let hasRows = false; // the server can send rows of boards
let failures = 0; // consecutive failures of the socket

/**
 * Call `onMessage` for each message about a topic, and return a function that unsubscribes.
 * The first message is {topic, subscribed: true}; it is repeated after a lost connection, because messages may have
 * been missed. While the socket cannot be opened, each failed attempt counts as a message about all topics, so that
 * pages refresh by HTTP.
 */
export function subscribe(ticket, onMessage) {
  const callbacks = followers.get(ticket) ?? new Set();
  followers.set(ticket, callbacks.add(onMessage));
  if (socket === null) {
    socket = openSocket("/ws/live/", { onOpen: followAll, onMessage: receive, onDown: fail });
  } else if (callbacks.size === 1) {
    socket.send({ subscribe: [ticket] });
  } else {
    queueMicrotask(() => onMessage({ topic: topicOf(ticket), subscribed: true }));
  }
  return () => leave(ticket, onMessage);
}

/**
 * Send the revisions of the parts that a page shows, {"standings.7": 80}, for a subscribed topic. The server responds
 * with the missing rows or with `reload`. Return whether the server knows rows.
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

/** Ignore the first failure: most sockets reconnect at once. */
function fail() {
  failures += 1;
  if (failures > 1) for (const ticket of followers.keys()) call(topicOf(ticket), { topic: topicOf(ticket) });
}

function receive(message) {
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

/** The rooms of one process: the sockets in them here, and the messages that arrive from all processes. */
'use strict';

/** The last messages of a room, for clients that open it. */
const KEPT = 100;

/** @param bus passes events to all processes (bus.js) */
function makeRooms(bus) {
  /** For each room, the functions that send an event to its sockets. */
  const rooms = new Map();

  // An event reaches every process, also the one that has published it, in one order.
  bus.subscribe((name, event) => {
    for (const send of rooms.get(name) ?? []) send(event);
  });

  return {
    /** Adds a socket, and sends it what it has missed since the message with the number `after`. */
    async join(name, user, socket, after) {
      // What is published while the history is read has to wait for it: clients ignore what is older than the last message.
      let held = [];
      const transmit = event => socket.send(JSON.stringify(event));
      const send = event => (held ? held.push(event) : transmit(event));
      const room = rooms.get(name) ?? new Set();
      rooms.set(name, room.add(send));
      const joined = bus.join(name, user);
      socket.on('close', () => {
        room.delete(send);
        if (room.size === 0) rooms.delete(name);
        joined.then(() => bus.leave(name, user)).catch(console.error);
      });
      const missed = await bus.history(name, after, KEPT);
      const last = missed.at(-1)?.number ?? after;
      for (const event of missed) transmit(event);
      for (const event of held) if (!(event.number <= last)) transmit(event);
      held = undefined;
      await joined;
    },
    /** Publishes a message. When the promise is fulfilled, it is stored. A message with a known `id` is dropped. */
    post: (name, user, { id, text }) => bus.publish(name, { id, from: user, text }),
  };
}

module.exports = { makeRooms };

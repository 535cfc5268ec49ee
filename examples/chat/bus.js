/** Passes events between processes: through Redis, or, without it, within this process. */
'use strict';

/** Seconds for which a process remembers the ids of messages, so that a client may send one again. */
const REMEMBERED = 600;
/** Seconds after which the sockets of a process that has crashed are no longer counted. */
const PRESENCE = 90;

function makeMemoryBus() {
  const listeners = [];
  const rooms = new Map();
  const roomOf = name => {
    if (!rooms.has(name)) rooms.set(name, { number: 0, events: [], ids: new Set(), members: new Map() });
    return rooms.get(name);
  };
  const emit = (name, event) => listeners.forEach(listener => listener(name, event));
  const present = name => emit(name, { type: 'present', users: [...roomOf(name).members.keys()].sort() });
  return {
    subscribe: listener => void listeners.push(listener),
    async publish(name, message) {
      const room = roomOf(name);
      if (room.ids.has(message.id)) return;
      room.ids.add(message.id);
      const event = { type: 'message', number: ++room.number, ...message };
      room.events.push(event);
      emit(name, event);
    },
    async history(name, after, count) {
      return roomOf(name)
        .events.filter(({ number }) => number > after)
        .slice(-count);
    },
    async join(name, user) {
      const { members } = roomOf(name);
      members.set(user, (members.get(user) ?? 0) + 1);
      present(name);
    },
    async leave(name, user) {
      const { members } = roomOf(name);
      if (members.get(user) > 1) members.set(user, members.get(user) - 1);
      else members.delete(user);
      present(name);
    },
    close: async () => undefined,
  };
}

/**
 * Numbers, stores and publishes a message at once, unless its id is known.
 * KEYS: number, events, id; ARGV: the message, the channel, seconds
 */
const PUBLISH = `
if redis.call('SET', KEYS[3], 1, 'NX', 'EX', ARGV[3]) == false then return 0 end
local event = cjson.decode(ARGV[1])
event.number = redis.call('INCR', KEYS[1])
local text = cjson.encode(event)
redis.call('RPUSH', KEYS[2], text)
redis.call('LTRIM', KEYS[2], -500, -1)
redis.call('PUBLISH', ARGV[2], text)
return event.number`;

async function makeRedisBus(url) {
  const { createClient } = require('redis');
  const client = createClient({ url });
  const subscriber = client.duplicate();
  for (const one of [client, subscriber]) one.on('error', error => console.error(String(error)));
  await Promise.all([client.connect(), subscriber.connect()]);
  const process_ = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const counts = new Map();
  const present = async name => {
    const now = Date.now();
    await client.zRemRangeByScore(`chat:present:${name}`, 0, now - PRESENCE * 1000);
    const entries = await client.zRange(`chat:present:${name}`, 0, -1);
    const users = [...new Set(entries.map(entry => entry.slice(entry.indexOf(' ') + 1)))].sort();
    await client.publish(`chat:${name}`, JSON.stringify({ type: 'present', users }));
  };
  const renew = () =>
    Promise.all(
      [...counts.keys()].map(key => {
        const [name, user] = JSON.parse(key);
        return client.zAdd(`chat:present:${name}`, { score: Date.now(), value: `${process_} ${user}` });
      }),
    ).catch(console.error);
  const timer = setInterval(renew, (PRESENCE / 3) * 1000).unref();
  return {
    subscribe: listener =>
      subscriber.pSubscribe('chat:*', (text, channel) => {
        listener(channel.slice('chat:'.length), JSON.parse(text));
      }),
    async publish(name, message) {
      await client.eval(PUBLISH, {
        keys: [`chat:number:${name}`, `chat:events:${name}`, `chat:id:${name}:${message.id}`],
        arguments: [JSON.stringify({ type: 'message', ...message }), `chat:${name}`, String(REMEMBERED)],
      });
    },
    async history(name, after, count) {
      const events = await client.lRange(`chat:events:${name}`, -500, -1);
      return events
        .map(text => JSON.parse(text))
        .filter(({ number }) => number > after)
        .slice(after > 0 ? -500 : -count);
    },
    async join(name, user) {
      const key = JSON.stringify([name, user]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      await client.zAdd(`chat:present:${name}`, { score: Date.now(), value: `${process_} ${user}` });
      await present(name);
    },
    async leave(name, user) {
      const key = JSON.stringify([name, user]);
      const count = (counts.get(key) ?? 1) - 1;
      if (count > 0) counts.set(key, count);
      else {
        counts.delete(key);
        await client.zRem(`chat:present:${name}`, `${process_} ${user}`);
      }
      await present(name);
    },
    async close() {
      clearInterval(timer);
      await Promise.all([client.close(), subscriber.close()]);
    },
  };
}

module.exports = { makeMemoryBus, makeRedisBus };

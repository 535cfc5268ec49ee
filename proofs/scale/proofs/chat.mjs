/** Proof: if all processes of examples/chat are restarted in turn, 2,000 sockets lose no message and show none twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../../scripts/test-files.mjs';

const { WebSocket } = createRequire(import.meta.url)('ws');
const SOCKETS = 2000;
const ROOMS = 100;
const SENDERS = 100;
const USERS = 5;
const FIRST_PORT = 3950;

/** Starts a process of the chat; `stop` resolves when it has ended. */
async function startChat(/** @type {number} */ port, /** @type {NodeJS.ProcessEnv} */ env) {
  const child = spawn(process.execPath, [path.join(root, 'examples/chat')], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), PER_ADDRESS: '5000', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  return {
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A client as the page is one: it reconnects, to the next process, and sends again what was not confirmed. */
class Client {
  last = 0;
  reconnects = 0;
  seen = new Map();
  waiting = new Map();
  isClosed = false;

  constructor(ports, index, cookie, forgets) {
    Object.assign(this, { ports, at: index % ports.length, cookie, forgets, room: `r${index % ROOMS}` });
    this.connect();
  }

  connect() {
    const port = this.ports[this.at++ % this.ports.length];
    const { room, last, cookie } = this;
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/rooms/${room}?after=${last}`, {
      headers: { cookie },
      perMessageDeflate: false,
    });
    this.opened = once(this.socket, 'open').catch(() => undefined);
    this.socket.on('error', () => undefined);
    this.socket.on('open', () => {
      if (!this.forgets) for (const message of this.waiting.values()) this.transmit(message);
    });
    this.socket.on('message', data => {
      const event = JSON.parse(String(data));
      if (event.type === 'sent') this.waiting.delete(event.id);
      if (event.type !== 'message' || event.number <= this.last) return;
      this.last = event.number;
      this.seen.set(event.id, (this.seen.get(event.id) ?? 0) + 1);
    });
    this.socket.on('close', () => {
      if (this.isClosed) return;
      this.reconnects++;
      setTimeout(() => this.connect(), 20 + Math.random() * 200);
    });
  }

  transmit(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  post(id) {
    const message = { id, text: `message ${id}` };
    this.waiting.set(id, message);
    this.transmit(message);
  }

  close() {
    this.isClosed = true;
    this.socket.terminate();
  }
}

async function cookieOf(port, name) {
  const response = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return response.headers.get('set-cookie').split(';')[0];
}

/** Runs the chat with so many processes, and returns what its clients have seen. */
async function restartChat({ redisUrl, count, forgets = false, sockets = SOCKETS }) {
  const ports = Array.from({ length: count }, (_, n) => FIRST_PORT + n);
  const env = { REDIS_URL: redisUrl, SESSION_SECRET: 'of the proof' };
  const processes = await Promise.all(ports.map(port => startChat(port, env)));
  const cookies = await Promise.all(
    Array.from({ length: USERS }, (_, n) => cookieOf(ports[n % count], `User${n}`)),
  );
  const clients = [];
  while (clients.length < sockets) {
    const cookie = cookies[clients.length % USERS];
    const few = Array.from(
      { length: Math.min(100, sockets - clients.length) },
      (_, n) => new Client(ports, clients.length + n, cookie, forgets),
    );
    clients.push(...few);
    await Promise.all(few.map(({ opened }) => opened));
  }
  const posted = [];
  let sender = 0;
  const run = `${process.pid}-${Date.now()}`;
  const timer = setInterval(() => {
    const client = clients[sender++ % Math.min(SENDERS, sockets)];
    const id = `${run}-${posted.length}`;
    posted.push({ id, room: client.room });
    client.post(id);
  }, 10);
  for (const [n, port] of ports.entries()) {
    await sleep(1000);
    await processes[n].stop();
    processes[n] = await startChat(port, env);
  }
  await sleep(1000);
  clearInterval(timer);
  const members = groupByRoom(clients);
  const isOver = () =>
    clients.every(({ waiting, socket }) => waiting.size === 0 && socket.readyState === WebSocket.OPEN) &&
    posted.every(({ id, room }) => members.get(room).every(({ seen }) => seen.has(id)));
  for (let n = 0; n < 300 && !isOver(); n++) await sleep(100);
  // Duplicates may still arrive.
  await sleep(1000);
  const result = { posted: posted.length, delivered: 0, lost: 0, repeated: 0, unconfirmed: 0, reconnects: 0 };
  for (const { id, room } of posted) {
    for (const { seen } of members.get(room)) {
      const times = seen.get(id) ?? 0;
      if (times === 0) result.lost++;
      else result.delivered++;
      if (times > 1) result.repeated++;
    }
  }
  for (const { waiting, reconnects } of clients) {
    result.unconfirmed += waiting.size;
    result.reconnects += reconnects;
  }
  for (const client of clients) client.close();
  await Promise.all(processes.map(one => one.stop()));
  return result;
}

function groupByRoom(clients) {
  const rooms = new Map();
  for (const client of clients) rooms.set(client.room, [...(rooms.get(client.room) ?? []), client]);
  return rooms;
}

/** @type {import('../proofs.mjs').Proof} */
export const chat = {
  name: 'chat',
  title: 'a rolling restart of the chat loses no message of 2,000 sockets',
  faults: [
    {
      name: 'forgetful',
      says: 'clients do not send again what was not confirmed',
      client: { forgets: true },
    },
  ],
  async run({ services, site, fault }) {
    const count = Math.max(2, site.boards.length);
    const found = await restartChat({ redisUrl: services.urls.redisUrl, count, ...fault?.client });
    const { posted, delivered, lost, repeated, unconfirmed, reconnects } = found;
    return {
      figures: `${count} restarts with ${SOCKETS} sockets: of ${posted} messages, ${delivered} deliveries, ${lost} lost, ${repeated} repeated, ${unconfirmed} unconfirmed, in ${reconnects} reconnections`,
      reached: lost + repeated + unconfirmed === 0 && delivered > 0 && reconnects >= SOCKETS,
    };
  },
};

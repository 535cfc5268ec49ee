/** examples/chat */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import request from 'supertest';
import type { InjectedSocket } from '@ristretto/private-engine/lib/types/fetch';
import type web from 'ristretto';
import chat = require('../chat/app.js');

interface Event {
  type: string;
  id?: string;
  text?: string;
  from?: string;
  number?: number;
  users?: string[];
}

const create = (): ReturnType<typeof web> => (chat as { createChat(): ReturnType<typeof web> }).createChat();

/** Logs in, and returns the cookie of the session. */
const logIn = async (app: ReturnType<typeof web>, name: string): Promise<string> => {
  const response = await app.inject({ url: '/login', body: { name } });
  assert.equal(response.status, 200);
  return String(response.headers['set-cookie']).split(';')[0]!;
};

/** Returns the next event of a type. */
const next = async (socket: InjectedSocket, type: string): Promise<Event> => {
  for (;;) {
    const event = JSON.parse(String(await socket.next())) as Event;
    if (event.type === type) return event;
  }
};

describe('example chat', () => {
  test('a session: is required, and its name is what others see', async () => {
    const app = create();
    await assert.rejects(app.inject.ws('/rooms/lobby'), { status: 401 });
    assert.equal((await app.inject({ url: '/login', body: { name: '<b>' } })).status, 400);
    const [ada, grace] = [await logIn(app, 'Ada'), await logIn(app, 'Grace')];
    await assert.rejects(app.inject.ws('/rooms/LOBBY!', { headers: { cookie: ada } }), { status: 404 });
    const one = await app.inject.ws('/rooms/lobby', { headers: { cookie: ada } });
    const two = await app.inject.ws('/rooms/lobby', { headers: { cookie: grace } });
    one.send('{"id":"1","text":"hello"}');
    const seen = await next(two, 'message');
    assert.deepEqual(seen, { type: 'message', number: 1, id: '1', from: 'Ada', text: 'hello' });
    assert.equal((await next(one, 'sent')).id, '1');
    one.terminate();
    two.terminate();
  });

  test('presence: shows who is in a room, once each, and who has left', async () => {
    const app = create();
    const [ada, grace] = [await logIn(app, 'Ada'), await logIn(app, 'Grace')];
    const first = await app.inject.ws('/rooms/lobby', { headers: { cookie: ada } });
    const second = await app.inject.ws('/rooms/lobby', { headers: { cookie: ada } });
    const third = await app.inject.ws('/rooms/lobby', { headers: { cookie: grace } });
    assert.deepEqual((await next(third, 'present')).users, ['Ada', 'Grace']);
    first.close();
    assert.deepEqual((await next(third, 'present')).users, ['Ada', 'Grace']);
    second.close();
    assert.deepEqual((await next(third, 'present')).users, ['Grace']);
    third.terminate();
  });

  test('rooms: are apart', async () => {
    const app = create();
    const headers = { cookie: await logIn(app, 'Ada') };
    const lobby = await app.inject.ws('/rooms/lobby', { headers });
    const help = await app.inject.ws('/rooms/help', { headers });
    lobby.send('{"id":"1","text":"in the lobby"}');
    await next(lobby, 'sent');
    help.send('{"id":"2","text":"in help"}');
    assert.equal((await next(help, 'message')).text, 'in help');
    lobby.terminate();
    help.terminate();
  });

  test('reconnecting: a client gets what it has missed, and a message that it repeats is dropped', async () => {
    const app = create();
    const headers = { cookie: await logIn(app, 'Ada') };
    const one = await app.inject.ws('/rooms/lobby', { headers });
    for (const id of ['1', '2', '2', '3']) one.send(JSON.stringify({ id, text: id }));
    while ((await next(one, 'sent')).id !== '3');
    const two = await app.inject.ws('/rooms/lobby?after=1', { headers });
    assert.deepEqual([(await next(two, 'message')).number, (await next(two, 'message')).number], [2, 3]);
    one.terminate();
    two.terminate();
  });

  test('an invalid message: gets an error, and the socket stays open', async () => {
    const app = create();
    const socket = await app.inject.ws('/rooms/lobby', { headers: { cookie: await logIn(app, 'Ada') } });
    for (const message of ['{"id":"1","text":" "}', 'x', '{}', 'null', '{"id":5,"text":"a"}']) {
      socket.send(message);
      assert.match((await next(socket, 'error')).text!, /Expected/);
    }
    assert.equal(socket.readyState, 1);
    socket.close();
    await once(socket, 'close');
  });

  test('the page: is served with its script and style sheet, and asks who the visitor is', async () => {
    const app = create();
    const visitor = request.agent(app);
    for (const file of ['/', '/chat.js', '/chat.css']) await visitor.get(file).expect(200);
    assert.deepEqual((await visitor.get('/me')).body, { name: null });
    await visitor.post('/login').send({ name: 'Ada' }).expect(200);
    assert.deepEqual((await visitor.get('/me')).body, { name: 'Ada' });
  });
});

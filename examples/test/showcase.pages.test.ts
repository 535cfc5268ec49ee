// runs: built, ci
/** examples/showcase: the board as visitors and attackers see it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import request from 'supertest';
import { until } from '../../packages/engine/test/support/until';
import { home, load, makeBoard, member, password } from './showcase';
import { words } from '../../packages/engine/test/support/random';
import { each } from '../../packages/engine/test/support/http';

let board: Awaited<ReturnType<typeof makeBoard>>;
before(async () => (board = await makeBoard()));
after(() => board.services.close());

const post = (agent: Awaited<ReturnType<typeof member>>, text: string) =>
  agent.post('/posts').field('text', text);

describe('showcase accounts', () => {
  test('a visitor gets no cookie, joins, logs out and in again with a new session', async () => {
    const app = board.app();
    const page = await request(app).get('/');
    assert.deepEqual([page.status, page.type, page.headers['set-cookie']], [200, 'text/html', undefined]);
    assert.match(page.text, /built with <strong>Ristretto<\/strong>/);
    assert.match(page.text, /took <strong>\d+\.\d ms<\/strong>/);
    assert.match(String(page.headers['server-timing']), /^app;dur=\d/);

    const ada = await member(app, 'Ada');
    assert.match((await ada.get('/')).text, /Log out <span class="who">Ada/);
    await ada.post('/logout');
    assert.doesNotMatch((await ada.get('/')).text, /Log out/);
    const login = await ada.post('/login').type('form').send({ name: 'ada', password });
    assert.deepEqual([login.status, login.headers.location], [303, '/']);
    assert.match(String(login.headers['set-cookie']), /^session=s%3A.*; HttpOnly; SameSite=Lax$/);
    const first = String(login.headers['set-cookie']).split(';', 1)[0];
    const second = await request(app)
      .post('/login')
      .set('Cookie', first!)
      .type('form')
      .send({ name: 'Ada', password });
    assert.notEqual(String(second.headers['set-cookie']).split(';', 1)[0], first);
  });
  test('wrong names and wrong passwords get the same error; forms with mistakes keep the name', async () => {
    const app = board.app();
    const attempt = (path: string, name: string, secret: string) =>
      request(app).post(path).type('form').send({ name, password: secret });
    const unknown = await attempt('/login', 'nobody', password);
    const wrong = await attempt('/login', 'admin', password);
    assert.deepEqual([unknown.status, wrong.status], [401, 401]);
    const mistake = (text: string) => /role="alert"[^>]*>([^<]*)/.exec(text)?.[1];
    assert.equal(mistake(unknown.text), mistake(wrong.text));
    const taken = await attempt('/register', 'ADMIN', password);
    assert.deepEqual([taken.status, mistake(taken.text)], [409, 'This name is already taken.']);
    const short = await attempt('/register', '"><script>', 'short');
    assert.equal(short.status, 422);
    assert.match(short.text, /value="&#34;&gt;&lt;script&gt;"/);
    const lists = await request(app).post('/login').type('form').send('name[]=admin&password[a]=b&name=x');
    assert.equal(lists.status, 401);
  });
  test('guessing passwords is limited with 429', async () => {
    const app = board.app();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      statuses.push(
        (await request(app).post('/login').type('form').send({ name: 'a', password: 'x' })).status,
      );
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429]);
  });
  test('a login replaces a planted session id, and a forged id is not logged in', async () => {
    const app = board.app();
    const planted = await member(app, 'Mallory');
    const cookie = String(
      (await planted.post('/login').type('form').send({ name: 'Mallory', password })).headers['set-cookie'],
    );
    const res = await request(app)
      .post('/login')
      .set('Cookie', cookie.split(';', 1)[0]!)
      .type('form')
      .send({ name: 'admin', password: 'open sesame' });
    assert.equal(res.status, 303);
    const old = await request(app).get('/admin').set('Cookie', cookie.split(';', 1)[0]!);
    assert.deepEqual([old.status, old.headers.location], [303, '/login']);
    const forged = await request(app).get('/admin').set('Cookie', 'session=s%3Aabc.def');
    assert.equal(forged.status, 303);
  });
});

describe('showcase guests', () => {
  test('log in with one click, post, and are counted by their address', async () => {
    const app = board.app();
    const guest = request.agent(app);
    const entered = await guest.post('/guest');
    assert.deepEqual([entered.status, entered.headers.location], [303, '/']);
    const page = (await guest.get('/')).text;
    assert.match(page, /Log out <span class="who">\w+ \w+ \d{3}</);
    assert.match(page, /logged in as a guest/);
    for (let n = 0; n < 10; n++) assert.equal((await post(guest, `${n}`)).status, 303);
    const another = request.agent(app);
    await another.post('/guest');
    assert.equal((await post(another, 'one too many')).status, 429);
    const name = /class="who">([^<]+)/.exec(page)![1]!;
    const login = await request(app).post('/login').type('form').send({ name, password: '!!!!!!!!!!' });
    assert.equal(login.status, 401);
  });
  test('are removed with their posts after a day', async () => {
    const { db, users, posts } = board.services;
    const { id } = await users.addGuest();
    const old = await posts.add(id, { text: 'yesterday' });
    await db.sql`update users set created = now() - interval '25 hours' where id = ${id}`;
    await users.addGuest();
    assert.equal(await posts.find(old), undefined);
  });
});

describe('showcase passwords', () => {
  const change = (agent: Awaited<ReturnType<typeof member>>, old: string, secret: string) =>
    agent.post('/password').type('form').send({ old, password: secret });

  test('changing the password ends the other sessions of the account and keeps this one', async () => {
    const app = board.app();
    const here = await member(app, 'Paula');
    const elsewhere = request.agent(app);
    await elsewhere.post('/login').type('form').send({ name: 'Paula', password });
    const other = await member(app, 'Piet');
    assert.match((await here.get('/password')).text, /Change the password/);
    const changed = await change(here, password, 'better horse');
    assert.deepEqual([changed.status, changed.headers.location], [303, '/']);
    const isIn = async (agent: typeof here) => (await agent.get('/')).text.includes('Log out');
    assert.deepEqual([await isIn(here), await isIn(elsewhere), await isIn(other)], [true, false, true]);
    const login = (secret: string) =>
      request(app).post('/login').type('form').send({ name: 'Paula', password: secret });
    assert.deepEqual([(await login(password)).status, (await login('better horse')).status], [401, 303]);
  });
  test('only the owner, with the old password, can change a password', async () => {
    const app = board.app();
    const olga = await member(app, 'Olga');
    assert.equal((await change(olga, 'wrong wrong', 'better horse')).status, 403);
    const short = await change(olga, password, 'short');
    assert.deepEqual([short.status, short.text.includes('role="alert"')], [422, true]);
    const lists = await olga.post('/password').type('form').send('old[]=a&password[a]=b');
    assert.equal(lists.status, 422);
    const foreign = await change(olga, password, 'better horse').set('Sec-Fetch-Site', 'cross-site');
    assert.equal(foreign.status, 403);
    const visitor = await request(app).post('/password').type('form').send({ old: password });
    assert.deepEqual([visitor.status, visitor.headers.location], [303, '/login']);
    for (let guess = 0; guess < 8; guess++) await change(olga, 'wrong wrong', 'x');
    assert.equal((await change(olga, password, 'better horse')).status, 429);
    assert.equal((await olga.get('/')).text.includes('Log out'), true);
  });
  test('only one of two simultaneous changes takes effect', async () => {
    const { users } = board.services;
    await users.add('Twin', password);
    const account = (await users.verify('Twin', password))!;
    const results = await Promise.all([
      users.changePassword(account, 'first horse'),
      users.changePassword(account, 'second horse'),
    ]);
    assert.equal(results.filter(Boolean).length, 1);
  });
});

describe('showcase posts', () => {
  test('are shown to everyone, fully escaped', async () => {
    const app = board.app();
    const bob = await member(app, 'Bob');
    const res = await post(bob, ' <script>alert(1)</script>\n"quotes" ');
    assert.deepEqual([res.status, res.headers.location], [303, '/']);
    const { text } = await request(app).get('/');
    assert.match(text, /dir="auto">&lt;script&gt;alert\(1\)&lt;\/script&gt;\n&#34;quotes&#34;<\/p>/);
    assert.doesNotMatch(text, /<script>/);
    assert.equal((await post(bob, '  ')).status, 422);
    assert.equal((await post(bob, 'x'.repeat(501))).status, 422);
    assert.equal((await post(bob, 'a\0b')).status, 422);
    const nobody = await request(app).get('/password');
    assert.deepEqual([nobody.status, nobody.headers.location], [303, '/login']);
  });
  test('without a login are kept in the login form, and shown in their own form after it', async () => {
    const app = board.app();
    await member(app, 'Nora Quist');
    const agent = request.agent(app);
    const asked = await agent
      .post('/posts')
      .field('text', 'typed <long>')
      .attach('picture', Buffer.alloc(99), 'a.png');
    assert.equal(asked.status, 401);
    assert.match(asked.text, /name="text" value="typed &lt;long&gt;"/);
    const login = { name: 'nora quist', text: 'typed <long>' };
    const wrong = await agent
      .post('/login')
      .type('form')
      .send({ ...login, password: 'wrong wrong' });
    assert.match(wrong.text, /name="text" value="typed &lt;long&gt;"/);
    const entered = await agent
      .post('/login')
      .type('form')
      .send({ ...login, password });
    assert.deepEqual([entered.status, entered.headers.location], [303, '/']);
    assert.match((await agent.get('/')).text, /<textarea[^>]*>typed &lt;long&gt;<\/textarea>/);
    assert.match((await agent.get('/')).text, /<textarea[^>]*><\/textarea>/);
  });
  test('that are refused come back with their text, for each reason', async () => {
    const app = board.app();
    const rhea = await member(app, 'Rhea');
    const picture = await rhea
      .post('/posts')
      .field('text', 'kept text')
      .attach('picture', Buffer.alloc(99), 'a.png');
    assert.deepEqual([picture.status, picture.text.includes('role="alert"')], [415, true]);
    assert.match(picture.text, />kept text<\/textarea>/);
    const long = await rhea.post('/posts').field({ text: 'kept text', alt: 'x'.repeat(201) });
    assert.equal(long.status, 422);
    assert.match(long.text, />kept text<\/textarea>/);
    const tooLong = await post(rhea, 'x'.repeat(501));
    assert.equal(tooLong.status, 422);
    assert.match(tooLong.text, />x{501}<\/textarea>/);
    for (let n = 0; n < 7; n++) assert.equal((await post(rhea, `${n}`)).status, 303);
    const limited = await post(rhea, 'kept text');
    assert.equal(limited.status, 429);
    assert.match(limited.text, />kept text<\/textarea>/);
    // The page of a refused post has the address of the form, to which a change of colors leads back.
    const page = 'http://board.example/posts';
    const colored = rhea
      .post('/theme')
      .set({ Host: 'board.example', Referer: page })
      .type('form')
      .send('theme=dark');
    assert.equal((await colored).headers.location, page);
    const back = await rhea.get('/posts');
    assert.deepEqual([back.status, back.headers.location], [303, '/']);
    assert.match((await rhea.get('/')).text, />kept text<\/textarea>/);
    assert.match((await rhea.get('/')).text, /<textarea[^>]*><\/textarea>/);
  });
  test('may have 500 characters, of which a line break is one', async () => {
    const app = board.app();
    const lines = await post(await member(app, 'Verse'), `${'line\r\n'.repeat(99)}end..`);
    assert.equal(lines.status, 303);
    assert.match((await request(app).get('/')).text, />(?:line\n){99}end\.\.<\/p>/);
  });
  test('are confirmed once', async () => {
    const nell = await member(board.app(), 'Nell');
    assert.match((await nell.get('/')).text, /role="status">Welcome/);
    await post(nell, 'confirmed');
    assert.match((await nell.get('/')).text, /role="status">Posted/);
    assert.doesNotMatch((await nell.get('/')).text, /class="notice"/);
    const forged = await nell.get('/').set('Cookie', 'notice=constructor');
    assert.doesNotMatch(forged.text, /class="notice"/);
  });
  test('are edited only by their authors, replied to, and liked once by each member', async () => {
    const app = board.app();
    const [max, mia] = [await member(app, 'Max'), await member(app, 'Mia')];
    await post(max, 'original');
    const id = /id="post-(\d+)"/.exec((await max.get('/')).text)?.[1];
    const edit = (agent: typeof max, text: string) =>
      agent.post(`/posts/${id}/edit`).type('form').send({ text });
    assert.equal((await max.get(`/posts/${id}/edit`)).status, 200);
    assert.equal((await mia.get(`/posts/${id}/edit`)).status, 404);
    assert.equal((await edit(mia, 'hijacked')).status, 404);
    const empty = await edit(max, ' ');
    assert.deepEqual([empty.status, empty.text.includes('role="alert"')], [422, true]);
    assert.equal((await edit(max, `kept ${'x'.repeat(500)}`)).status, 422);
    const colored = max
      .post('/theme')
      .set({ Host: 'board.example', Referer: `http://board.example/posts/${id}/edit` });
    const { location } = (await colored.type('form').send('theme=dark')).headers;
    assert.match((await max.get(new URL(location!).pathname)).text, />kept x{500}<\/textarea>/);
    assert.match((await max.get(`/posts/${id}/edit`)).text, />original<\/textarea>/);
    assert.equal((await edit(max, 'corrected')).headers.location, `/posts/${id}`);
    const reply = await mia.post('/posts').field({ text: 'a reply', parent: id! });
    assert.deepEqual([reply.status, reply.headers.location], [303, `/posts/${id}`]);
    const orphan = await mia.post('/posts').field({ text: 'to nothing', parent: '2147483647' });
    assert.equal(orphan.status, 404);
    for (let n = 0; n < 2; n++) await mia.post(`/posts/${id}/like`).type('form').send({ like: 'yes' });
    const thread = (await mia.get(`/posts/${id}`)).text;
    assert.match(thread, /corrected[^]*· edited|· edited[^]*corrected/);
    assert.match(thread, /aria-pressed="true"[^]*class="count">1<[^]*class="count">1<[^]*a reply/);
    const front = (await max.get('/')).text;
    assert.doesNotMatch(front, /a reply|to nothing|original/);
    await mia.post(`/posts/${id}/like`).type('form').send({ like: 'no' });
    assert.match((await mia.get(`/posts/${id}`)).text, /aria-pressed="false"[^]*class="count">0</);
    assert.equal((await mia.post('/posts/2147483647/like').type('form').send({ like: 'yes' })).status, 404);
  });
  test('are found by their words, even if the query contains wildcards and quotes', async () => {
    const app = board.app();
    const eve = await member(app, 'Eve');
    await post(eve, 'The flat white of the town, 100% arabica');
    const found = async (q: string) =>
      (await request(app).get('/').query({ q })).text.includes('flat white of the town');
    assert.equal(await found('ARABICA'), true);
    assert.equal(await found('"flat white" -tea'), true);
    assert.equal(await found('flat -white'), false);
    for (const q of ['arab', 'towns', 'fla whi', 'flat -whi', '-tea flat'])
      assert.equal(await found(q), true, q);
    assert.equal(await found('flat -town'), false);
    for (const q of [
      ...['%', '_', "' or 1=1 --", '"', 'a\0b', '& | ! ( )', '\\', "-it's a!'b", '-tea OR !x', 'the'],
      'a.b/c?d=e!f',
    ]) {
      const res = await request(app).get('/').query({ q });
      assert.equal(res.status, 200, q);
    }
    assert.equal(await found("' or true --"), false);
    assert.equal((await request(app).get('/?q[]=a&before[]=b')).status, 200);
  });
  test('are paged, newest first', async () => {
    const author = (await board.services.users.add('Prolific', password))!.id;
    for (let n = 1; n <= 25; n++) await board.services.posts.add(author, { text: `number ${n}.` });
    const app = board.app();
    const first = await request(app).get('/');
    assert.match(first.text, /number 25\.[^]*number 6\./);
    assert.doesNotMatch(first.text, /number 5\./);
    const older = /href="(\/\?before=\d+)"/.exec(first.text)?.[1];
    assert.match((await request(app).get(older!)).text, /number 5\.[^]*number 1\./);
  });
  test('are deleted only by their authors', async () => {
    const app = board.app();
    const [kim, lee] = [await member(app, 'Kim'), await member(app, 'Lee')];
    await post(kim, 'mine');
    const id = /id="post-(\d+)"/.exec((await kim.get('/')).text)?.[1];
    assert.equal((await lee.post(`/posts/${id}/delete`)).status, 404);
    assert.equal((await kim.get(`/posts/${id}`)).status, 200);
    assert.equal((await kim.post(`/posts/${id}/delete`)).status, 303);
    assert.equal((await kim.get(`/posts/${id}`)).status, 404);
    for (const wrong of ['0', '99999999999', 'x', '%00']) {
      assert.equal((await kim.get(`/posts/${wrong}`)).status, 404, wrong);
    }
  });
  test('that are sent again with the key of their form are stored once', async () => {
    const app = board.app();
    const ida = await member(app, 'Ida');
    const key = /name="key" value="([0-9a-f-]{36})"/.exec((await ida.get('/')).text)?.[1] ?? '';
    const send = (text: string) => ida.post('/posts').field({ text, key });
    const statuses = await Promise.all([send('once'), send('once'), send('another')]);
    assert.deepEqual(each(statuses, 'status'), [303, 303, 303]);
    const { posts } = await board.services.posts.page({ limit: 3 });
    const count = (text: string) => posts.filter(post => post.text === text).length;
    assert.deepEqual([count('once'), count('another')], [1, 1]);
  });
  test('are limited with 429 for each user', async () => {
    const app = board.app();
    const ned = await member(app, 'Ned');
    for (let n = 0; n < 10; n++) assert.equal((await post(ned, `${n}`)).status, 303);
    assert.equal((await post(ned, 'one too many')).status, 429);
  });
});

describe('showcase pictures', () => {
  let png: Buffer | undefined;
  before(async () => {
    const sharp = await import('sharp').catch(() => undefined);
    png = await sharp
      ?.default({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  });

  test('are re-encoded in two sizes, and served so that nothing in them can run', async t => {
    if (!png) return t.skip('sharp is not installed');
    const app = board.app();
    const pia = await member(app, 'Pia');
    const res = await pia
      .post('/posts')
      .field('text', 'look')
      .field('alt', '"a red <square>"')
      .attach('picture', png, '../../etc/<b>passwd.html');
    assert.equal(res.status, 303);
    const { text } = await request(app).get('/');
    assert.match(text, /alt="&#34;a red &lt;square&gt;&#34;"/);
    assert.doesNotMatch(text, /passwd/);
    const address = /src="(\/pictures\/[0-9a-f-]+\.small\.webp)"/.exec(text)?.[1] ?? '';
    const picture = await request(app)
      .get(address)
      .buffer(true)
      .parse((reply, done) => {
        const chunks: Buffer[] = [];
        reply
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => done(null, Buffer.concat(chunks)));
      });
    assert.equal((picture.body as Buffer).toString('latin1', 8, 12), 'WEBP');
    assert.equal(picture.type, 'image/webp');
    assert.equal(picture.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(picture.headers['content-security-policy'], "default-src 'none'; sandbox");
    assert.equal(picture.headers['x-content-type-options'], 'nosniff');
    const again = await request(app).get(address).set('If-None-Match', String(picture.headers.etag));
    assert.equal(again.status, 304);
    assert.equal((await request(app).get(address.replace('small', '..%2f..'))).status, 404);
    assert.equal((await request(app).get(`/pictures/${'-'.repeat(36)}.large.webp`)).status, 404);
  });
  test('are decoded one at a time: two more wait, and others get a 503; large ones are refused', async t => {
    const sharp = await import('sharp').catch(() => undefined);
    if (!sharp) return t.skip('sharp is not installed');
    const paint = (pixels: number) =>
      sharp
        .default({ create: { width: pixels, height: pixels, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
    const app = board.app();
    const pat = await member(app, 'Pat');
    const send = async (bytes: Buffer) =>
      (await pat.post('/posts').field('text', 'large').attach('picture', bytes, 'a.png')).status;
    assert.equal(await send(await paint(5001)), 422);
    const picture = await paint(3000);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => send(picture)));
    assert.deepEqual(statuses.sort(), [...Array<number>(3).fill(303), ...Array<number>(5).fill(503)]);
    assert.equal(await send(png!), 303);
  });
  test('are rejected if they are not pictures, regardless of the declared type', async t => {
    if (!png) return t.skip('sharp is not installed');
    const app = board.app();
    const sam = await member(app, 'Sam');
    const send = async (bytes: Buffer | string) =>
      (
        await sam
          .post('/posts')
          .field('text', 'x')
          .attach('picture', Buffer.from(bytes), { filename: 'a.png', contentType: 'image/png' })
      ).status;
    assert.equal(await send('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>'), 415);
    assert.equal(await send('<!doctype html><script>alert(1)</script>'), 415);
    assert.equal(await send('GIF'), 415);
    assert.equal(await send(png.subarray(0, 40)), 422);
    assert.equal(await send(Buffer.concat([png.subarray(0, 20), Buffer.alloc(200_000, 1)])), 422);
    assert.equal(await send(Buffer.concat([png, Buffer.alloc(9 * 1024 * 1024)])), 413);
    const broken = sam.post('/posts').set('Content-Type', 'multipart/form-data; boundary=x');
    assert.equal((await broken.send('--x')).status, 400);
    const bare = await sam.post('/posts').field('text', 'y').field('extra', 'x'.repeat(5000));
    assert.equal(bare.status, 400);
    assert.doesNotMatch((await sam.get('/')).text, /dir="auto">[xy]</);
  });
});

test('showcase figures on the front page agree with proofs/bench/results', async () => {
  const results = path.join(home, '../../proofs/bench/results');
  const { newestResults } = await import('../../scripts/figures.mjs');
  const table = fs.readFileSync(path.join(home, '../..', String(newestResults()['24'])), 'utf8');
  const [head, row] = ['scenario', 'json hello'].map(name =>
    new RegExp(`^\\| ${name} \\|.*$`, 'm')
      .exec(table)![0]
      .split('|')
      .map(cell => cell.trim()),
  );
  const [ristretto, express] = ['ristretto', 'express4'].map(name => parseFloat(row![head!.indexOf(name)]!));
  const { text } = await request(board.app()).get('/');
  const shown = /<dd>([\d.]+)<small> ×/.exec(text)![1]!;
  assert.equal(shown, String(Math.floor((10 * ristretto!) / express!) / 10));
  const restarts = /✔ (\d+) restarts: 0 of (\d+) GET and 0 of (\d+) POST/.exec(
    fs.readFileSync(path.join(results, 'operations-2026-11-21.md'), 'utf8'),
  )!;
  const requests = (Number(restarts[2]) + Number(restarts[3])).toLocaleString('en');
  assert.ok(text.includes(`of ${requests} requests in ${restarts[1]} restarts`));
});

describe('showcase protection', () => {
  test('forms of other sites change nothing', async () => {
    const app = board.app();
    const send = (headers: object) =>
      request(app)
        .post('/theme')
        .set(headers as Record<string, string>)
        .set('Host', 'board.example')
        .type('form')
        .send('theme=dark');
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'http://board.example' },
      {},
    ]) {
      assert.equal((await send(headers)).status, 303, JSON.stringify(headers));
    }
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://board.example' },
      { Origin: 'http://evil.example' },
      { Origin: 'http://board.example.evil.example' },
      { Origin: 'http://board.example:81' },
      { Origin: 'null' },
    ]) {
      assert.equal((await send(headers)).status, 403, JSON.stringify(headers));
    }
  });
  test('pages have a strict policy, and files outside the public folder are not served', async () => {
    const app = board.app();
    const res = await request(app).get('/');
    assert.match(
      String(res.headers['content-security-policy']),
      /^default-src 'none';script-src 'self';style-src 'self';/,
    );
    assert.equal(res.headers['x-powered-by'], undefined);
    assert.equal(
      (await request(app).get('/assets/style.css')).headers['cache-control'],
      'public, max-age=3600',
    );
    for (const path of words('/..%2fpackage.json /source/..%2f..%2fpackage.json /source/../data /%00 /%')) {
      assert.equal((await request(app).get(path)).status, 404, path);
    }
    assert.match(
      (await request(app).get('/source/data/posts.ts')).text,
      /<h1 class="file">data\/posts\.ts<\/h1>/,
    );
    assert.match((await request(app).get('/source')).text, /lines of TypeScript/);
  });
  test('the color scheme is remembered', async () => {
    const agent = request.agent(board.app());
    assert.match((await agent.get('/')).text, /<html lang="en">/);
    await agent.post('/theme').type('form').send('theme=dark');
    assert.match((await agent.get('/')).text, /<html lang="en" data-theme="dark">/);
    const foreign = agent
      .post('/theme')
      .set('Referer', 'http://other.example/x')
      .type('form')
      .send('theme=<b>');
    assert.equal((await foreign).headers.location, '/');
    assert.match((await agent.get('/')).text, /<html lang="en">/);
  });
  test('errors are not disclosed, except that the database is unavailable', async t => {
    const app = board.app();
    const query = t.mock.method(board.services.posts, 'page', () => Promise.reject(new Error('secret')));
    const res = await request(app).get('/').set('Accept', 'text/html');
    assert.equal(res.status, 500);
    assert.doesNotMatch(res.text, /secret/);
    query.mock.mockImplementation(() =>
      Promise.reject(Object.assign(new Error('secret'), { code: 'ECONNREFUSED' })),
    );
    const away = await request(app).get('/').set('Accept', 'text/html');
    assert.deepEqual([away.status, away.headers['retry-after']], [503, '5']);
    query.mock.restore();
    assert.equal(
      (await request(app).get('/dependencies')).text,
      '{"status":"ok","checks":{"database":"ok"}}',
    );
  });
});

describe('showcase administration', () => {
  test('a new ADMIN_PASSWORD ends the sessions of the old one; the same one ends none', async () => {
    const { prepareAdministrator } = await load('services');
    const app = board.app();
    const admin = request.agent(app);
    const login = (secret: string) =>
      admin.post('/login').type('form').send({ name: 'admin', password: secret });
    await login('open sesame');
    await prepareAdministrator(board.services.users, 'open sesame');
    assert.equal((await admin.get('/admin')).status, 200);
    await prepareAdministrator(board.services.users, 'open barley');
    assert.deepEqual([(await admin.get('/admin')).status, (await login('open sesame')).status], [303, 401]);
    assert.equal((await login('open barley')).status, 303);
    assert.equal((await admin.get('/admin')).status, 200);
    await prepareAdministrator(board.services.users, 'open sesame');
  });
  test('shows metrics and traces, with queries and views, to administrators only', async () => {
    const app = board.app();
    const other = await member(app, 'Olaf');
    assert.deepEqual(
      [(await other.get('/admin/operations')).status, (await other.get('/admin/metrics')).status],
      [404, 404],
    );
    const admin = request.agent(app);
    await admin.post('/login').type('form').send({ name: 'admin', password: 'open sesame' });
    await admin.get('/?q=traced');
    const { text } = await admin.get('/admin/operations');
    assert.match(text, /GET \/\?q=traced[^]*class="query"[^]*ms select p\.id[^]*class="view"[^]*ms board</);
    assert.match((await admin.get('/admin/metrics')).text, /^http_server_request_duration_seconds_count\{/m);
  });
  test('nobody can register as the administrator before that account exists', async () => {
    assert.equal(await board.services.users.add('Admin', password), undefined);
  });
  test('the admin page is a 404 for others, and deletes posts and accounts', async () => {
    const app = board.app();
    const troll = await member(app, 'Troll');
    await post(troll, 'Buy watches');
    assert.equal((await troll.get('/admin')).status, 404);
    assert.equal((await troll.post('/admin/posts/1/delete')).status, 404);
    const admin = request.agent(app);
    await admin.post('/login').type('form').send({ name: 'admin', password: 'open sesame' });
    const page = await admin.get('/admin');
    assert.equal(page.headers['cache-control'], 'no-store');
    const account = /action="(\/admin\/users\/\d+\/delete)"><button[^>]*with posts: Troll/.exec(
      page.text,
    )?.[1];
    assert.equal((await admin.post(account!)).status, 303);
    assert.doesNotMatch((await request(app).get('/')).text, /Buy watches/);
    assert.doesNotMatch((await troll.get('/')).text, /Log out/);
    assert.equal((await admin.post('/admin/users/1/delete')).status, 404);
  });
});

describe('showcase live updates', () => {
  /**
   * Serves an application during a test; `open` opens a stream of its events, and `until` resolves with everything
   * received so far.
   */
  async function serve(t: TestContext, app: RequestListener) {
    const server = http.createServer(app).listen(0);
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    return {
      async open(headers: Record<string, string>, query = '') {
        const abort = new AbortController();
        const res = await fetch(`${origin}/events${query}`, { headers, signal: abort.signal });
        const chunks = res.body!.pipeThrough(new TextDecoderStream()).getReader();
        let text = '';
        return {
          close: () => abort.abort(),
          async until(pattern: RegExp) {
            while (!pattern.test(text)) text += (await chunks.read()).value ?? '';
            return text;
          },
        };
      },
      async status(headers: Record<string, string>) {
        const abort = new AbortController();
        const res = await fetch(`${origin}/events`, { headers, signal: abort.signal });
        abort.abort();
        return res.status;
      },
    };
  }

  test('reach open pages, and resume after the last event that a client received', async t => {
    const { open } = await serve(t, board.app());
    const { users, posts, feed } = board.services;
    const author = (await users.add('Live', password))!.id;
    const stream = await open({}, `?after=${feed.position}`);
    await posts.add(author, { text: 'first <event>' });
    feed.wake();
    const seen = await stream.until(/first &lt;event&gt;.*\n\n/);
    assert.match(seen, /^: open\n\n[^]*event: added\n/);
    const last = /^id: (\d+)$/m.exec(seen)?.[1] ?? '';
    stream.close();
    const id = await posts.add(author, { text: 'while away' });
    await posts.remove(id);
    feed.wake();
    const resumed = await open({ 'Last-Event-ID': last });
    const missed = await resumed.until(/event: removed\n[^]*\n\n/);
    assert.match(missed, new RegExp(`data: {"id":${id}}`));
    assert.doesNotMatch(missed, /first/);
    const behind = await open({ 'Last-Event-ID': last });
    for (let n = 0; n < 101; n++) await posts.add(author, { text: 'many' });
    feed.wake();
    behind.close();
    const far = await open({ 'Last-Event-ID': last });
    await far.until(/event: reload\n/);
    resumed.close();
  });
  test('replay what a client missed without a query, except what has been deleted since', async t => {
    const { open } = await serve(t, board.app());
    const { users, posts, feed } = board.services;
    // Its timer reads events, too.
    await feed.stop();
    const author = (await users.add('Replayed', password))!.id;
    const after = feed.position;
    const current = await open({}, `?after=${after}`);
    const id = await posts.add(author, { text: 'regretted' });
    for (let n = 0; n < 20; n++) await posts.add(author, { text: `kept ${n}.` });
    await posts.remove(id);
    feed.wake();
    await current.until(/event: removed\n[^]*\n\n/);
    const queries = [t.mock.method(posts, 'page'), t.mock.method(posts, 'eventsAfter')];
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => open({ 'Last-Event-ID': String(after) })),
    );
    for (const stream of streams) {
      const text = await stream.until(/event: removed\n[^]*\n\n/);
      assert.deepEqual([text.match(/kept \d+\./g)?.length, text.includes('regretted')], [20, false]);
      stream.close();
    }
    assert.deepEqual(
      queries.map(({ mock }) => mock.callCount()),
      [0, 0],
    );
    current.close();
  });
  test('are limited with 429 for each address, also for streams that have not caught up', async t => {
    const app = board.app();
    app.set('trust proxy', 1);
    const { feed } = board.services;
    t.mock.method(feed, 'follow', () => new Promise(() => undefined));
    const { open, status } = await serve(t, app);
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const streams = await Promise.all(Array.from({ length: 100 }, () => open(from('192.0.2.1'))));
    assert.deepEqual([await status(from('192.0.2.1')), await status(from('192.0.2.2'))], [429, 200]);
    for (const stream of streams) stream.close();
    await until(async () => (await status(from('192.0.2.1'))) === 200);
  });
  test('are not repeated by a process that lags behind the client', async t => {
    const [{ makeApp }, { makeServices }] = await Promise.all([load('app'), load('services')]);
    const { db, users, posts, feed } = board.services;
    const behind = await makeServices({}, db);
    const [one, other] = [await serve(t, board.app()), await serve(t, makeApp(behind, { proxies: 0 }))];
    const author = (await users.add('Wanderer', password))!.id;
    const stream = await one.open({}, `?after=${feed.position}`);
    await posts.add(author, { text: 'seen before' });
    feed.wake();
    const last = /^id: (\d+)$/m.exec(await stream.until(/seen before.*\n\n/))?.[1] ?? '';
    stream.close();
    const resumed = await other.open({ 'Last-Event-ID': last });
    await posts.add(author, { text: 'seen after' });
    behind.feed.wake();
    assert.doesNotMatch(await resumed.until(/seen after.*\n\n/), /seen before/);
    resumed.close();
    await behind.feed.stop();
  });
});

/** Files: `web.static`, `res.sendFile` and `res.download`, compared with send 1.2. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type web from 'ristretto5';
import { words } from '../../engine/test/support/random.js';
import { alike, quiet, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- options that the types refuse */
const files = [
  ...words('a.txt a.js a.ico a.html none odd.unknownext .hidden .dir/a.txt sub/index.html'),
  'é b.txt',
  'a.json',
];

/** Returns a folder with files of these names, which all were changed at the same time. */
function folderOf(names: string[]): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto5-'));
  after(() => {
    fs.rmSync(root, { recursive: true });
  });
  for (const name of names) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, name === 'empty.txt' ? '' : `content of ${name}`);
    fs.utimesSync(file, 1.7e9, 1.7e9);
  }
  return root;
}

const sending =
  (respond: (res: any) => unknown, settings: Record<string, unknown> = {}) =>
  (web: Web): web.Application => {
    const app = quiet(web());
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    return app.use((_req, res) => void respond(res));
  };

describe('files', () => {
  const root = folderOf(files);
  const serves =
    (options?: object) =>
    (web: Web): web.Application =>
      quiet(web()).use(web.static(root, options as any));

  test('types: come from mime-types 3, with charset=utf-8', async () => {
    for (const file of files) {
      await same(serves(), `/${encodeURIComponent(file).replace(/%2F/g, '/')}`);
      await same(sending(res => res.sendFile(file, { root, dotfiles: 'allow' })));
    }
  });

  test('dotfiles: are ignored in every part of the path', async () => {
    for (const dotfiles of [undefined, 'allow', 'deny', 'ignore']) {
      for (const file of ['.hidden', '.dir/a.txt', 'a.txt']) {
        await same(serves({ dotfiles }), `/${file}`);
        await same(sending(res => res.sendFile(file, { root, ...(dotfiles && { dotfiles }) })));
        await same(sending(res => res.sendFile(path.join(root, file), { ...(dotfiles && { dotfiles }) })));
      }
    }
    await same(serves({ hidden: true }), '/.hidden');
  });

  test('web.static: redirects and falls through as serve-static 2 does', async () => {
    await same(serves(), '/sub');
    await same(serves(), '/sub/');
    await same(serves(), '/none-such');
    await same(serves({ fallthrough: false }), '/none-such');
    await same(serves({ fallthrough: false }), { method: 'POST', path: '/a.txt' });
    await same(serves({ extensions: ['txt'] }), '/a');
    alike(web => (web.static as any)());
    alike(web => 'mime' in web.static);
  });

  test('conditions: a tag takes precedence over a date, and one malformed range invalidates the header', async () => {
    const tag = (await same(serves(), '/a.txt')).headers.etag!;
    const later = new Date(1.8e12).toUTCString();
    const old = new Date(1e12).toUTCString();
    for (const headers of [
      { 'If-None-Match': tag, 'If-Modified-Since': old },
      { 'If-None-Match': '"x"', 'If-Modified-Since': later },
      { 'If-Modified-Since': later },
      { Range: 'bytes=0-3' },
      { Range: 'bytes=a-b' },
      { Range: 'bytes=0-3,x' },
      { Range: 'bytes=900-' },
      { Range: 'bytes=0-1,3-4' },
    ] as Record<string, string>[]) {
      await same(serves(), { path: '/a.txt', headers });
      await same(
        sending(res => res.sendFile('a.txt', { root })),
        { headers },
      );
    }
  });

  test('res.sendFile: the etag setting takes precedence, and is written into the options', async () => {
    await same(sending(res => res.sendFile('a.txt', { root, etag: true }), { etag: false }));
    await same(sending(res => res.sendFile('a.txt', { root, etag: false })));
    await same(
      sending(res => {
        const options = { root } as { root: string; etag?: boolean };
        res.sendFile('a.txt', options, () => undefined);
        res.set('X-Etag', String(options.etag));
      }),
    );
  });

  test('res.sendFile: rejects arguments as Express 5 does', async () => {
    for (const args of [
      [],
      [''],
      [5],
      ['a.txt'],
      ['none-such', { root }],
      ['../x', { root }],
      ['sub', { root }],
    ]) {
      await same(sending(res => res.sendFile(...args)));
    }
  });

  test('res.download: sends the name in the format of content-disposition 2', async () => {
    for (const name of [undefined, 'b.txt', 'é.txt', 'dir/x y.txt', '']) {
      const { headers } = await same(sending(res => res.download(path.join(root, 'a.txt'), name)));
      assert.ok(headers['content-disposition']);
    }
    await same(sending(res => res.download('é b.txt', { root })));
    await same(
      sending(res =>
        res.download('a.txt', 'n.html', { root, headers: { 'X-A': 'b', 'Content-Disposition': 'no' } }),
      ),
    );
  });

  test('res.download: arguments are optional, and an error reaches the callback without the header', async () => {
    const file = path.join(root, 'a.txt');
    const calls: ((res: any) => unknown)[] = [
      res => res.download(file),
      res => res.download(file, 'name.txt'),
      res => res.download(file, { maxAge: 1000 }),
      res => res.download(file, 'n', { headers: { 'X-A': 'b' } }),
      res => res.download(file, null, null),
      res =>
        res.download('none-such', { root }, (error: any) =>
          res.status(error.status).json(res.get('Content-Disposition') ?? 'none'),
        ),
      res => res.download('none-such', (error: any) => res.status(error.status).send(String(error.code))),
      res => res.download(path.join(root, 'sub')),
      res => res.download(5),
    ];
    for (const call of calls) await same(sending(call));
  });
});

/** The content that every framework sends, receives and serves: the same bytes for all. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hello = { hello: 'world' };
export const text = 'Hello, world! This is a line of plain text.';
export const query = 'filter[name]=ada&filter[age]=36&page=2';

/** About 1 KiB of JSON, as an API would send. */
export const smallJson = JSON.stringify({
  users: Array.from({ length: 12 }, (_, i) => ({
    id: i,
    name: `user ${i}`,
    email: `user${i}@example.com`,
    active: i % 2 === 0,
  })),
});
/** The users as a handler has them: a response schema removes the last member. */
export const users = {
  users: JSON.parse(smallJson).users.map((/** @type {object} */ user) => ({
    ...user,
    passwordHash: 'x'.repeat(60),
  })),
};
export const largeJson = JSON.stringify(
  Array.from({ length: 12_000 }, (_, i) => ({
    id: i,
    name: `user ${i}`,
    email: `user${i}@example.com`,
    tags: ['a', 'b'],
  })),
)
  .slice(0, 1024 * 1024 - 20)
  .replace(/,?\{[^}]*$/, ']');
export const form = Array.from({ length: 900 }, (_, i) => `field${i}=${'value+%C3%A9+'.repeat(7)}${i}`).join(
  '&',
);
export const raw = Buffer.alloc(10 * 1024 * 1024, 'x');

export const view =
  '<h1><%= title %></h1><ul><% for (const item of items) { %><li><%= item %></li><% } %></ul>';
export const viewLocals = { title: 'Items', items: ['one', 'two', 'three', 'four', 'five'] };

/** About 10 KiB of JSON: a page of a list. */
export const page = {
  users: Array.from({ length: 118 }, (_, i) => ({
    id: i,
    name: `user ${i}`,
    email: `user${i}@example.com`,
    active: i % 2 === 0,
  })),
};

/** A form with a field and a file of 1 MiB. */
export const boundary = '----bench-0123456789abcdef';
const part = (disposition, type = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`;
export const upload = Buffer.concat([
  Buffer.from(`${part('name="title"')}A picture\r\n`),
  Buffer.from(part('name="picture"; filename="a.bin"', 'Content-Type: application/octet-stream\r\n')),
  Buffer.alloc(1024 * 1024, 'z'),
  Buffer.from(`\r\n--${boundary}--\r\n`),
]);

/** The products that the arena's entries list. */
export const items = Array.from({ length: 50 }, (_, i) => ({
  id: i + 1,
  name: `Product ${i + 1}`,
  category: ['tools', 'books', 'garden', 'music'][i % 4],
  price: 10 + i,
  quantity: 1 + (i % 9),
  active: i % 3 !== 0,
  tags: ['new', 'sale'].slice(i % 2),
  rating: { score: 1 + (i % 5), count: 7 * i },
}));

/** Creates a key and a certificate for `localhost`, with elliptic curves: a handshake then costs little beside the requests. */
export function makeCertificate(folder) {
  const [key, cert] = ['server.key', 'server.crt'].map(name => join(folder, name));
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, '-subj', '/CN=localhost', '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  );
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

/** Creates a folder with the served files and the views. */
export function makeFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  writeFileSync(join(folder, 'small.html'), 'x'.repeat(10 * 1024));
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(100 * 1024 * 1024, 'y'));
  writeFileSync(join(folder, 'items.ejs'), view);
  mkdirSync(join(folder, 'static'));
  writeFileSync(join(folder, 'static/app.js'), '// '.padEnd(30 * 1024, 'x'));
  return folder;
}

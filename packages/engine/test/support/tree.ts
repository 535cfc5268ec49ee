/** A directory of unusual files for the tests of file serving, and a way to find descriptors left open. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

/** Size of `big.bin`: several reads. */
export const BIG = 1024 * 1024;

/** Size of `huge.bin`. */
export const HUGE = 64 * BIG;

const FILES: Record<string, string | Buffer> = {
  'todo.txt': '- groceries',
  'empty.txt': '',
  noext: 'plain',
  'unknown.xyzzy': '?',
  'data.json': '{"a":1}',
  'page.html': '<p>page</p>',
  'page.htm': '<p>old page</p>',
  'a b.html': '<p>space</p>',
  '100%.txt': 'percent',
  'naïve ☃.txt': 'unicode',
  "it's(1)!.txt": 'quotes',
  '.hidden': 'hidden',
  '.dir/file.txt': 'in a hidden directory',
  'index.htm': '<p>index of the root</p>',
  'nested/index.html': '<p>index</p>',
  'nested/deep/index.html': '<p>deep index</p>',
  'users/tobi.txt': 'ferret',
  'admin/secret.html': 'secret',
  'like.txt/inner.txt': 'a directory with an extension',
  'snow ☃/index.html': '<p>snow</p>',
  'piece.bin': Buffer.alloc(64 * 1024, 'p'),
  'big.bin': Buffer.alloc(BIG, 'abcdefghijklmnopqrstuvwxyz'),
};

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-files-'));
process.on('exit', () => {
  fs.rmSync(home, { recursive: true, force: true });
});

/** The directory that is served. */
export const root = path.join(home, 'public');
/** A file outside of it, in a directory whose name has the same prefix. */
export const outside = path.join(home, 'public-restricted', 'secret.txt');

for (const [name, content] of Object.entries(FILES)) write(path.join(root, name), content);
write(outside, 'secret');
// The file is larger than all buffers of a connection, so that its transfer blocks; being sparse, it takes no disk
// space.
write(path.join(root, 'huge.bin'), '');
fs.truncateSync(path.join(root, 'huge.bin'), HUGE);

function write(file: string, content: string | Buffer): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  // The time is half a second past a full second: entity tags include milliseconds, dates do not.
  fs.utimesSync(file, 1_600_000_000.5, 1_600_000_000.5);
}

/** The absolute path of a file of the tree. */
export function at(name: string): string {
  return path.join(root, name);
}

/** Creates a file that a test may change. */
export function scratch(name: string, content: string | Buffer): string {
  write(at(name), content);
  return at(name);
}

/** Records which descriptors are open, from now until the end of the test. */
export function watchDescriptors(t: TestContext): Set<number> {
  const opened = new Set<number>();
  const { open, closeSync } = fs;
  t.mock.method(fs, 'open', (...args: unknown[]) => {
    const callback = args.pop() as (error: Error | null, fd: number) => void;
    (open as (...args: unknown[]) => void)(...args, (error: Error | null, fd: number) => {
      if (!error) opened.add(fd);
      callback(error, fd);
    });
  });
  t.mock.method(fs, 'closeSync', (fd: number) => {
    opened.delete(fd);
    closeSync(fd);
  });
  return opened;
}

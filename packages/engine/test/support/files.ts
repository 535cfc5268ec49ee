/** The small tree of files and views that generated applications serve, created in a temporary folder. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { words } from './random.js';

const CONTENT: Record<string, string> = {
  'index.html': '<p>index</p>',
  'a.txt': 'abcdefghij',
  'b.html': '<b>b</b>',
  'data.json': '{"a":1}',
  'no-extension': 'plain',
  'odd.unknownext': '?',
  'empty.txt': '',
  'café.txt': 'café',
  'with space.txt': 'space',
  'big.bin': 'x'.repeat(70_000),
  '.hidden': 'hidden',
  '.dir/inside.txt': 'inside',
  'sub/index.html': '<p>sub</p>',
  'sub/page.htm': '<p>page</p>',
  'sub/deep/x.txt': 'x',
  'empty-dir/.keep': '',
  'views/one.tpl': 'one {{ name }}',
  'views/two.other': 'two {{ name }}',
  'views/dir/index.tpl': 'dir {{ name }}',
  'views/broken.tpl': 'THROW',
};

/** Creates the tree with fixed modification times; it is removed when the process exits. */
export function makeFiles(): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'differential-'));
  const modified = new Date('2024-03-05T06:07:08.123Z');
  for (const [name, content] of Object.entries(CONTENT)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    fs.utimesSync(file, modified, modified);
  }
  process.on('exit', () => {
    fs.rmSync(root, { recursive: true, force: true });
  });
  return root;
}

/** Names to request, valid and invalid. */
export const FILE_NAMES = [
  ...Object.keys(CONTENT),
  ...words('missing.txt sub sub/ sub/page b empty-dir ../a.txt sub/../a.txt ./a.txt a.txt/'),
];

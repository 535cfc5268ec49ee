// runs: once
/**
 * Each entry of the reference has all sections that apply to it: description, options, returns, throws, version,
 * Express.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { folder, writeReference } from './reference/examples.js';

interface Entry {
  page: string;
  member: string;
  text: string;
}

/** Return types that readers expect, which need no description. */
const USUAL = /: (?:this|void|Application|\w*Handler(?:<.*>)?|Router|BodyParser|NextHandleFunction)$/;

writeReference();
const entries: Entry[] = ['', '3.x', '5.x'].flatMap(version =>
  fs
    .readdirSync(path.join(folder, version))
    .filter(name => name.endsWith('.md'))
    .flatMap(name =>
      entriesOf(path.join(version, name), fs.readFileSync(path.join(folder, version, name), 'utf8')),
    ),
);

function entriesOf(page: string, text: string): Entry[] {
  return text
    .split(/^(?=<a id=)/m)
    .slice(1)
    .map(part => ({ page, member: /^## (.*)$/m.exec(part)?.[1] ?? '', text: part }));
}

/** Returns the entries that lack a section, among those described in their own version. */
const lacking = (list: readonly Entry[], lacks: (entry: Entry) => boolean): string[] =>
  list
    .filter(({ text }) => !/^As in 4\.x: /m.test(text))
    .filter(lacks)
    .map(({ page, member }) => `${page} ${member}`);

const isDeprecated = ({ text }: Entry): boolean => text.includes('**Deprecated.**');
const signature = ({ text }: Entry): string[] =>
  (/^```typescript\n([^]*?)\n```/m.exec(text)?.[1] ?? '').split('\n');

const described = (list: readonly Entry[]) =>
  lacking(list, ({ text }) => !/^## .*\n\n(?!```|\*\*(?!Deprecated))[A-Z*`'"\d]/m.test(text));
const returning = (list: readonly Entry[]) =>
  lacking(
    list,
    entry =>
      entry.member.endsWith('()') &&
      !isDeprecated(entry) &&
      signature(entry).some(line => !USUAL.test(line)) &&
      !entry.text.includes('**Returns**'),
  );
const throwing = (list: readonly Entry[]) =>
  lacking(
    list,
    ({ text }) =>
      /^- (?!next|promise)[^:]*: (?:throws|.* throws$)/m.test(text) && !text.includes('**Throws**'),
  );
const defaulting = (list: readonly Entry[]) =>
  lacking(list, ({ text }) => /^\| `[^|]*\| (?:[^|\\]|\\\|)*\| +\|/m.test(text));
const compared = (list: readonly Entry[]) =>
  lacking(
    list,
    ({ page, text }) => page !== 'settings.md' && !/^\*\*Express \d\*\*: (?:the same|absent)/m.test(text),
  );

/** The number of the first release without the major version, which is that of the API. */
const FIRST_VERSION = [
  ...fs.readFileSync(path.resolve(folder, '../../CHANGELOG.md'), 'utf8').matchAll(/^## \d+\.(\d+\.\d+)/gm),
].at(-1)?.[1];

/** Returns the entries that are dated to the first release, which needs no date. */
const datedFirst = (list: readonly Entry[]): string[] =>
  list
    .filter(({ text }) => /^\*\*Since\*\*: \d+\.(.*)$/m.exec(text)?.[1] === FIRST_VERSION)
    .map(({ page, member }) => `${page} ${member}`);

describe('reference, section by section', () => {
  test('has entries from every page', () => {
    assert.ok(entries.length > 250, String(entries.length));
    assert.ok(new Set(entries.map(({ page }) => page)).size >= 16);
  });
  const all = { described, returning, throwing, defaulting, compared };
  for (const [what, check] of Object.entries(all))
    test(`every entry is complete: ${what}`, () => assert.deepEqual(check(entries), []));

  test('dates only members that are newer than the first release', () => {
    assert.match(FIRST_VERSION ?? '', /^\d+\.\d+$/);
    assert.deepEqual(datedFirst(entries), []);
    const said = (member: string, since: string) =>
      entriesOf('web.md', `# x\n\n<a id="x"></a>\n\n## ${member}\n\n**Since**: ${since}\n`);
    const planted = [...said('web.first()', '4.50.0'), ...said('web.later()', '5.51.0')];
    assert.deepEqual(datedFirst(planted), ['web.md web.first()']);
  });

  test('detects an entry that lacks a section', () => {
    const text = `# x

<a id="x-y"></a>

## x.y()

\`\`\`typescript
x.y(options?: Options): number
\`\`\`

| option | type | default | meaning |
| --- | --- | --- | --- |
| \`a\` | \`boolean \\| string\` | | Something. |

- bad argument: throws
`;
    const planted = entriesOf('planted.md', text);
    const found = Object.entries(all).filter(([, check]) => check(planted).length === 1);
    assert.deepEqual(
      found.map(([what]) => what),
      Object.keys(all),
    );
  });
});

// runs: each
/** HTTP/2 connections as frames, valid and not, and versions of Node that lack security fixes for HTTP/2. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http2 from 'node:http2';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { isPatched, warnIfUnpatched } from '@ristretto/private-engine/lib/serving/http2/patched';
import web from 'ristretto';
import { http2Cases, http2Outcomes } from '../support/conformance/http2.js';
import { cellsOf, codeCell } from '../support/conformance/table.js';
import { words } from '../support/random.js';

const document = path.join(__dirname, '../../../../docs/proofs/conformance.md');

const [START, END] = ['begin', 'end'].map(
  word => `<!-- ${word} of the table by packages/engine/test/serving/http2.conformance.test.ts -->\n`,
) as [string, string];

/** HTTP/2 connections as frames, valid and not: what a server does with them here and without a framework, as in docs/proofs/conformance.md. */
describe('http2 conformance', () => {
  let ours: string[];
  let bare: string[];

  before(async () => {
    const app = web().set('env', 'test');
    app.use(web.raw({ type: () => true }), (_req, res) => void res.send('served'));
    ours = await http2Outcomes(http2.createServer(app as never));
    bare = await http2Outcomes(
      http2.createServer((req, res) => {
        req.on('error', () => undefined).resume();
        req.on('end', () => res.end('served'));
      }),
    );
  });

  test('frames: a server does what the specification allows, or what Node does without a framework', () => {
    http2Cases.forEach(({ title, right }, i) => {
      assert.ok(
        [...right, bare[i]!].includes(ours[i]!),
        `${title}: ${ours[i]!}, without a framework ${bare[i]!}`,
      );
    });
  });

  test('cases: are at least 70, with unique titles', () => {
    assert.ok(http2Cases.length >= 70, String(http2Cases.length));
    assert.equal(new Set(http2Cases.map(({ title }) => title)).size, http2Cases.length);
  });

  // Node rejects most of them itself, and each version a little differently.
  const isDocumented = process.versions.node.startsWith('20.');
  test('docs: the table matches the outcomes', { skip: !isDocumented }, () => {
    const wrong = http2Cases.flatMap(({ title, section, right }, i) =>
      right.includes(ours[i]!) ? [] : [{ title: `${title} (${section})`, outcome: ours[i]!, bare: bare[i]! }],
    );
    for (const { title, outcome, bare: theirs } of wrong) assert.equal(outcome, theirs, title);
    const rows = [...new Set(wrong.map(({ outcome }) => outcome))].map(outcome => {
      const titles = wrong.filter(each => each.outcome === outcome).map(({ title }) => title);
      return [codeCell(outcome), String(titles.length), titles.join('; ')];
    });
    const head = ['outcome', 'cases', 'frames (section of RFC 9113)'];
    const made = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
    const text = fs.readFileSync(document, 'utf8');
    const [prose = '', written = ''] = text.split(START);
    const [table = '', others = ''] = written.split(END);
    if (process.env.UPDATE_DOCS) fs.writeFileSync(document, `${prose}${START}\n${made}\n\n${END}${others}`);
    else assert.deepEqual(cellsOf(table), cellsOf(made));
  });
});

describe('HTTP/2: versions of Node', () => {
  test('versions without security fixes: are known', () => {
    for (const version of words('v18.20.8 v20.20.2 v22.23.1 v23.11.1 v24.18.0 v25.9.0 v26.0.0 v26.5.0'))
      assert.equal(isPatched(version), false, version);
    for (const version of ['v22.23.2', 'v22.24.0', 'v24.18.1', 'v24.21.0', 'v26.5.1', 'v27.0.0-nightly'])
      assert.equal(isPatched(version), true, version);
  });

  test('a version that lacks them: emits one warning', async context => {
    const warnings: (Error & { code?: string })[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const version = Object.getOwnPropertyDescriptor(process, 'version')!;
    const { RISTRETTO_WARNINGS } = process.env;
    delete process.env.RISTRETTO_WARNINGS;
    context.after(() => {
      process.env.RISTRETTO_WARNINGS = RISTRETTO_WARNINGS;
      process.off('warning', note);
      Object.defineProperty(process, 'version', version);
    });
    Object.defineProperty(process, 'version', { ...version, value: 'v20.0.0' });
    warnIfUnpatched();
    warnIfUnpatched();
    await new Promise(setImmediate);
    const ours = warnings.filter(({ code }) => code === 'RISTRETTO_HTTP2_UNPATCHED');
    assert.deepEqual(
      ours.map(({ name, message }) => [name, message.split(' lacks')[0]]),
      [['RistrettoWarning', 'Node.js v20.0.0']],
    );
  });
});

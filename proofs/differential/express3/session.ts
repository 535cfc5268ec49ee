/** Runs generated cases on both frameworks and returns the differences. */
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../../../packages/engine/test/support/random.js';
import { askPort, withServer } from '../../../packages/engine/test/support/http.js';
import type { Answer } from '../../../packages/engine/test/support/http.js';
import { patched } from '../../../packages/ristretto3/test/support/connect-patch.js';
import { comparable, frameworks } from '../../../packages/ristretto3/test/support/oracle.js';
import type { Web } from '../../../packages/ristretto3/test/support/oracle.js';
import type { Ask, Case } from './description.js';
import { generate } from './generate.js';
import { Builder } from './interpreter.js';

interface Seen {
  answer: object;
  trace: string[];
}

export interface Finding {
  seed: number;
  ask: Ask | undefined;
  ours: unknown;
  theirs: unknown;
  description: Case;
}

/** Runs a case on one framework: for each request, the response and which handlers ran. */
async function run(web: Web, description: Case): Promise<Seen[] | string> {
  const trace: string[] = [];
  let app;
  try {
    app = new Builder(web, trace).build(description);
  } catch (err) {
    return `not built: ${String(err)}`;
  }
  return withServer(app, async port => {
    const seen: Seen[] = [];
    for (const ask of description.requests) {
      trace.length = 0;
      const answer = await askPort(port, ask).then(
        got => comparable(withoutLinks(got, ask)),
        () => ({ cut: true }),
      );
      seen.push({ answer, trace: [...trace] });
    }
    return seen;
  });
}

/** Removes the links that Express 3 puts into redirect pages; for HEAD, only Content-Length reflects them. */
function withoutLinks(answer: Answer, { method }: Ask): Answer {
  if (method === 'HEAD' && answer.headers.location !== undefined) {
    return { ...answer, rawHeaders: answer.rawHeaders.filter(([name]) => name !== 'Content-Length') };
  }
  const text = answer.body.toString('latin1');
  const plain = text.replace(/<p>(.* Redirecting to )<a href="[^"]*">([^<]*)<\/a><\/p>/, '<p>$1$2</p>');
  if (plain === text) return answer;
  const rawHeaders = answer.rawHeaders.map(([name, value]): [string, string] => [
    name,
    name === 'Content-Length' ? String(plain.length) : value,
  ]);
  return { ...answer, rawHeaders, body: Buffer.from(plain, 'latin1') };
}

type Both = Record<'ours' | 'theirs', Seen[] | string>;

async function runBoth(description: Case): Promise<Both> {
  const ours = await run(frameworks.ristretto3, description);
  return { ours, theirs: await patched(() => run(frameworks.express3, description)) };
}

/** Compares the cases of a range of seeds; `passing` counts those that differed once, but not when run again. */
export async function runSession({ cases, seed, most }: Record<'cases' | 'seed' | 'most', number>): Promise<{
  requests: number;
  findings: Finding[];
  passing: number;
}> {
  const findings: Finding[] = [];
  let requests = 0;
  let passing = 0;
  for (let at = seed; at < seed + cases && findings.length < most; at++) {
    const description = generate(new Random(at));
    const first = await runBoth(description);
    requests += description.requests.length;
    if (isDeepStrictEqual(first.ours, first.theirs)) continue;
    const { ours, theirs } = await runBoth(description);
    if (isDeepStrictEqual(ours, theirs)) {
      passing++;
      continue;
    }
    const where =
      typeof ours === 'string' || typeof theirs === 'string'
        ? -1
        : ours.findIndex((one, i) => !isDeepStrictEqual(one, theirs[i]));
    findings.push({
      seed: at,
      ask: description.requests[where],
      ours: where < 0 ? ours : ours[where],
      theirs: where < 0 ? theirs : theirs[where],
      description,
    });
  }
  return { requests, findings, passing };
}

export function report({ seed, ask, ours, theirs, description }: Finding): string {
  const line = (name: string, value: unknown) => `  ${name}: ${JSON.stringify(value)}`;
  return [
    `seed ${seed}`,
    line('request', ask),
    line('ours', ours),
    line('theirs', theirs),
    line('layers', description.layers),
    line('settings', description.settings),
  ].join('\n');
}

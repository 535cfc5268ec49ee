/**
 * Sends raw HTTP/1.1 requests, each on a connection of its own, to bare `node:http`, Express 4, Ristretto, and Ristretto with
 * `strict http` and `method not allowed`, and prints what each responds, beside what RFC 9110 and RFC 9112 allow:
 *
 *     npm run conformance                 all cases, as a table in Markdown
 *     npm run conformance -- Host Chunks  groups whose name contains a word
 *
 * The cases are in packages/engine/test/support/conformance; docs/proofs/conformance.md lists those that fail.
 */
import '../../scripts/options.cjs';
import { parseArgs } from 'node:util';
import { askAll, groups, SERVERS, wholeTable } from '../../packages/engine/test/support/conformance/table.js';
import { isRight } from '../../packages/engine/test/support/conformance/outcome.js';

async function main(): Promise<void> {
  const { positionals: words } = parseArgs({ allowPositionals: true });
  const chosen = groups.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)));
  if (chosen.length === 0) {
    const names = groups.map(({ name }) => name).join(', ');
    console.error(`No group's name contains "${words.join('" or "')}"; there are ${names}`);
    process.exit(1);
  }
  const outcomes = await askAll(chosen);
  console.log(wholeTable(chosen, outcomes));
  const all = chosen.flatMap(({ cases }) => cases);
  const counts = SERVERS.map(([name, server]) => {
    const right = all.filter(one => isRight(outcomes[server].get(one)!, one));
    return `${name} ${right.length}`;
  });
  console.log(`\nright, of ${all.length} cases: ${counts.join(', ')}`);
}

void main();

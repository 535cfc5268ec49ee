/**
 * Measures what an application of 1,000 routes costs the compiler, with middleware whose types handlers see and without.
 *
 *     node proofs/bench/types/middleware.mjs [routes]
 *
 * Requires built packages.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '../../../scripts/options.cjs';
import { compile, writeConfiguration } from './compile.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const [count = '1000'] = readOptions({}, { words: true }).positionals;
const numbers = Array.from({ length: Number(count) }, (_, i) => i);
const routes = (/** @type {(i: number) => string} */ route) => numbers.map(route).join('\n');

const WEB = "import web from 'ristretto';\nconst app = web();\n";
const USER = `
interface User { id: string }
const auth: web.Adds<{ user: User }> = (req, res, next) => { req.user = { id: '1' }; next(); };
`;
const schemas = `
import { z } from 'zod';
${routes(
  i => `const Query${i} = z.object({ page: z.string().optional(), q${i}: z.string() });
const Item${i} = z.object({ id: z.string(), name${i}: z.string() });`,
)}
`;

/** @type {Record<string, string>} */
const programs = {
  'no routes': WEB,
  'untyped middleware': `${WEB}const auth: web.RequestHandler = (req, res, next) => { next(); };
${routes(i => `app.get('/r${i}/:id', auth, (req, res) => { res.json({ id: req.params.id, n: ${i} }); });`)}`,
  'web.Adds before each route': `${WEB}${USER}
${routes(i => `app.get('/r${i}/:id', auth, (req, res) => { res.json({ id: req.params.id, user: req.user.id }); });`)}`,
  'web.Adds in the router': `${WEB}${USER}
const router = web.Router().use(auth);
${routes(i => `router.get('/r${i}/:id', (req, res) => { res.json({ id: req.params.id, user: req.user.id }); });`)}`,
  'schemas of zod, parsed in the handlers': `${schemas}${WEB}
${routes(
  i => `app.get('/r${i}/:id', (req, res) => {
  const query = Query${i}.parse(req.query);
  res.json(Item${i}.parse({ id: req.params.id, name${i}: query.q${i} }));
});`,
)}`,
  'schemas of zod, web.validate and web.Adds': `${schemas}${WEB}${USER}
${routes(
  i => `app.get('/r${i}/:id', auth, web.validate({ query: Query${i}, response: { 200: Item${i} } }), (req, res) => {
  res.json({ id: req.user.id, name${i}: req.query.q${i} });
});`,
)}`,
};

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'middleware-types-'));
try {
  fs.mkdirSync(path.join(scratch, 'node_modules'));
  for (const [name, target] of [
    ['ristretto', 'packages/ristretto'],
    ['zod', 'node_modules/zod'],
    ['@types', 'node_modules/@types'],
  ])
    fs.symlinkSync(path.join(root, target), path.join(scratch, 'node_modules', name));
  fs.writeFileSync(path.join(scratch, 'package.json'), '{"private":true,"type":"module"}');
  console.log('| program | tsc, s | instantiations | memory, MB |\n|---|--:|--:|--:|');
  for (const [name, text] of Object.entries(programs)) {
    fs.writeFileSync(path.join(scratch, 'app.ts'), text);
    writeConfiguration(scratch, 'app.ts');
    const found = compile(path.join(root, 'node_modules/typescript/bin/tsc'), scratch);
    console.log(`| ${name} | ${found.seconds.toFixed(2)} | ${found.instantiations} | ${found.megabytes} |`);
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}

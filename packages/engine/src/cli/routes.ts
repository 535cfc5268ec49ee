/** `ristretto routes app.js`: prints the routes of an application as a table or as JSON. */
import path from 'node:path';
import { routesOf } from '../router/route-list';
import type { RouteInfo } from '../types/route-list';
import { readArguments } from './command';
import type { Command, Import } from './command';
import { loadApplication } from './load';

const help = `Usage: ristretto routes <file> [--json] [--all]

Loads the module of an application (CommonJS, ES, or TypeScript where Node reads it), without letting it listen, and
prints its routes: method, whole pattern, handlers, and where they were registered.

  --json   prints what app.routes() returns, including parameters, as JSON
  --all    includes mounts and middleware
`;

async function run(args: string[], load: Import): Promise<string> {
  const options = { json: { type: 'boolean' }, all: { type: 'boolean' } } as const;
  const { name, values } = readArguments(args, options, help);
  // Read by the copies of the framework that the application loads.
  process.env.RISTRETTO_PLACES ??= '1';
  const list = routesOf(await loadApplication(name, load)).filter(
    ({ kind }) => values.all || kind === 'route' || kind === 'websocket',
  );
  if (values.json) return `${JSON.stringify(list, undefined, 2)}\n`;
  return list.length > 0 ? table(list) : `${name} has no routes.\n`;
}

function table(list: readonly RouteInfo[]): string {
  const rows = list.map(info => [
    info.method ?? info.kind,
    info.path,
    info.handlers.join(', '),
    info.file === undefined ? '' : `${path.relative('', info.file)}:${String(info.line)}`,
  ]);
  rows.unshift(['METHOD', 'PATH', 'HANDLERS', 'PLACE']);
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const lines = rows.map(row => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  return lines.map(line => `${line.trimEnd()}\n`).join('');
}

export const routes: Command = { summary: 'prints the routes of an application', help, run };

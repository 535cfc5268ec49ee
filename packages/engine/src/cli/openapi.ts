/** `ristretto openapi app.js`: prints the OpenAPI document of an application. */
import { parseArgs } from 'node:util';
import { CommandError } from './command';
import type { Command, Import } from './command';
import { documentOf } from './document';

const help = `Usage: ristretto openapi <file> [--title <text>] [--version <text>]

Loads the module of an application (CommonJS, ES, or TypeScript where Node reads it), without letting it listen, and
prints its OpenAPI document. The options are those of the first web.openApi(app, options) that the application uses.

  --title     the title of the API (default: that of the application, or API)
  --version   its version (default: that of the application, or 0.0.0)
`;

async function run(args: string[], load: Import): Promise<string> {
  const { name, info } = read(args);
  const document = await documentOf(name, load);
  return `${JSON.stringify({ ...document, info: { ...document.info, ...info } }, undefined, 2)}\n`;
}

function read(args: string[]): { name: string; info: object } {
  try {
    const options = { title: { type: 'string' }, version: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name, ...others] = positionals;
    if (name === undefined || others.length > 0) throw new Error('Expected one file.');
    return { name, info: values };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${help}`);
  }
}

export const openapi: Command = { summary: 'prints the OpenAPI document of an application', help, run };

/** `ristretto openapi app.js`: prints the OpenAPI document of an application. */
import { readArguments } from './command';
import type { Command, Import } from './command';
import { documentOf } from './load';

const help = `Usage: ristretto openapi <file> [--title <text>] [--version <text>]

Loads the module of an application (CommonJS, ES, or TypeScript where Node reads it), without letting it listen, and
prints its OpenAPI document. The options are those of the first web.openApi(app, options) that the application uses.

  --title     the title of the API (default: that of the application, or API)
  --version   its version (default: that of the application, or 0.0.0)
`;

async function run(args: string[], load: Import): Promise<string> {
  const { name, values } = readArguments(
    args,
    { title: { type: 'string' }, version: { type: 'string' } },
    help,
  );
  const document = await documentOf(name, load);
  return `${JSON.stringify({ ...document, info: { ...document.info, ...values } }, undefined, 2)}\n`;
}

export const openapi: Command = { summary: 'prints the OpenAPI document of an application', help, run };

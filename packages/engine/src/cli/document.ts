/** Loads the module of an application, and describes its routes. */
import { isHidden } from '../addons/openapi/hidden';
import { openApi } from '../addons/openapi/openapi';
import { entriesOf, functionsOf } from '../router/route-tree';
import type { OpenApiDocument, OpenApiHandler, OpenApiOptions } from '../types/openapi';
import { CommandError } from './command';
import type { Import } from './command';
import { loadApplication } from './load';

/**
 * Returns the document of an application, with the options of the first `web.openApi(app, options)` that it uses.
 * @param name the file of its module
 * @param overrides options to use in place of those
 * @throws CommandError if it can't be loaded, or a schema can't be converted
 */
export async function documentOf(
  name: string,
  load: Import,
  overrides: Partial<OpenApiOptions> = {},
): Promise<OpenApiDocument> {
  const application = await loadApplication(name, load);
  const [mounted] = entriesOf(application)!.flatMap(({ layers }) =>
    layers.flatMap(functionsOf).filter(isHandler),
  );
  const handler = mounted ?? openApi(application, { info: { title: 'API', version: '0.0.0' } });
  try {
    return handler.document(overrides);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** Whether a function was returned by `web.openApi`, from this or another copy of the framework. */
function isHandler(fn: object): fn is OpenApiHandler {
  return isHidden(fn) && typeof (fn as Partial<OpenApiHandler>).document === 'function';
}

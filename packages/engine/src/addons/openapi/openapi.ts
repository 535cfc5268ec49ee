/** `web.openApi`: sends the description of an application's routes, and regenerates it when the routes have changed. */
import { inspect } from 'node:util';
import { setImmediate } from 'node:timers';
import { reportsMistakes } from '../../report/development';
import { warnOnce } from '../../dev/warn';
import { entityTag } from '../../protocol/entity-tag';
import { routerBehind } from '../../router/mounted';
import { fingerprintOf } from '../../router/route-tree';
import type { OpenApiDocument, OpenApiHandler, OpenApiOptions } from '../../types/openapi';
import type { NextFunction, Request, Response } from '../../types/core';
import { makeDocument } from './document';
import { checkOpenApi, hideFromDocument } from './document-options';

/** The serialized document, or the error that prevented it. Cached until the routes change. */
type Cached = {
  /** Identifies the routes that it describes. */
  fingerprint: readonly unknown[];
} & Attempt;
type Attempt = { body: Buffer; tag: string } | { body?: undefined; error: unknown };

/**
 * Creates a handler that sends an OpenAPI 3.1 document of all routes of an application or a router.
 * @throws TypeError for an invalid option
 */
export function openApi(target: object, options: OpenApiOptions): OpenApiHandler {
  if (routerBehind(Object(target) as object) === undefined) {
    throw new TypeError(
      `web.openApi(): expected an application or a router, got ${inspect(target, { depth: 0 })}`,
    );
  }
  checkOpenApi(options);
  let cached: Cached | undefined;
  const document = (overrides: Partial<OpenApiOptions> = {}): OpenApiDocument =>
    makeDocument(target, { ...options, ...overrides }, error => {
      throw error;
    });
  // A document without this schema is more useful than no document.
  const served = (): OpenApiDocument =>
    makeDocument(target, options, ({ message }) => {
      warnOnce(
        'RISTRETTO_OPENAPI',
        `${message}\nThe document is sent without them; document() and \`npx ristretto openapi\` throw.`,
        null,
      );
    });

  function current(): Cached {
    const fingerprint = fingerprintOf(target);
    if (cached === undefined || !isSame(cached.fingerprint, fingerprint)) {
      cached = { fingerprint, ...attempt(served) };
    }
    return cached;
  }

  function handler(req: Request, res: Response, next: NextFunction): void {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      next();
      return;
    }
    const cached = current();
    if (cached.body === undefined) {
      next(cached.error);
      return;
    }
    res.set({
      'Content-Type': 'application/json; charset=utf-8',
      ETag: cached.tag,
      'Cache-Control': 'no-cache',
    });
    res.send(cached.body);
  }

  // In development, creates the document once at the start: its warnings then appear before anybody requests it
  if (reportsMistakes((target as { settings?: Readonly<Record<string, unknown>> }).settings)) {
    setImmediate(current).unref();
  }
  Object.defineProperty(handler, 'name', { value: 'openApi' });
  return hideFromDocument(Object.assign(handler, { document }));
}

function attempt(document: () => OpenApiDocument): Attempt {
  try {
    const body = Buffer.from(JSON.stringify(document()));
    return { body, tag: entityTag(body, false) };
  } catch (error) {
    return { error };
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((part, i) => part === now[i]);
}

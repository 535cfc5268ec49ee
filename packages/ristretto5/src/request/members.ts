/** The members of requests that differ in 5.x: `req.host` and `req.query`. */
import { queryOf } from '@ristretto/private-engine/lib/protocol';
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import { authorityOf } from '@ristretto/private-engine/lib/request';
import { checks } from '@ristretto/private-engine/lib/router';
import type { Request } from '@ristretto/private-engine/lib/types/internals';

/** Returns the host with the port; undefined if the header is missing or empty. */
export function host(this: Request): string | undefined {
  return authorityOf(this) || undefined;
}

/** Returns the parsed query, a new object on each read: changes to it are lost without the setting `query writable`. */
export function query(this: Request): object {
  const parsed = parse(this);
  if (reportsMistakes(this.app.settings)) checks().checkQuery(this, parsed);
  return parsed;
}

function parse({ app, url }: Request): object {
  const parser = app.get('query parser fn') as ((text: string | null) => object) | undefined;
  return parser ? parser(queryOf(url)) : (Object.create(null) as object);
}

/**
 * Makes `req.query` a property that keeps what is written to it, as in Express 4, or an accessor again.
 * @param request the prototype of an application's requests
 */
export function setQueryWritable(request: object, isWritable: boolean): void {
  if (isWritable) Object.defineProperty(request, 'query', writableQuery);
  else delete (request as { query?: object }).query;
}

const writableQuery: PropertyDescriptor & ThisType<Request> = {
  configurable: true,
  enumerable: true,
  get() {
    const parsed = parse(this);
    keep(this, parsed);
    return parsed;
  },
  set(value: unknown) {
    keep(this, value);
  },
};

function keep(req: Request, value: unknown): void {
  Object.defineProperty(req, 'query', { value, configurable: true, enumerable: true, writable: true });
}

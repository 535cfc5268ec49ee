/**
 * Express 3 patches the prototypes of `node:http` when it is loaded. Here the patches are active only while it runs, so
 * that the code compared with it does not benefit from them.
 */
import http from 'node:http';
import { createRequire } from 'node:module';

type Descriptors = Record<PropertyKey, PropertyDescriptor>;

const prototypes: object[] = [
  http.ServerResponse.prototype,
  http.OutgoingMessage.prototype,
  http.IncomingMessage.prototype,
];

const before = prototypes.map(prototype => Object.getOwnPropertyDescriptors(prototype) as Descriptors);

// Express 3 reads headers from this property, which Node 24 removed.
if (!('_headers' in http.OutgoingMessage.prototype)) {
  Object.defineProperty(http.OutgoingMessage.prototype, '_headers', {
    configurable: true,
    get(this: http.OutgoingMessage) {
      return this.getHeaders();
    },
  });
}

/** Express 3 itself. It reads the environment when it is loaded, and logs no errors in tests. */
export const oracle: unknown = loadQuietly();

function loadQuietly(): unknown {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'test';
  try {
    return createRequire(__filename)('express3');
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

const after = prototypes.map(prototype => Object.getOwnPropertyDescriptors(prototype) as Descriptors);

/** The patched members. */
const changes = prototypes.map((prototype, i) => ({
  prototype,
  names: Reflect.ownKeys(after[i]!).filter(name => !isSame(before[i]![name], after[i]![name]!)),
  i,
}));

function isSame(left: PropertyDescriptor | undefined, right: PropertyDescriptor): boolean {
  return left !== undefined && left.value === right.value && left.get === right.get && left.set === right.set;
}

function set(state: Descriptors[]): void {
  for (const { prototype, names, i } of changes) {
    for (const name of names) {
      const descriptor = state[i]![name];
      if (descriptor) Object.defineProperty(prototype, name, { ...descriptor, configurable: true });
      else Reflect.deleteProperty(prototype, name);
    }
  }
}

set(before);

/** Runs a function of the oracle with its patches active. */
export async function patched<T>(run: () => T): Promise<Awaited<T>> {
  set(after);
  try {
    return await run();
  } finally {
    set(before);
  }
}

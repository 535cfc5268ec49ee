/** Applications that a program assembles from `web.application` as Express itself does, with a function of its own. */
import { EventEmitter } from 'node:events';

/** A framework of any version. */
interface Framework {
  application: object;
  request: object;
  response: object;
}

/** How the members get there. */
type Assembly = 'assigned' | 'copied with descriptors' | 'inherited';
export const ASSEMBLIES: readonly Assembly[] = ['assigned', 'copied with descriptors', 'inherited'];

/** @returns an application that is initialized; one that inherits its members is an object, not a function */
export function assemble<App extends object>(
  { application, request, response }: Framework,
  how: Assembly,
): App {
  const handle = (...args: unknown[]): void => app.handle(...args);
  const target = how === 'inherited' ? (Object.create(application) as object) : handle;
  const app = target as { init(): void; handle(...args: unknown[]): void };
  const messages = { request: Object.create(request) as object, response: Object.create(response) as object };
  for (const prototype of Object.values(messages))
    Object.defineProperty(prototype, 'app', { value: app, configurable: true, writable: true });
  const sources = how === 'inherited' ? [EventEmitter.prototype] : [EventEmitter.prototype, application];
  for (const source of sources) {
    if (how !== 'copied with descriptors') Object.assign(app, source);
    else
      for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(source)))
        Object.defineProperty(app, name, descriptor);
  }
  Object.assign(app, messages).init();
  return app as unknown as App;
}

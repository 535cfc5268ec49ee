/**
 * Says which request started the work whose uncaught error ends the process: a timer, the callback of another library, or
 * a promise that nothing awaits.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { isError } from '../realms';
import { reportsMistakes } from '../report/development';
import { at } from './watched';
import type { Call, Watched } from './watched';

/** Members of applications that a later version has not, by the message of the error that ends the program. */
const REMOVED = new Map([
  [
    'app.configure is not a function',
    "app.configure() is of Express 3. Write if (app.get('env') === 'production') { … } in place of it, or use ristretto3.",
  ],
  ['app.del is not a function', 'app.del() is of Express 4. Write app.delete().'],
]);

interface Started {
  readonly watched: Watched;
  readonly call: Call;
}

const storage = new AsyncLocalStorage<Started>();
let isListening = false;

/** Runs a handler, and remembers it as what started everything that the handler does not wait for. */
export function runHandler<T>(watched: Watched, call: Call, run: () => T): T {
  listen();
  return storage.run({ watched, call }, run);
}

/** On `process`: the listener of the copy of the framework that was loaded last. */
const LISTENER = Symbol.for('ristretto.reportStart');

/** Starts to explain uncaught errors. Test runners that reset modules load many copies, which Node would take for a leak. */
export function listen(): void {
  if (isListening) return;
  isListening = true;
  const { [LISTENER]: previous } = process as { [LISTENER]?: typeof reportStart };
  if (previous !== undefined) process.off('uncaughtExceptionMonitor', previous);
  Object.defineProperty(process, LISTENER, { value: reportStart, configurable: true });
  // A monitor changes nothing: the error ends the process as before, unless the program handles it
  process.on('uncaughtExceptionMonitor', reportStart);
}

/** The listener of the event, which does not handle errors. */
export function reportStart(error: unknown): void {
  const advice = isError(error) ? REMOVED.get(error.message) : undefined;
  if (advice !== undefined && reportsMistakes()) writeSync(2, `${advice}\n`);
  const started = storage.getStore();
  if (started === undefined || !reportsMistakes(started.watched.settings)) return;
  const { watched, call } = started;
  writeSync(
    2,
    `The uncaught error below comes from work that ${call.what} of ${watched.name()} started${at(call.place())}, and did ` +
      'not wait for. Await promises, and in callbacks and timers, catch errors and pass them to next(err).\n',
  );
}

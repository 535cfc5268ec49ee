/** Performs the steps of a handler and records their results. */
import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brief } from './record.js';
import type { Recorder } from './record.js';
import type { Step, Value, Wrapper } from './program.js';
import { filler, valueOf } from './values.js';
import { collect, wrap } from './wrap.js';

/** State shared by the steps of one program. */
export interface Stage {
  recorder: Recorder;
  root: string;
  /** Steps to run once everything is idle. */
  later: (() => void)[];
  signal: () => void;
  /** Replaces a function of a prototype until the program ends. */
  wrapShared: (wrapper: Wrapper) => void;
}

export interface Scene {
  stage: Stage;
  req: IncomingMessage & { body?: unknown };
  res: ServerResponse;
  next: (error?: unknown) => void;
}

/** Returns an error with a fixed stack, so that pages that show it are equal. */
function failure(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}\n    at somewhere`;
  return error;
}

/** Performs the steps of a handler. */
export function perform(steps: Step[], scene: Scene): void {
  for (const step of steps) {
    try {
      performOne(step, scene);
    } catch (error) {
      scene.stage.recorder.event(scene.res, `${nameOf(step)} throws ${brief(error)}`);
      throw error;
    }
  }
}

/** Performs steps in a later turn: the errors they throw are recorded and otherwise ignored. */
export function performLater(steps: Step[], scene: Scene): void {
  try {
    perform(steps, scene);
  } catch {
    // Already recorded
  }
}

function nameOf(step: Step): string {
  return step.call ?? step.put ?? step.on ?? Object.keys(step)[0] ?? 'nothing';
}

function performOne(step: Step, scene: Scene): void {
  const { stage, res, next } = scene;
  if (step.call !== undefined) call(step, scene);
  else if (step.put !== undefined) put(step, scene);
  else if (step.on !== undefined) listen(step, scene);
  else if (step.later !== undefined) postpone(step, scene);
  else if (step.wrap !== undefined) replace(step.wrap, scene);
  else if (step.pipe !== undefined) pipe(step.pipe, scene);
  else if (step.state !== undefined) stage.recorder.event(res, step.state);
  else if (step.next === 'error') next(failure('next'));
  else if (step.next !== undefined) next();
  else if (step.throw !== undefined) throw failure(step.throw);
  else if (step.signal) stage.signal();
}

/**
 * Returns the object and the member that 'res.send' names; the object is undefined if there is no connection any more.
 */
function memberOf(name: string, { req, res }: Scene): [Record<string, unknown> | undefined, string] {
  const [subject, member = ''] = name.split('.');
  const object = subject === 'req' ? req : subject === 'res' ? res : req.socket;
  return [object as unknown as Record<string, unknown> | undefined, member];
}

function call(step: Step, scene: Scene): void {
  const { stage, res } = scene;
  const [object, member] = memberOf(step.call!, scene);
  if (!object) return;
  const args = (step.args ?? []).map(value => reviveFor(value, step, scene));
  const result = (object[member] as (...args: unknown[]) => unknown)(...args);
  const shown = result === object ? 'itself' : brief(result);
  stage.recorder.event(res, `${step.call!}(${args.map(brief).join(', ')}) gives ${shown}`);
}

function reviveFor(value: Value, step: Step, scene: Scene): unknown {
  return valueOf(value, scene.stage.root, name => (...args: unknown[]) => {
    // Callbacks do not distinguish undefined from a missing argument.
    const error = args[0] ?? undefined;
    scene.stage.recorder.event(scene.res, `callback ${name} ${error === undefined ? '' : brief(error)}`);
    performLater(step.steps ?? [], scene);
  });
}

function put(step: Step, scene: Scene): void {
  const [object, member] = memberOf(step.put!, scene);
  if (object) object[member] = reviveFor(step.value ?? null, step, scene);
}

function listen(step: Step, scene: Scene): void {
  const { req, res, stage } = scene;
  const [subject, event = ''] = step.on!.split('.');
  const message = subject === 'req' ? req : res;
  const method = ({ on: 'on', once: 'once', prepend: 'prependListener' } as const)[step.how ?? 'on'];
  message[method](event, (argument: unknown) => {
    const detail = event === 'error' ? ` ${brief(argument)}` : '';
    stage.recorder.event(message, `event ${step.on!}${detail}`);
    performLater(step.steps ?? [], scene);
  });
}

function postpone({ later, steps = [] }: Step, scene: Scene): void {
  const { stage } = scene;
  const run = (): void => performLater(steps, scene);
  switch (later) {
    case 'nextTick':
      process.nextTick(run);
      return;
    case 'microtask':
      queueMicrotask(run);
      return;
    case 'immediate':
      setImmediate(run);
      return;
    default:
      stage.later.push(run);
  }
}

function replace(wrapper: Wrapper, { req, res, stage }: Scene): void {
  if (wrapper.target !== 'instance') {
    stage.wrapShared(wrapper);
    return;
  }
  if (wrapper.how === 'collect') {
    collect(res, stage.recorder);
    return;
  }
  const target = { req, res, socket: req.socket }[wrapper.of] as object | null;
  if (target) wrap(target, wrapper, () => stage.recorder);
}

function pipe(source: number | 'request', { req, res }: Scene): void {
  if (source === 'request') {
    req.pipe(res);
    return;
  }
  const body = filler(source);
  const pieces = [];
  for (let at = 0; at < body.length; at += 60_000) pieces.push(Buffer.from(body.slice(at, at + 60_000)));
  Readable.from(pieces).pipe(res);
}

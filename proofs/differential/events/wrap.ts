/** Replaces functions of the framework and of Node.js, and inserts classes; everything is undone afterwards. */
import http from 'node:http';
import type { Web } from '../../../packages/engine/test/support/oracle.js';
import { brief } from './record.js';
import type { Recorder } from './record.js';
import type { Beneath, Wrapper } from './program.js';

type Function_ = (this: object, ...args: unknown[]) => unknown;
type Members = Record<string, Function_>;

/** Functions whose calls are not recorded: how often a framework reads headers and listeners may differ. */
const SILENT = new Set(['on', 'once', 'getHeader', 'hasHeader', '_send', '_writeRaw']);
/** Events whose emission is recorded. */
const EVENTS = new Set(['close', 'end', 'finish', 'prefinish', 'error', 'aborted', 'data', 'pipe', 'unpipe']);

/** Keeps what was replaced, to restore it. */
export class Replacements {
  private readonly undo: (() => void)[] = [];

  /** Replaces a member by assignment. */
  assign(target: object, member: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, member);
    this.undo.push(() => {
      Reflect.deleteProperty(target, member);
      if (before) Object.defineProperty(target, member, before);
    });
    (target as Record<string, unknown>)[member] = value;
  }

  setPrototype(target: object, prototype: object): void {
    const before = Object.getPrototypeOf(target) as object;
    this.undo.push(() => Object.setPrototypeOf(target, before));
    Object.setPrototypeOf(target, prototype);
  }

  restore(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo.length = 0;
  }
}

/** An object with prototypes of messages. */
export interface Holder {
  request: object;
  response: object;
}

/** The objects that `target` may name, except 'instance'. */
export interface Targets {
  web?: Web;
  app?: Holder;
}

export function targetOf({ target, of }: Wrapper, { web, app }: Targets): object | undefined {
  const isRequest = of === 'req';
  if (target === 'runtime') return isRequest ? http.IncomingMessage.prototype : http.ServerResponse.prototype;
  const holder = (target === 'framework' ? web : app) as Holder | undefined;
  return isRequest ? holder?.request : holder?.response;
}

/** Replaces the function of an object that the wrapper names. */
export function wrap(
  target: object,
  wrapper: Wrapper,
  record: () => Recorder | undefined,
  replacements = new Replacements(),
): void {
  const { of, member, how } = wrapper;
  const original = (target as Members)[member];
  if (typeof original !== 'function') return;
  const replacing = replacement(original, how);
  const label = wrapper.target === 'instance' ? `${of}.${member}` : `${wrapper.target} ${of}.${member}`;
  replacements.assign(target, member, function (this: object, ...args: unknown[]) {
    if (of !== 'socket') recordCall(record(), this, label, member, args);
    return replacing.call(this, ...args);
  });
}

function recordCall(
  recorder: Recorder | undefined,
  message: object,
  label: string,
  member: string,
  args: unknown[],
): void {
  if (!recorder || SILENT.has(member)) return;
  if (member === 'emit' && !EVENTS.has(String(args[0]))) return;
  recorder.call(message, label, argumentsOf(member, args));
}

function argumentsOf(member: string, args: unknown[]): string {
  if (member === 'removeHeader') return brief(String(args[0]).toLowerCase());
  if (/^(?:emit|assignSocket|detachSocket|_storeHeader)$/.test(member)) return brief(args[0]);
  // A function cannot distinguish a missing argument, undefined and the default encoding
  const last = args.findLastIndex((arg, index) => arg !== undefined && !(index > 0 && arg === 'utf8'));
  return args
    .slice(0, last + 1)
    .map(brief)
    .join(', ');
}

/** Returns a function that calls the original as `how` specifies. */
function replacement(original: Function_, how: Wrapper['how']): Function_ {
  switch (how) {
    case 'nothing':
      return function (...args) {
        original.apply(this, args);
      };
    case 'defer':
      return function (...args) {
        setImmediate(() => original.apply(this, args));
      };
    case 'header':
      return function (...args) {
        const res = this as http.ServerResponse;
        if (!res.headersSent) res.setHeader('X-Wrapped', 'yes');
        return original.apply(this, args);
      };
    case 'change':
      return function (chunk, ...args) {
        return original.call(this, isChunk(chunk) ? `<${chunk.toString()}>` : chunk, ...args);
      };
    case 'skip-first':
    case 'throw-first': {
      let isFirst = true;
      return function (...args) {
        if (!isFirst) return original.apply(this, args);
        isFirst = false;
        if (how === 'throw-first') throw new Error('wrapper');
        return undefined;
      };
    }
    default:
      return function (...args) {
        return original.apply(this, args);
      };
  }
}

function isChunk(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

/** Keeps what is written and sends it with `end`, like middleware that rewrites bodies. */
export function collect(res: http.ServerResponse, recorder: Recorder): void {
  const { end } = res as unknown as Members;
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
    else if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  };
  Object.assign(res, {
    write(chunk: unknown, encoding: unknown) {
      recorder.event(res, 'collects');
      keep(chunk, typeof encoding === 'string' ? encoding : 'utf8');
    },
    end(chunk: unknown, encoding: unknown) {
      keep(chunk, typeof encoding === 'string' ? encoding : 'utf8');
      const body = Buffer.concat(chunks).toString('latin1').toUpperCase();
      recorder.event(res, `collected ${body.length}`);
      if (!res.headersSent) res.setHeader('Content-Length', body.length);
      end!.call(res, body, 'latin1');
    },
  });
}

type Class = new (...args: never[]) => object;

/** Returns a message class whose methods record their calls. */
export function recordingClass(Base: Class, beneath: Beneath, record: () => Recorder | undefined): Class {
  const Recording = class extends (Base as new (...args: unknown[]) => object) {};
  addRecording(Recording.prototype, beneath, record);
  return Recording as Class;
}

/** Adds methods to an object that record their calls and call the inherited methods. */
function addRecording(target: object, beneath: Beneath, record: () => Recorder | undefined): void {
  for (const member of beneath.members) {
    const inherited = (): Function_ | undefined => (Object.getPrototypeOf(target) as Members)[member];
    if (typeof inherited() !== 'function') continue;
    Object.defineProperty(target, member, {
      configurable: true,
      writable: true,
      value: function (this: object, ...args: unknown[]) {
        recordCall(record(), this, `beneath ${beneath.where} ${beneath.of}.${member}`, member, args);
        const result = inherited()!.apply(this, args);
        return beneath.nothing ? undefined : result;
      },
    });
  }
}

/** Inserts a class below the prototypes of the framework or of the application. */
export function putBeneath(
  beneath: Beneath,
  targets: Targets,
  record: () => Recorder | undefined,
  replacements: Replacements,
): void {
  const holder = beneath.where === 'framework' ? targets.web : targets.app;
  if (!holder) return;
  const upper = (holder as unknown as Holder)[beneath.of === 'req' ? 'request' : 'response'];
  const between = Object.create(Object.getPrototypeOf(upper) as object) as object;
  addRecording(between, beneath, record);
  replacements.setPrototype(upper, between);
}

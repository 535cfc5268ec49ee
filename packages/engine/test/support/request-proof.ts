/**
 * Compares how requests behave with our methods and with Node's own: the same programs run on both, tick by tick, with
 * listeners added in every tick. All observable behaviour must be the same.
 */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { NativeEnd } from '@ristretto/private-engine/lib/serving/node-internals';
import type { NativeRequest } from '@ristretto/private-engine/lib/serving/request-state';
import { takeBody } from '@ristretto/private-engine/lib/serving/bypass-stream';

/** Reads a complete body, as our body parsers do, and reports its bytes. */
export type ReadBody = (req: IncomingMessage, done: (bytes: string) => void) => void;

type Note = (what: unknown) => unknown;

/** What is done to a request in each tick. */
interface Program {
  /** Simulates the data arriving from the connection. */
  begin: (req: SampleRequest, read: ReadBody, note: Note) => void;
  /** The tick in which listeners are added; -1 for never. */
  listensIn: number;
  /** Adds the listeners, or reads the request in another way. */
  listens: (req: SampleRequest, note: Note) => void;
}

type SampleRequest = IncomingMessage & NativeRequest & { _dump(): void };

/** More ticks than any request takes to end. */
const TURNS = 10;

const EVENTS = ['end', 'close', 'error', 'aborted'];

function listenToAll(req: SampleRequest, note: Note): void {
  for (const event of EVENTS) req.on(event, () => note(event));
}

function readAsData(req: SampleRequest, note: Note): void {
  listenToAll(req, note);
  req.on('data', chunk => note(String(chunk)));
}

function readWhenReadable(req: SampleRequest, note: Note): void {
  listenToAll(req, note);
  req.on('readable', () => note(['readable', String(req.read())]));
}

function destroyUnheard(req: SampleRequest): void {
  req.destroy();
}

function destroyAndListen(req: SampleRequest, note: Note): void {
  req.destroy();
  listenToAll(req, note);
}

/** A complete request without a body, whose response has been sent. */
function unread(req: SampleRequest): void {
  arrive(req);
  req._dump();
}

/** The same request before its response is sent. */
function complete(req: SampleRequest): void {
  arrive(req);
}

/** Pushes data as Node's parser does. */
function arrive(req: SampleRequest, ...chunks: string[]): void {
  for (const chunk of chunks) req.push(Buffer.from(chunk));
  req.complete = true;
  req.push(null);
}

function withBody(req: SampleRequest, read: ReadBody, note: Note): void {
  read(req, note);
  arrive(req, 'one, ', 'two');
}

function cutOff(req: SampleRequest, read: ReadBody, note: Note): void {
  read(req, note);
  req.push(Buffer.from('one'));
  (req as IncomingMessage).destroy(new Error('cut off'));
}

/** Returns all programs: listeners of each kind, and `destroy`, in each tick. */
function everyProgram(): Program[] {
  const all: Program[] = [{ begin: cutOff, listensIn: 0, listens: listenToAll }];
  for (let turn = -1; turn < 8; turn++) {
    for (const listens of [listenToAll, readAsData, readWhenReadable]) {
      all.push({ begin: unread, listensIn: turn, listens });
      all.push({ begin: complete, listensIn: turn, listens });
    }
    for (const listens of [destroyUnheard, destroyAndListen]) {
      all.push({ begin: unread, listensIn: turn, listens });
    }
    all.push({ begin: withBody, listensIn: turn, listens: listenToAll });
  }
  return all;
}

function sample(prototype: object): SampleRequest {
  const socket = new Socket();
  const req = new IncomingMessage(socket) as SampleRequest;
  Object.setPrototypeOf(req, prototype);
  (socket as { parser?: object }).parser = { incoming: req };
  return req;
}

/** Returns the observable state of a request. */
function look(req: SampleRequest): unknown {
  const { complete, destroyed, closed, readable, readableEnded, readableFlowing } = req;
  return [complete, destroyed, closed, readable, readableEnded, readableFlowing];
}

/** Runs a program, and resolves with a transcript of everything observed. */
function run(program: Program, prototype: object, read: ReadBody): Promise<string> {
  const req = sample(prototype);
  const seen: unknown[] = [];
  const note: Note = what => seen.push(what);
  program.begin(req, read, note);
  return new Promise(resolve => {
    const turn = (number: number): void => {
      if (number === program.listensIn) program.listens(req, note);
      seen.push(look(req));
      if (number < TURNS) process.nextTick(turn, number + 1);
      else resolve(JSON.stringify(seen));
    };
    turn(0);
  });
}

/** Observes in which ticks Node ends an unread request. */
export function observeEnd(): Promise<NativeEnd> {
  const req = sample(IncomingMessage.prototype);
  const turns = { now: 0, end: 0, closed: 0, close: 0 };
  arrive(req);
  req._dump();
  const flowing = req.readableFlowing;
  req.on('end', () => (turns.end = turns.now));
  req.on('close', () => (turns.close = turns.now));
  return new Promise(resolve => {
    const turn = (): void => {
      if (req.closed) turns.closed ||= turns.now;
      if (++turns.now <= TURNS) process.nextTick(turn);
      else
        resolve({
          ticksToClosed: turns.closed - turns.end,
          ticksToClose: turns.close - turns.closed,
          flowing,
        });
    };
    turn();
  });
}

/**
 * Tests whether requests with one of our prototypes behave as Node's own.
 * @param prototype a prototype of requests with our methods; it inherits from Node's
 * @param read reads the complete body of such a request
 */
export async function behavesAsNode(prototype: object, read: ReadBody): Promise<boolean> {
  const same = everyProgram().map(async program => {
    const ours = run(program, prototype, read);
    return (await run(program, IncomingMessage.prototype, readAsStream)) === (await ours);
  });
  return (await Promise.all(same)).every(Boolean);
}

/** Reads a body as the body parsers do if the request has no other listeners. */
export const readTaken: ReadBody = (req, done) => {
  let bytes = '';
  const take = (chunk: Buffer): void => void (bytes += chunk.toString());
  const finish = (): void => {
    done(bytes);
  };
  const listen = (): void => void req.on('data', take).prependListener('end', finish);
  takeBody(req, { take, finish, listen });
};

/** Reads a body as the body parsers do otherwise. */
export const readAsStream: ReadBody = (req, done) => {
  let bytes = '';
  req.on('data', chunk => (bytes += String(chunk)));
  req.on('end', () => {
    done(bytes);
  });
};
